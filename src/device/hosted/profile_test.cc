#include "device/hosted/profile.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

std::string MessageFor(std::string_view text) {
  const Result<HostedProfile> profile = ParseProfile(text, "mine");
  return profile ? "accepted" : profile.error().message();
}

TEST(Profile, HasTheDefaultsOfThePhone) {
  HostedProfile expected;
  expected.name = "mine";
  EXPECT_EQ(ParseProfile("{}", "mine").value(), expected);
}

TEST(Profile, IsWhatItsFileSays) {
  const HostedProfile p = ParseProfile(R"(
name: tablet
display: {width: 1200, height: 1920, density: 240, status_bar: 36, navigation_bar: 72}
sdk: 28
locale: de-DE
time_zone: Europe/Berlin
wall_clock: 2024-02-29T23:59:58Z
build: {model: Tab 7, manufacturer: Acme}
abis: [x86_64]
sensors: []
contacts:
  - {name: Max, phone: +49 30 1}
  - {name: Zoë, email: zoe@example.org}
other_apps: [browser, camera]
leaving: canceled
keyboard: drawn
manners_sdk: 19
)",
                                       "mine")
                              .value();
  EXPECT_EQ(p.name, "tablet");
  EXPECT_EQ(p.display, (Display{1200, 1920, 240, 36, 72}));
  EXPECT_EQ(p.sdk, 28);
  EXPECT_EQ(p.locale, "de-DE");
  EXPECT_EQ(p.time_zone, "Europe/Berlin");
  EXPECT_EQ(p.epoch_ms, 1'709'251'198'000);
  EXPECT_EQ(p.build, (std::map<std::string, std::string>{{"manufacturer", "Acme"}, {"model", "Tab 7"}}));
  EXPECT_EQ(p.abis, std::vector<std::string>{"x86_64"});
  EXPECT_EQ(p.sensors, std::vector<std::string>());
  EXPECT_EQ(p.other_apps, (std::vector<std::string>{"browser", "camera"}));
  EXPECT_EQ(p.contacts, (std::vector<Contact>{{"Max", "+49 30 1", ""}, {"Zoë", "", "zoe@example.org"}}));
  EXPECT_FALSE(p.stub_neighbours);
  EXPECT_TRUE(p.draw_keyboard);
  EXPECT_EQ(p.manners_sdk, 19);

  EXPECT_EQ(ParseProfile(ToText(p), "other").value(), p) << ToText(p);
}

TEST(Profile, NamesTheLineAndTheRemedy) {
  const struct {
    const char *text, *expected;
  } kCases[] = {
      {"a: [", "not YAML"},
      {"- phone", "line 1: a device profile: a map of keys and values expected"},
      {"\nlocal: de", "line 2: a device profile has no key 'local'; there are: name, display, sdk, locale"},
      {"display: {width: 1}", "line 1: 'width': a whole number from 100 to 10000 expected"},
      {"display: {status_bar: 900}", "'status_bar': a whole number from 0 to 480 expected"},
      {"sdk: 22", "line 1: 'sdk': a whole number from 23 to 35 expected"},
      {"sdk: 36", "'sdk': a whole number from 23 to 35 expected"},
      {"wall_clock: yesterday", "line 1: 'wall_clock': an instant such as 2023-11-14T22:13:20Z expected"},
      {"wall_clock: 2023-02-30T00:00:00Z", "an instant such as"},
      {"wall_clock: 2023-02-03T24:00:00Z", "an instant such as"},
      {"wall_clock: 2023-02-03T00:00:00Zulu", "an instant such as"},
      {"build: {colour: red}", "'build' has no key 'colour'; there are: manufacturer"},
      {"abis: []", "line 1: 'abis': at least one expected"},
      {"sensors:\n - light\n - smell", "line 3: 'sensors': 'smell' is not known; there are: accelerometer"},
      {"contacts: Max", "'contacts': a list expected"},
      {"contacts: [Max]", "line 1: a contact: a map of keys and values expected"},
      {"contacts:\n - phone: 1", "line 2: a contact needs a 'name'"},
      {"contacts: [{name: Max, fax: 1}]", "a contact has no key 'fax'; there are: name, phone, email"},
      {"other_apps: [maps]", "'other_apps': 'maps' is not known; there are: contacts, browser"},
      {"other_apps: browser", "'other_apps': a list expected"},
      {"leaving: never", "line 1: 'leaving': stub or canceled expected"},
      {"keyboard: on", "line 1: 'keyboard': hidden or drawn expected"},
      {"manners_sdk: four", "'manners_sdk': a whole number from 0 to 99 expected"},
  };
  for (const auto& c : kCases)
    EXPECT_NE(MessageFor(c.text).find(c.expected), std::string::npos) << c.text << ": " << MessageFor(c.text);
  EXPECT_NE(MessageFor("name: " + std::string(100'000, 'x')).find("more than 65536 bytes"),
            std::string::npos);
}

TEST(Profile, IsFoundByNameOrPath) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ASSERT_TRUE(WriteFile(folder.path() / "tablet.yaml", "locale: de"));
  ASSERT_TRUE(WriteFile(folder.path() / "bad.yaml", "\n\nlocal: de"));
  EXPECT_EQ(FindProfile("tablet", folder.path())->locale, "de");
  EXPECT_EQ(FindProfile("tablet", folder.path())->name, "tablet");
  EXPECT_EQ(FindProfile((folder.path() / "tablet.yaml").string(), "/nowhere")->locale, "de");

  const auto missing = FindProfile("phablet", folder.path());
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(
      missing.error().message(),
      "--profile 'phablet': there is no such device profile; there are: bad, tablet; or name a YAML file");
  EXPECT_EQ(FindProfile("mine.yaml", folder.path()).error().message(), "mine.yaml: no such file");
  const std::string bad = FindProfile("bad", folder.path()).error().message();
  EXPECT_TRUE(bad.find("bad.yaml: line 3: ") != std::string::npos) << bad;
}

}  // namespace
}  // namespace marmoset
