#include "device/simulated/app_model.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

constexpr char kSmall[] =
    "marmoset_model: 1\n"
    "package: com.example\n"
    "variables: {n: 2, twice: n * 2}\n"
    "screens:\n"
    "  main:\n"
    "    activity: .Main\n"
    "    widgets:\n"
    "      - {id: go, class: Button, text: 'Go {n}'}\n"
    "      - {rows: [One, Two]}\n"
    "    on:\n"
    "      - {do: tap, at: go, if: n > 0, set: {n: n - 1}, p: 0.5, go: other}\n"
    "  other:\n"
    "    dialog: true\n";

std::string MessageFor(std::string_view text) {
  const auto model = ParseAppModel(text);
  return model ? "parsed" : model.error().message();
}

// kSmall with one part replaced.
std::string Changed(std::string_view from, std::string_view to) {
  std::string text = kSmall;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(AppModel, IsReadWithItsDefaults) {
  const auto read = ParseAppModel(kSmall);
  ASSERT_TRUE(read) << read.error().message();
  const AppModel& model = *read;
  EXPECT_EQ(model.package, "com.example");
  EXPECT_EQ(model.names, (std::vector<std::string>{"row", "value", "length", "n", "twice"}));
  EXPECT_EQ(model.display, (Display{1080, 1920, 480, 72, 0}));
  EXPECT_EQ(model.start, 0u);
  ASSERT_EQ(model.screens.size(), 2u);
  const ModelScreen& main = model.screens[0];
  EXPECT_EQ(main.activity, "com.example.Main");
  EXPECT_EQ(main.widgets[0].class_name, "android.widget.Button");
  EXPECT_TRUE(main.widgets[0].clickable);
  EXPECT_EQ(main.widgets[1].class_name, "android.widget.ListView");
  EXPECT_TRUE(main.widgets[1].scrollable);
  ASSERT_EQ(main.transitions.size(), 1u);
  EXPECT_EQ(main.transitions[0].ending, Ending::kGo);
  EXPECT_EQ(main.transitions[0].target, 1u);
  EXPECT_EQ(main.transitions[0].probability, 0.5);
  EXPECT_TRUE(model.screens[1].dialog);
}

TEST(AppModel, ErrorsNameTheLineAndWhatIsExpected) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "not an app model"},
           {"[1, 2]", "line 1: not an app model"},
           {"a: b", "line 1: not an app model"},
           {"a: [", "not YAML"},
           {"marmoset_model: 1\npackage: com.example\n", "'screens'"},
           {Changed("com.example", "example"), "'package'"},
           {Changed("do: tap", "do: fly"), "line 11: 'do'"},
           {Changed("do: tap", "does: tap"), "line 11: a transition has no key 'does'; there are: do, at"},
           {Changed("at: go", "at: gone"), "line 11: screen 'main' has no widget with the id or text 'gone'"},
           {Changed("go: other", "go: nowhere"), "line 11: there is no screen 'nowhere'"},
           {Changed("go: other", "go: other, back: true"), "line 11: a transition ends in one way"},
           {Changed("n > 0", "m > 0"), "line 11: expression 'm > 0': there is no variable 'm'"},
           {Changed("n > 0", "n >"), "line 11: expression"},
           {Changed("{n: n - 1}", "{row: 1}"), "line 11: 'row' cannot be set"},
           {Changed("{n: n - 1}", "{m: 1}"), "line 11: there is no variable 'm'"},
           {Changed("p: 0.5", "p: 2"), "line 11: 'p': a probability"},
           {Changed("p: 0.5", "p: nan"), "line 11: 'p': a probability"},
           {Changed("Go {n}", "Go {m}"), "line 8: there is no variable 'm'"},
           {Changed("Go {n}", "Go {n"), "line 8: 'Go {n': a '}' is missing"},
           {Changed("{rows: [One, Two]}", "{id: go}"),
            "line 9: screen 'main' has two widgets with the id 'go'"},
           {Changed("{rows: [One, Two]}", "{visible: random(2)}"), "line 9: 'visible': no random() here"},
           {Changed("{rows: [One, Two]}", "{bounds: [1, 2, 1, 3]}"), "line 9: 'bounds'"},
           {Changed("{rows: [One, Two]}", "{clickable: maybe}"), "line 9: 'clickable': true or false"},
           {Changed("dialog: true", "dialog: false"), "screen 'other': give it an 'activity'"},
           {Changed("variables: {", "variables: {random: 1, "), "line 3: 'random' cannot be the name"},
           {Changed("variables: {", "variables: {row: 1, "), "line 3: there are two variables 'row'"},
           {Changed("screens:", "start: other\nscreens:"), "a dialog cannot be the first screen"},
           {Changed("screens:", "display: {width: -1}\nscreens:"), "line 4: 'width'"},
           {Changed("screens:", "action_ms: 1e3\nscreens:"), "line 4: 'action_ms'"},
           {Changed("go: other", "crash: {exception: X}"),
            "line 11: a crash needs an 'exception' with its package"},
           {Changed("go: other", "crash: {exception: a.X}"), "line 11: a crash needs the place"}})
    EXPECT_NE(MessageFor(text).find(part), std::string::npos) << text << "\n" << MessageFor(text);
}

TEST(AppModel, AFormatFromTheFutureIsRefusedWithTheRemedy) {
  const auto model = ParseAppModel("marmoset_model: 2\nnews: yes\n");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code(), ErrorCode::kUnsupported);
  EXPECT_NE(model.error().message().find("update marmoset"), std::string::npos);
}

TEST(AppModel, HostileFilesAreRefusedInShortTime) {
  EXPECT_EQ(MessageFor(std::string(2 << 20, ' ')).find("an app model of more than"), 0u);
  EXPECT_NE(MessageFor("marmoset_model: " + std::string(100'000, '[')).find("not YAML"), std::string::npos);
  // Each list holds the one before ten times.
  std::string bomb = "a0: &a0 {do: tap}\n";
  for (int i = 1; i <= 9; ++i) {
    bomb += fmt::format("a{}: &a{} [", i, i);
    for (int j = 0; j < 10; ++j) bomb += fmt::format("{}*a{}", j > 0 ? "," : "", i - 1);
    bomb += "]\n";
  }
  EXPECT_NE(MessageFor("marmoset_model: 1\npackage: a.b\n" + bomb).find("has no key 'a0'"),
            std::string::npos);
  // The same within a model: a list of thousands of transitions, on thousands of screens.
  std::string many = "marmoset_model: 1\npackage: a.b\nscreens:\n  s: {activity: .A, on: &on [";
  for (int i = 0; i < 10'000; ++i) many += "{do: tap},";
  many += "]}\n";
  for (int i = 0; i < 900; ++i) many += fmt::format("  s{}: {{activity: .A, on: *on}}\n", i);
  EXPECT_NE(MessageFor(many).find("too large"), std::string::npos);
}

TEST(AppModel, FileErrorsNameTheFile) {
  auto folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder);
  const fs::path path = folder->path() / "a.yaml";
  ASSERT_TRUE(WriteFile(path, Changed("go: other", "go: nowhere")));
  EXPECT_EQ(ReadAppModel(path).error().message().find(path.string() + ": line 11: "), 0u);
  EXPECT_EQ(ReadAppModel(folder->path() / "none").error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace marmoset
