// Small screens for tests, written as one line a widget.

#pragma once

#include "gui/screen.h"

namespace marmoset {

// A clickable, enabled widget 100 pixels high and 1000 wide, in the `row`-th row of the display.
inline Widget RowWidget(int row, std::string class_name, std::string id, std::string text) {
  Widget w;
  w.parent = 0;
  w.index = row;
  w.class_name = std::move(class_name);
  w.resource_id = std::move(id);
  w.text = std::move(text);
  w.package = "com.example";
  w.bounds = {0, 100 * row, 1000, 100 * row + 100};
  w.clickable = w.enabled = true;
  return w;
}

// One activity window with a root and these children.
inline Screen ScreenOf(std::string activity, std::vector<Widget> children) {
  Widget root;
  root.class_name = "android.widget.LinearLayout";
  root.package = "com.example";
  root.bounds = {0, 0, 1000, 2000};
  root.enabled = true;
  Window window;
  window.bounds = root.bounds;
  window.focused = true;
  window.widgets.push_back(root);
  for (Widget& w : children) window.widgets.push_back(std::move(w));
  Screen screen;
  screen.package = "com.example";
  screen.activity = std::move(activity);
  screen.width = 1000;
  screen.height = 2000;
  screen.windows.push_back(std::move(window));
  return screen;
}

}  // namespace marmoset
