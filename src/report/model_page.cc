#include "report/model_page.h"

#include <algorithm>
#include <map>

#include "report/wireframe.h"
#include "report/xml.h"

namespace marmoset {
namespace {

constexpr int kPictureWidth = 180;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8885; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; overflow-wrap: anywhere; margin-top: 2.5rem; }
.states { display: flex; flex-wrap: wrap; gap: 1.2rem; }
section { border: 1px solid var(--line); border-radius: 8px; padding: .7rem; width: 26rem; display: flex; gap: .8rem; }
section:target { outline: 3px solid #d6336c; }
section img, section svg { width: 180px; flex: none; border: 1px solid var(--line); height: auto; align-self: start; }
h3 { margin: 0 0 .3rem; font-size: 1rem; } small { color: gray; }
ul { margin: 0; padding-left: 1.1rem; overflow-wrap: anywhere; }
.weak { opacity: .6; }
)";

class Page {
 public:
  Page(const std::string& title, const RunModel& run, const RunRecord& record)
      : title_(title), run_(run), model_(run.model), record_(record), groups_(ByActivity()) {}

  Result<std::string> Html(const fs::path& folder) {
    const auto actions = [&](bool tried) {
      int64_t count = 0;
      for (const State& state : model_.states())
        for (const ModelAction& action : state.actions) count += !tried || action.visits > 0;
      return count;
    };
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n<h1>{0}</h1>\n"
        "<p>{2} states of {3} activities, {4} transitions, {5} of {6} actions tried. Dim: the action led "
        "elsewhere, too.</p>\n",
        XmlEscaped(title_), kStyle, model_.states().size(), groups_.size(), model_.edges().size(),
        actions(true), actions(false));
    for (const auto& [activity, states, visits] : groups_) {
      html += fmt::format("<h2>{}</h2>\n<div class=\"states\">\n", XmlEscaped(NameOf(activity)));
      for (const StateId id : states) {
        MARMOSET_ASSIGN(const std::string card, Card(id, folder));
        html += card;
      }
      html += "</div>\n";
    }
    return html;
  }

  std::string Dot() const {
    std::string dot = "digraph model {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n";
    for (const auto& [activity, states, visits] : groups_) {
      dot += fmt::format("  subgraph \"cluster_{0}\" {{\n    label=\"{0}\";\n", Quoted(NameOf(activity)));
      for (const StateId id : states)
        dot += fmt::format("    s{} [label=\"{}\\n{} visits\"];\n", id, id + 1, model_.state(id).visits);
      dot += "  }\n";
    }
    for (const Edge& edge : model_.edges())
      dot += fmt::format("  s{} -> s{} [label=\"{}\"{}];\n", edge.from, edge.to, Quoted(LabelOf(edge)),
                         IsSole(edge) ? "" : ", style=dashed");
    return dot + "}\n";
  }

 private:
  struct Group {
    std::string activity;
    std::vector<StateId> states;
    int64_t visits = 0;
  };

  // The most visited first; what is outside the app last.
  std::vector<Group> ByActivity() const {
    std::map<std::string, Group> groups;
    for (size_t id = 0; id < model_.states().size(); ++id) {
      const State& state = model_.states()[id];
      Group& group = groups[state.activity];
      group.activity = state.activity;
      group.states.push_back(static_cast<StateId>(id));
      group.visits += state.visits;
    }
    std::vector<Group> sorted;
    for (auto& [activity, group] : groups) {
      std::stable_sort(group.states.begin(), group.states.end(),
                       [&](StateId a, StateId b) { return model_.state(a).visits > model_.state(b).visits; });
      sorted.push_back(std::move(group));
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Group& a, const Group& b) {
      return std::pair(a.activity.empty(), -a.visits) < std::pair(b.activity.empty(), -b.visits);
    });
    return sorted;
  }

  static std::string NameOf(const std::string& activity) {
    return activity.empty() ? "outside the app" : std::string(ShortName(activity));
  }

  static std::string Quoted(const std::string& text) {
    std::string safe;
    for (const char c : text) {
      if (c == '"' || c == '\\') safe += '\\';
      safe += c;
    }
    return safe;
  }

  // Whether its action never led elsewhere.
  bool IsSole(const Edge& edge) const {
    return model_.state(edge.from).actions[edge.action].edges.size() == 1;
  }

  // What a person would call the transition.
  std::string LabelOf(const Edge& edge) const {
    for (auto record = edge.records.rbegin(); record != edge.records.rend(); ++record) {
      const Model::Record& r = model_.record(*record);
      if (const auto label = run_.labels.find({r.from, r.action}); label != run_.labels.end())
        return label->second;
    }
    return std::string(ActionKindName(model_.state(edge.from).actions[edge.action].kind));
  }

  Result<std::string> Picture(const State& state, const fs::path& folder) const {
    std::optional<Screen> newest;
    for (auto tree = state.trees.rbegin(); tree != state.trees.rend(); ++tree) {
      const auto hash = run_.screens.find(*tree);
      if (hash == run_.screens.end()) continue;
      MARMOSET_ASSIGN(std::optional<Screen> screen, record_.ScreenByHash(hash->second));
      if (!screen) continue;
      const fs::path picture = record_.folder() / PictureOf(*screen);
      if (fs::exists(picture))
        return fmt::format("<img alt=\"\" src=\"{}\">", XmlEscaped(fs::proximate(picture, folder).string()));
      if (!newest) newest = std::move(screen);
    }
    return newest ? Wireframe(*newest, kPictureWidth) : "";
  }

  Result<std::string> Card(StateId id, const fs::path& folder) const {
    const State& state = model_.state(id);
    MARMOSET_ASSIGN(const std::string picture, Picture(state, folder));
    size_t untried = 0;
    std::string list;
    for (const ModelAction& action : state.actions) {
      untried += action.visits == 0;
      for (const EdgeId e : action.edges) {
        const Edge& edge = model_.edge(e);
        list += fmt::format("<li{}>{} → {}", IsSole(edge) ? "" : " class=\"weak\"", XmlEscaped(LabelOf(edge)),
                            edge.to == id ? "here" : fmt::format("<a href=\"#s{0}\">{0}</a>", edge.to + 1));
        if (edge.hits > 1) list += fmt::format(" <small>×{}</small>", edge.hits);
        list += "</li>\n";
      }
    }
    return fmt::format(
        "<section id=\"s{0}\">{1}<div><h3>State {0}</h3><small>{2} visits, {3} screens, {4} actions not "
        "tried</small><ul>\n{5}</ul></div></section>\n",
        id + 1, picture, state.visits, state.trees.size(), untried, list);
  }

  const std::string& title_;
  const RunModel& run_;
  const Model& model_;
  const RunRecord& record_;
  const std::vector<Group> groups_;
};

}  // namespace

Status WriteModelPage(const fs::path& folder, const std::string& title, const RunModel& run,
                      const RunRecord& record) {
  Page page(title, run, record);
  MARMOSET_ASSIGN(const std::string html, page.Html(folder));
  MARMOSET_TRY(WriteFile(folder / "index.html", html));
  return WriteFile(folder / "model.dot", page.Dot());
}

}  // namespace marmoset
