// Texts that fit a field: what a person would type who reads its id, hint and description.
//
// An app checks what is typed; a text of the wrong kind is refused, and all that lies behind the check stays
// unseen.
//
// Pure functions of their arguments and the random source.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "gui/screen.h"

namespace marmoset {

enum class FieldKind { kNumber, kMail, kPhone, kDate, kTime, kUrl, kName, kPassword };

// By the words of its resource id, hint and description ("price_per_unit", "Your e-mail"); nothing if they do
// not tell.
std::optional<FieldKind> FieldKindOf(const Widget& field);

std::string FittingText(FieldKind kind, Random& random);

// Whether a person who wants such a text could have this one in mind: "12.50" is a number, "Rent" a name.
bool Fits(FieldKind kind, std::string_view text);

}  // namespace marmoset
