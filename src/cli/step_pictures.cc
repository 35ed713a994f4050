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
  // A device without pictures, and a moment without the app, still get their step listed.
  const auto add = [&](std::string caption, std::optional<Rect> touched, const Screen* screen) {
    Result<std::string> png = Fail(ErrorCode::kUnsupported, "nothing to see");
    if (screen && !screen->windows.empty()) png = device.Screenshot();
    report.steps.push_back({png ? std::move(*png) : "", touched, std::move(caption),
                            screen ? std::string(ShortName(screen->activity)) : ""});
  };
  ReplayOptions options;
  options.seed = trace.seed;
  options.on_step = [&](const Step* step, const Action& action, const Screen& screen) -> Status {
    if (!step) {
      add("where it ends", std::nullopt, &screen);
      return {};
    }
    std::optional<Rect> touched;
    if (step->selector)
      if (const FoundWidget found = Find(*step->selector, screen); found.widget)
        touched = At(screen, *found.widget).bounds;
    if (const auto point = TouchedPoint(action); !touched && point)
      touched = Rect{point->x - 24, point->y - 24, point->x + 24, point->y + 24};
    add(Describe(*step), touched, &screen);
    return {};
  };
  MARMOSET_ASSIGN(const Replay replay,
                  ReplaySteps(device, trace, AllSteps(trace), target, options, std::move(stop)));
  report.stack = replay.stack;
  if (replay.crash) add("→ " + replay.crash->ToString(), std::nullopt, nullptr);
  MARMOSET_TRY(WriteFile(folder / "steps.txt", StepsAsText(trace)));
  return WriteStepsReport(folder, report);
}

}  // namespace marmoset::cli
