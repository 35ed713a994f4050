// The comparison: any two apps compare, and an app equals itself.
//
// An input is the parts of two APKs with a separator between them: code, resources, manifest of the old one,
// the same of the new one, and a layout that both have. They are packed here, so that a mutation need not get
// past a checksum.

#include "apk/diff.h"
#include "apk/zip_writer.h"
#include "base/check.h"

namespace marmoset::apk {
namespace {

constexpr std::string_view kSeparator = "\xffNEXT\xff";

std::string Pack(std::string_view code, std::string_view resources, std::string_view manifest,
                 std::string_view layout) {
  ZipWriter writer;
  writer.AddStored("AndroidManifest.xml", manifest);
  if (!code.empty()) writer.AddStored("classes.dex", code);
  if (!resources.empty()) writer.AddStored("resources.arsc", resources);
  writer.AddStored("res/layout/main.xml", layout);
  return writer.Finish().value().Join();
}

}  // namespace
}  // namespace marmoset::apk

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset::apk;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::string_view parts[7];
  for (std::string_view& part : parts) {
    const size_t end = rest.find(kSeparator);
    part = rest.substr(0, end);
    if (end == std::string_view::npos) {
      rest = {};
      break;
    }
    rest = rest.substr(end + kSeparator.size());
  }
  const auto before = Apk::Parse(Blob::Own(Pack(parts[0], parts[1], parts[2], parts[6])), "old");
  const auto after = Apk::Parse(Blob::Own(Pack(parts[3], parts[4], parts[5], parts[6])), "new");
  for (const DiffLevel level : {DiffLevel::kExact, DiffLevel::kCode, DiffLevel::kOpcode}) {
    DiffOptions options;
    options.level = level;
    options.noise = true;
    if (before && after) {
      if (const auto diff = DiffApks(*before, *after, options)) {
        (void)DiffText(*diff, 0);
        (void)JsonText(ToJson(*diff));
      }
    }
    for (const auto* app : {&before, &after}) {
      if (!*app) continue;
      const auto diff = DiffApks(**app, **app, options);
      MARMOSET_CHECK(!diff || diff->Same());
    }
  }
  if (before && after) (void)SideBySide(*before, *after, "app.Main.run", 160);
  return 0;
}
