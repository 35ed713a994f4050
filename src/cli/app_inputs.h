// What an app's files tell that can be put into it: intents that any other app could send, and its own texts.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apk/manifest.h"
#include "apk/resource_table.h"
#include "explore/strategy.h"

namespace marmoset::cli {

// Intents to exported, enabled activities that ask the sender for no permission: each activity by its name
// alone, and by what its intent filters let through, with data and types that fit them. All name their
// component, so that no other app answers. In the order of the manifest; the launcher's own start is not
// among them.
std::vector<OutsideIntent> IntentsFor(const apk::Manifest& manifest);

// A text that Android's PatternMatcher lets through for a "simple glob": '.' is any character, '*' repeats
// what stands before it, '\' takes the next one literally.
std::string TextFor(std::string_view glob);

// Texts that a person might type: short strings of the app's resources in the default language, without
// markup and place holders, each once, in the order of the file. Those of known libraries are left out.
std::vector<std::string> TextsOf(const apk::ResourceTable& resources);

}  // namespace marmoset::cli
