#include "report/steps_page.h"

#include "report/xml.h"

namespace marmoset {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8885; --accent: #d6336c; }
body { font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; overflow-wrap: anywhere; }
p.summary { font-size: 1.1rem; }
ol { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 1.5rem; }
li { width: 15rem; }
li b { display: block; min-height: 2.9em; }
li small { color: gray; overflow-wrap: anywhere; }
.screen { position: relative; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.screen img { display: block; width: 100%; }
.screen i { position: absolute; border: 3px solid var(--accent); border-radius: 4px; box-sizing: border-box; }
pre { border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow: auto; }
code { overflow-wrap: anywhere; }
)";

std::string FileName(size_t i) { return fmt::format("{:02}.png", i + 1); }

// The mark over a picture, in per cent of its size, so that it fits however large the picture is shown.
std::string Mark(const Rect& r, int width, int height) {
  return fmt::format("<i style=\"left:{:.2f}%;top:{:.2f}%;width:{:.2f}%;height:{:.2f}%\"></i>",
                     100.0 * r.left / width, 100.0 * r.top / height, 100.0 * r.width() / width,
                     100.0 * r.height() / height);
}

std::string Page(const StepsReport& report) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n"
      "<h1>{0}</h1>\n<p>{2}</p>\n<p class=\"summary\">{3}</p>\n<ol>\n",
      XmlEscaped(report.title), kStyle, XmlEscaped(report.app), XmlEscaped(report.summary));
  for (size_t i = 0; i < report.steps.size(); ++i) {
    const StepPicture& step = report.steps[i];
    html += fmt::format("<li><b>{}. {}</b>", i + 1, XmlEscaped(step.caption));
    if (!step.png.empty()) {
      html += fmt::format("<div class=\"screen\"><img src=\"{}\" alt=\"screen {}\">", FileName(i), i + 1);
      if (step.touched && report.width > 0 && report.height > 0)
        html += Mark(*step.touched, report.width, report.height);
      html += "</div>";
    }
    html += fmt::format("<small>{}</small></li>\n", XmlEscaped(step.place));
  }
  html += "</ol>\n";
  if (!report.stack.empty()) html += fmt::format("<pre>{}</pre>\n", XmlEscaped(report.stack));
  html += fmt::format("<p>Again: <code>{}</code></p>\n</html>\n", XmlEscaped(report.command));
  return html;
}

}  // namespace

std::string StepsAsText(const Trace& trace) {
  std::string text;
  for (size_t i = 0; i < trace.steps.size(); ++i)
    text += fmt::format("{}. {}\n", i + 1, Describe(trace.steps[i]));
  if (trace.crash) text += fmt::format("→ {}\n", trace.crash->ToString());
  return text;
}

Status WriteStepsReport(const fs::path& folder, const StepsReport& report) {
  for (size_t i = 0; i < report.steps.size(); ++i)
    if (!report.steps[i].png.empty()) MARMOSET_TRY(WriteFile(folder / FileName(i), report.steps[i].png));
  return WriteFile(folder / "index.html", Page(report));
}

}  // namespace marmoset
