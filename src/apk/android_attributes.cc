#include "apk/android_attributes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace marmoset::apk {
namespace {

struct Attribute {
  uint32_t id;
  std::string_view name;
};

constexpr Attribute kAttributes[] = {
#define ATTRIBUTE(id, name) {id, #name},
#include "apk/android_attributes.def"
#undef ATTRIBUTE
};
static_assert(std::is_sorted(std::begin(kAttributes), std::end(kAttributes),
                             [](const Attribute& a, const Attribute& b) { return a.id < b.id; }));

// A part of a value: `value` under `mask`. An enum is one group whose mask is all ones; a flag is a group of
// its own. A part that is 0 is written only when nothing else is.
struct Part {
  uint32_t mask;
  uint32_t value;
  std::string_view name;
};

constexpr uint32_t kAll = 0xffffffff;

constexpr Part kLaunchMode[] = {{kAll, 0, "standard"},
                                {kAll, 1, "singleTop"},
                                {kAll, 2, "singleTask"},
                                {kAll, 3, "singleInstance"},
                                {kAll, 4, "singleInstancePerTask"}};
constexpr Part kScreenOrientation[] = {{kAll, 0xffffffff, "unspecified"},
                                       {kAll, 0, "landscape"},
                                       {kAll, 1, "portrait"},
                                       {kAll, 2, "user"},
                                       {kAll, 3, "behind"},
                                       {kAll, 4, "sensor"},
                                       {kAll, 5, "nosensor"},
                                       {kAll, 6, "sensorLandscape"},
                                       {kAll, 7, "sensorPortrait"},
                                       {kAll, 8, "reverseLandscape"},
                                       {kAll, 9, "reversePortrait"},
                                       {kAll, 10, "fullSensor"},
                                       {kAll, 11, "userLandscape"},
                                       {kAll, 12, "userPortrait"},
                                       {kAll, 13, "fullUser"},
                                       {kAll, 14, "locked"}};
constexpr Part kConfigChanges[] = {{0x1, 0x1, "mcc"},
                                   {0x2, 0x2, "mnc"},
                                   {0x4, 0x4, "locale"},
                                   {0x8, 0x8, "touchscreen"},
                                   {0x10, 0x10, "keyboard"},
                                   {0x20, 0x20, "keyboardHidden"},
                                   {0x40, 0x40, "navigation"},
                                   {0x80, 0x80, "orientation"},
                                   {0x100, 0x100, "screenLayout"},
                                   {0x200, 0x200, "uiMode"},
                                   {0x400, 0x400, "screenSize"},
                                   {0x800, 0x800, "smallestScreenSize"},
                                   {0x1000, 0x1000, "density"},
                                   {0x2000, 0x2000, "layoutDirection"},
                                   {0x4000, 0x4000, "colorMode"},
                                   {0x8000, 0x8000, "grammaticalGender"},
                                   {0x10000000, 0x10000000, "fontWeightAdjustment"},
                                   {0x40000000, 0x40000000, "fontScale"}};
constexpr Part kSoftInput[] = {{0xf, 0, "stateUnspecified"},   {0xf, 1, "stateUnchanged"},
                               {0xf, 2, "stateHidden"},        {0xf, 3, "stateAlwaysHidden"},
                               {0xf, 4, "stateVisible"},       {0xf, 5, "stateAlwaysVisible"},
                               {0xf0, 0, "adjustUnspecified"}, {0xf0, 0x10, "adjustResize"},
                               {0xf0, 0x20, "adjustPan"},      {0xf0, 0x30, "adjustNothing"}};
constexpr Part kProtectionLevel[] = {{0xf, 0, "normal"},          {0xf, 1, "dangerous"},
                                     {0xf, 2, "signature"},       {0xf, 3, "signatureOrSystem"},
                                     {0xf, 4, "internal"},        {0x10, 0x10, "privileged"},
                                     {0x20, 0x20, "development"}, {0x40, 0x40, "appop"},
                                     {0x80, 0x80, "pre23"},       {0x100, 0x100, "installer"},
                                     {0x200, 0x200, "verifier"},  {0x400, 0x400, "preinstalled"},
                                     {0x800, 0x800, "setup"},     {0x1000, 0x1000, "instant"},
                                     {0x2000, 0x2000, "runtime"}};
constexpr Part kInstallLocation[] = {
    {kAll, 0, "auto"}, {kAll, 1, "internalOnly"}, {kAll, 2, "preferExternal"}};
constexpr Part kUiOptions[] = {{kAll, 0, "none"}, {kAll, 1, "splitActionBarWhenNarrow"}};
constexpr Part kDocumentLaunchMode[] = {
    {kAll, 0, "none"}, {kAll, 1, "intoExisting"}, {kAll, 2, "always"}, {kAll, 3, "never"}};
constexpr Part kServiceType[] = {{0x1, 0x1, "dataSync"},
                                 {0x2, 0x2, "mediaPlayback"},
                                 {0x4, 0x4, "phoneCall"},
                                 {0x8, 0x8, "location"},
                                 {0x10, 0x10, "connectedDevice"},
                                 {0x20, 0x20, "mediaProjection"},
                                 {0x40, 0x40, "camera"},
                                 {0x80, 0x80, "microphone"},
                                 {0x100, 0x100, "health"},
                                 {0x200, 0x200, "remoteMessaging"},
                                 {0x400, 0x400, "systemExempted"},
                                 {0x800, 0x800, "shortService"},
                                 {0x40000000, 0x40000000, "specialUse"}};

std::span<const Part> PartsOf(std::string_view attribute) {
  static constexpr std::pair<std::string_view, std::span<const Part>> kTable[] = {
      {"launchMode", kLaunchMode},
      {"screenOrientation", kScreenOrientation},
      {"configChanges", kConfigChanges},
      {"windowSoftInputMode", kSoftInput},
      {"protectionLevel", kProtectionLevel},
      {"installLocation", kInstallLocation},
      {"uiOptions", kUiOptions},
      {"documentLaunchMode", kDocumentLaunchMode},
      {"foregroundServiceType", kServiceType}};
  for (const auto& [name, parts] : kTable) {
    if (name == attribute) return parts;
  }
  return {};
}

}  // namespace

std::string_view AttributeName(uint32_t resource_id) {
  const auto* it = std::lower_bound(std::begin(kAttributes), std::end(kAttributes), resource_id,
                                    [](const Attribute& a, uint32_t id) { return a.id < id; });
  return it != std::end(kAttributes) && it->id == resource_id ? it->name : std::string_view();
}

std::string AttributeValueName(std::string_view attribute, uint32_t value) {
  const std::span<const Part> parts = PartsOf(attribute);
  std::string text;
  uint32_t named = 0;
  for (const Part& part : parts) {
    if ((value & part.mask) != part.value || (part.value == 0 && value != 0)) continue;
    if (part.value == 0 && !text.empty()) continue;
    if (!text.empty()) text += '|';
    text += part.name;
    named |= part.mask;
  }
  return (value & ~named) == 0 ? text : std::string();
}

}  // namespace marmoset::apk
