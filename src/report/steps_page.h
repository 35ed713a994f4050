// The pictures of a trace: a folder that shows each step, as files that any viewer opens and as one page.
//
//   index.html      the steps with their screenshots, the touched place marked; opens from the disk, without
//   network 01.png …        the screen that each step met; the last one is what the steps led to

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "gui/screen.h"
#include "trace/trace.h"

namespace marmoset {

struct StepPicture {
  std::string png;              // Empty: the device gave none.
  std::optional<Rect> touched;  // The widget that the step touched, in pixels of the picture.
  std::string caption;          // "tap 'Split bill'"; for the last picture what came of it.
  std::string place;            // The activity, shortened.
};

struct StepsReport {
  std::string title;    // "java.lang.ArithmeticException at …"
  std::string app;      // "com.example 1.2"
  std::string summary;  // "3 of 81 steps are needed; reached in 20 of 20 replays."
  std::string command;  // How to do it again.
  std::string stack;
  int width = 0;  // Of the pictures, in pixels.
  int height = 0;
  std::vector<StepPicture> steps;
};

// Writes the files into `folder`, which must exist.
Status WriteStepsReport(const fs::path& folder, const StepsReport& report);

// "1. launch the app\n2. tap 'Split bill'\n".
std::string StepsAsText(const Trace& trace);

}  // namespace marmoset
