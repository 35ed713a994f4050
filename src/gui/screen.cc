#include "gui/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/hash.h"

namespace marmoset {
namespace {

// Feeds values to the hash with lengths before strings, so that no two different screens give the same bytes.
class Digest {
 public:
  void Add(std::string_view text) {
    Add(static_cast<int64_t>(text.size()));
    bytes_ += text;
  }
  void Add(int64_t number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void Add(const Rect& r) {
    for (const int v : {r.left, r.top, r.right, r.bottom}) Add(int64_t{v});
  }
  uint64_t value() const { return Hash64(bytes_); }
  std::string bytes() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

int64_t Flags(const Widget& w) {
  int64_t bits = 0;
  for (const bool flag : {w.checkable, w.checked, w.clickable, w.enabled, w.focusable, w.focused,
                          w.scrollable, w.long_clickable, w.password, w.selected, w.editable})
    bits = bits * 2 + flag;
  return bits;
}

// The longest text that still serves as a name.
constexpr size_t kMaxLabel = 40;

std::string Quoted(std::string_view text) {
  std::string label = CutText(text, kMaxLabel);
  std::replace(label.begin(), label.end(), '\n', ' ');
  if (text.size() > kMaxLabel) label += "…";
  return "'" + label + "'";
}

const std::string& OwnLabel(const Widget& w) { return w.text.empty() ? w.description : w.text; }

}  // namespace

const Widget& At(const Screen& screen, WidgetRef ref) {
  MARMOSET_CHECK(ref.window >= 0 && static_cast<size_t>(ref.window) < screen.windows.size());
  const Window& window = screen.windows[static_cast<size_t>(ref.window)];
  MARMOSET_CHECK(ref.widget >= 0 && static_cast<size_t>(ref.widget) < window.widgets.size());
  return window.widgets[static_cast<size_t>(ref.widget)];
}

std::vector<WidgetRef> ReachableWidgets(const Screen& screen) {
  std::vector<WidgetRef> refs;
  for (size_t w = screen.windows.size(); w-- > 0;) {
    const Window& window = screen.windows[w];
    if (window.type == WindowType::kToast || window.type == WindowType::kKeyboard) continue;
    for (size_t i = 0; i < window.widgets.size(); ++i)
      refs.push_back({static_cast<int>(w), static_cast<int>(i)});
    break;
  }
  return refs;
}

uint64_t ContentHash(const Screen& screen) {
  Digest digest;
  digest.Add(screen.package);
  digest.Add(screen.activity);
  digest.Add(screen.width);
  digest.Add(screen.height);
  digest.Add(screen.rotation);
  digest.Add(screen.keyboard);
  for (const Window& window : screen.windows) {
    digest.Add(static_cast<int64_t>(window.type));
    digest.Add(window.bounds);
    digest.Add(window.focused);
    digest.Add(static_cast<int64_t>(window.widgets.size()));
    for (const Widget& w : window.widgets) {
      digest.Add(w.parent);
      digest.Add(w.index);
      for (const std::string* s :
           {&w.class_name, &w.resource_id, &w.text, &w.description, &w.hint, &w.package})
        digest.Add(*s);
      digest.Add(w.bounds);
      digest.Add(Flags(w));
    }
  }
  return digest.value();
}

uint64_t ShapeHash(const Screen& screen) {
  std::set<std::string> kinds;
  for (const WidgetRef ref : ReachableWidgets(screen)) {
    const Widget& w = At(screen, ref);
    Digest kind;
    kind.Add(w.class_name);
    kind.Add(w.resource_id);
    for (const bool flag : {w.checkable, w.clickable, w.long_clickable, w.scrollable, w.editable})
      kind.Add(int64_t{flag});
    kinds.insert(std::move(kind).bytes());
  }
  Digest digest;
  digest.Add(screen.package);
  digest.Add(screen.activity);
  digest.Add(screen.keyboard);
  for (const std::string& kind : kinds) digest.Add(kind);
  return digest.value();
}

std::string CutText(std::string_view text, size_t max_bytes) {
  std::string cut(text.substr(0, max_bytes));
  if (text.size() <= max_bytes) return cut;
  while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0) == 0x80) cut.pop_back();
  if (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0x80)) cut.pop_back();
  return cut;
}

std::string_view ShortName(std::string_view name) {
  const size_t end = name.find_last_of("./$");
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

std::string ClassPath(const Window& window, int widget) {
  std::vector<std::string> parts;
  for (int i = widget; i >= 0; i = window.widgets[static_cast<size_t>(i)].parent) {
    const Widget& w = window.widgets[static_cast<size_t>(i)];
    parts.push_back(fmt::format("{}[{}]", ShortName(w.class_name), w.index));
  }
  std::reverse(parts.begin(), parts.end());
  return fmt::format("{}", fmt::join(parts, "/"));
}

std::string Describe(const Screen& screen, WidgetRef ref) {
  const Widget& w = At(screen, ref);
  if (!OwnLabel(w).empty()) return Quoted(OwnLabel(w));
  // A row or card is known by the texts inside it.
  const std::vector<Widget>& all = screen.windows[static_cast<size_t>(ref.window)].widgets;
  std::vector<bool> inside(all.size());
  inside[static_cast<size_t>(ref.widget)] = true;
  std::string label;
  for (size_t i = static_cast<size_t>(ref.widget) + 1; i < all.size(); ++i) {
    if (all[i].parent < ref.widget) break;
    inside[i] = inside[static_cast<size_t>(all[i].parent)];
    if (inside[i] && label.empty()) label = OwnLabel(all[i]);
  }
  if (!label.empty()) return Quoted(label);
  if (!w.hint.empty()) return Quoted(w.hint);
  if (!w.resource_id.empty()) return std::string(ShortName(w.resource_id));
  return std::string(ShortName(w.class_name));
}

}  // namespace marmoset
