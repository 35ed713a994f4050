#include "cli/step_pictures.h"

#include "gui/selector.h"
#include "replay/replayer.h"
#include "report/steps_page.h"

namespace marmoset::cli {

Result<Target> TargetOfTrace(const Trace& trace, const std::string& chosen) {
  if (!chosen.empty()) return ParseTarget(chosen);
  if (trace.crash) return CrashTarget{*trace.crash};
  return Fail(ErrorCode::kBadInput,
              "the trace ends without a crash: say what to reach with --target (crash, activity:NAME, "
              "widget:ID-OR-TEXT, log:REGEX, command:SHELL)");
}

Status TakeStepPictures(Device& device, const Trace& trace, const Target& target, const std::string& summary,
                        const std::string& command, const fs::path& folder, std::stop_token stop) {
  StepsReport report;
  report.title = Describe(target);
  report.app = fmt::format("{} {}", trace.package, trace.version_name);
  report.summary = summary;
  report.command = command;
  report.width = device.info().display.width;
  report.height = device.info().display.height;
  const auto add = [&](std::string caption, std::optional<Rect> touched, const std::string& activity) {
    Result<std::string> png = device.Screenshot();  // A device without pictures still gets its steps listed.
    report.steps.push_back(
        {png ? std::move(*png) : "", touched, std::move(caption), std::string(ShortName(activity))});
  };
  ReplayOptions options;
  options.seed = trace.seed;
  options.on_step = [&](const Step* step, const Action& action, const Screen& screen) -> Status {
    if (!step) {
      add("where it ends", std::nullopt, screen.activity);
      return {};
    }
    std::optional<Rect> touched;
    if (step->selector)
      if (const FoundWidget found = Find(*step->selector, screen); found.widget)
        touched = At(screen, *found.widget).bounds;
    if (const auto point = TouchedPoint(action); !touched && point)
      touched = Rect{point->x - 24, point->y - 24, point->x + 24, point->y + 24};
    add(Describe(*step), touched, screen.activity);
    return {};
  };
  MARMOSET_ASSIGN(const Replay replay,
                  ReplaySteps(device, trace, AllSteps(trace), target, options, std::move(stop)));
  report.stack = replay.stack;
  if (replay.crash) add("→ " + replay.crash->ToString(), std::nullopt, "");
  MARMOSET_TRY(WriteFile(folder / "steps.txt", StepsAsText(trace)));
  return WriteStepsReport(folder, report);
}

}  // namespace marmoset::cli
