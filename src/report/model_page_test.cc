#include "report/model_page.h"

#include <gtest/gtest.h>

#include "report/wireframe.h"

namespace marmoset {
namespace {

Screen Shows(const std::string& activity, const std::string& text) {
  Screen screen;
  screen.package = "a.b";
  screen.activity = activity;
  screen.width = 100;
  screen.height = 200;
  Widget button;
  button.class_name = "android.widget.Button";
  button.text = text;
  button.clickable = button.enabled = true;
  button.bounds = {0, 0, 100, 40};
  button.parent = -1;
  Window window;
  window.bounds = {0, 0, 100, 200};
  window.widgets = {button};
  screen.windows = {window};
  return screen;
}

StepRecord Do(const Action& action, const Screen& before, const Screen& after) {
  StepRecord record;
  record.episode = 1;
  record.step.action = action;
  if (const auto at = TouchedPoint(action)) record.step.selector = SelectorAt(before, *at);
  record.step.screen_after = ContentHash(after);
  return record;
}

TEST(ModelPage, ShowsStatesTransitionsAndPictures) {
  TemporaryFolder folder = std::move(*TemporaryFolder::Make());
  RunRecord record = std::move(*RunRecord::Create(folder.path() / "run"));
  const Screen first = Shows("a.b.Main", "Go <on>"), second = Shows("a.b.Other", "Fine");
  ASSERT_TRUE(record.Append(Do(Launch{}, {}, first), first));
  ASSERT_TRUE(record.Append(Do(Tap{{50, 20}}, first, second), second));
  ASSERT_TRUE(WriteFile(record.folder() / PictureOf(second), "png"));
  const auto run = ModelOfRun(record, "a.b");
  ASSERT_TRUE(run);
  ASSERT_TRUE(WriteModelPage(folder.path(), "a.b", **run, record));
  const std::string html = ReadFile(folder.path() / "index.html").value();
  EXPECT_NE(html.find("2 states of 2 activities, 1 transitions"), std::string::npos);
  EXPECT_NE(html.find("Go &lt;on&gt;"), std::string::npos);  // In the drawing and in the transition.
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_NE(html.find("src=\"run/screenshots/shape-"), std::string::npos);
  const std::string dot = ReadFile(folder.path() / "model.dot").value();
  EXPECT_NE(dot.find("s0 -> s1"), std::string::npos);
}

TEST(Wireframe, NothingToDrawIsNothing) { EXPECT_EQ(Wireframe({}, 100), ""); }

}  // namespace
}  // namespace marmoset
