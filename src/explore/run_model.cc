#include "explore/run_model.h"

#include "base/hash.h"

namespace marmoset {

std::optional<ConcreteAction> Interpret(const Step& step, const Screen& before,
                                        const std::vector<WidgetRef>& widgets) {
  if (const auto* key = std::get_if<PressKey>(&step.action)) {
    if (key->key == "BACK") return ConcreteAction{ActionKind::kBack, -1};
    if (key->key == "MENU") return ConcreteAction{ActionKind::kMenu, -1};
    return std::nullopt;
  }
  if (const auto* answer = std::get_if<AnswerPermission>(&step.action))
    return ConcreteAction{answer->allow ? ActionKind::kAllow : ActionKind::kDeny, -1};
  if (!step.selector) return std::nullopt;
  ActionKind kind = ActionKind::kClick;
  if (std::holds_alternative<LongTap>(step.action)) {
    kind = ActionKind::kLongClick;
  } else if (const auto* swipe = std::get_if<Swipe>(&step.action)) {
    if (swipe->from.x != swipe->to.x)
      kind = swipe->from.x > swipe->to.x ? ActionKind::kScrollRight : ActionKind::kScrollLeft;
    else
      kind = swipe->from.y > swipe->to.y ? ActionKind::kScrollDown : ActionKind::kScrollUp;
  } else if (!std::holds_alternative<Tap>(step.action) && !std::holds_alternative<TypeText>(step.action)) {
    return std::nullopt;
  }
  for (size_t i = 0; i < widgets.size(); ++i) {
    if (At(before, widgets[i]).bounds != step.selector->bounds) continue;
    const Window& window = before.windows[static_cast<size_t>(widgets[i].window)];
    if (ClassPath(window, widgets[i].widget) == step.selector->class_path)
      return ConcreteAction{kind, static_cast<int>(i)};
  }
  return std::nullopt;
}

Result<std::unique_ptr<RunModel>> ModelOfRun(const RunRecord& record, const std::string& package) {
  auto run = std::make_unique<RunModel>();
  Model& model = run->model;
  NameTable& names = model.namings().names();
  MARMOSET_ASSIGN(const int64_t last, record.LastEpisode());
  for (int64_t episode = 1; episode <= last; ++episode) {
    MARMOSET_ASSIGN(const std::vector<Step> steps, record.EpisodeSteps(episode));
    std::optional<TreeId> from;
    Screen before;
    std::vector<WidgetRef> widgets;  // Of the screen before.
    for (const Step& step : steps) {
      MARMOSET_ASSIGN(std::optional<Screen> after, record.ScreenByHash(step.screen_after));
      if (!after)
        return Fail(ErrorCode::kBadInput, "the run record lacks the screen {}", Hex64(step.screen_after));
      const bool inside = after->package == package && !after->windows.empty();
      std::vector<WidgetRef> widgets_after;
      const TreeId tree = model.namings().Add(inside ? names.MakeTree(*after, {}, &widgets_after) : Tree{});
      const bool launched = std::holds_alternative<Launch>(step.action);
      const std::optional<ConcreteAction> action =
          from && !launched ? Interpret(step, before, widgets) : std::nullopt;
      model.Add(tree, inside, action ? from : std::nullopt, action);
      run->screens[tree] = step.screen_after;
      if (action) run->labels[{*from, *action}] = Describe(step);
      from = inside ? std::optional(tree) : std::nullopt;
      before = std::move(*after);
      widgets = std::move(widgets_after);
    }
  }
  return run;
}

}  // namespace marmoset
