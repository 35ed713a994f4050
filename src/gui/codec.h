// Values of gui/ as JSON and back: the objects of a trace file and of the hosted device's protocol
// (docs/formats/). Reading ignores unknown keys, gives absent ones their defaults, and names the key that is
// wrong (kBadInput).

#pragma once

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "gui/action.h"
#include "gui/screen.h"
#include "gui/selector.h"

namespace marmoset {

// Keys in the order in which they were added: files stay readable and diffable.
using Json = nlohmann::ordered_json;

// Parses one JSON document. kBadInput with the byte offset; nesting deeper than 200 is refused.
Result<Json> ParseJson(std::string_view text);

// Typed access to an object that came from outside. Errors name the key and what was expected. `fallback` is
// the answer when the key is absent.
Result<std::string> StringAt(const Json& object, const char* key, std::string fallback = {});
Result<int64_t> IntegerAt(const Json& object, const char* key, int64_t fallback = 0);
Result<bool> BoolAt(const Json& object, const char* key, bool fallback = false);

Json ToJson(const Action& action);
Result<Action> ActionFromJson(const Json& json);

Json ToJson(const Selector& selector);
Result<Selector> SelectorFromJson(const Json& json);

Json ToJson(const Screen& screen);
Result<Screen> ScreenFromJson(const Json& json);

}  // namespace marmoset
