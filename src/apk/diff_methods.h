// The part of the diff that pairs methods. Used by diff.cc alone.

#pragma once

#include "apk/diff.h"

namespace marmoset::apk {

// Fills changed, added, removed, moved and problems.
void DiffMethods(const dex::AppFacts& old_facts, const dex::AppFacts& new_facts, const DiffOptions& options,
                 ApkDiff* diff);

// Why a class may be the build's doing: "resource ids" for R, "build stamp" for BuildConfig; else empty.
std::string_view GeneratedClass(std::string_view type);

}  // namespace marmoset::apk
