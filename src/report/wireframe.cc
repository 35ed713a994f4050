#include "report/wireframe.h"

#include <fmt/format.h>

#include "report/xml.h"

namespace marmoset {
namespace {

std::string Box(const Rect& r, const char* style) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>", r.left, r.top, r.width(),
                     r.height(), style);
}

bool IsActive(const Widget& w) { return w.clickable || w.checkable || w.long_clickable || w.editable; }

}  // namespace

std::string Wireframe(const Screen& screen, int width) {
  if (screen.width <= 0 || screen.height <= 0) return "";
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
      "font-family=\"sans-serif\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
      width, int64_t{width} * screen.height / screen.width, screen.width, screen.height);
  const int stroke = std::max(1, screen.width / 300);
  for (const Window& window : screen.windows) {
    svg += Box(window.bounds,
               fmt::format("fill=\"#fafafa\" stroke=\"#999\" stroke-width=\"{}\"", stroke).c_str());
    for (const Widget& w : window.widgets) {
      if (w.bounds.width() <= 0 || w.bounds.height() <= 0) continue;
      if (IsActive(w))
        svg += Box(w.bounds, fmt::format("fill=\"{}\" stroke=\"#36c\" stroke-width=\"{}\"",
                                         w.checked || w.selected ? "#cdf" : "#eef3ff", stroke)
                                 .c_str());
      const std::string& text = w.text.empty() ? w.description : w.text;
      if (text.empty()) continue;
      const int size = std::min(w.bounds.height() * 2 / 3, screen.width / 22);
      // As many characters as fit, counted by their bytes.
      const auto room = static_cast<size_t>(std::max(1, w.bounds.width() * 2 / std::max(1, size)));
      const std::string shown = CutText(text.substr(0, text.find('\n')), room);
      svg += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>",
                         w.bounds.left + size / 4, w.bounds.top + (w.bounds.height() + size * 7 / 10) / 2,
                         size, w.enabled ? "#222" : "#999", XmlEscaped(shown));
    }
  }
  return svg + "</svg>";
}

}  // namespace marmoset
