// The strategy `ape`: learns a model of the app and goes where the model has gaps.
//
// Problem: random events spend most of their time where everything is known. A person would try what is new
// on this screen, then remember a screen with things left to try and go back there.
//
// Idea: after each step the model (model.h) is told what happened. The next action is the first answer of:
//   1. the plan in progress, a path of transitions that have proved reliable ("strong");
//   2. there and back: if the state that we came from is visited less than this one, a path back to it or to
//      a colder state on the way;
//   3. greedy: an action of this state that is not saturated, drawn by priority; on a screen much like the
//      one before only what is new on it or untried on both;
//   4. an untried action whose twin in another state of the activity is known to lead to work;
//   5. a shortest strong path to a state with untried actions;
//   6. a path to an activity that was visited seldom and is mostly untried;
//   7. BACK, if it is untried here, or a path of BACKs to a state with work;
//   8. an activity that was never seen is opened from outside; or the app is started anew, if from there a
//      strong path leads to a state with work; or an activity with work is opened from outside;
//   9. an action that was not yet done on such an occasion (below);
//  10. a walk: actions by kind, those more likely that were done seldom, and never on this very screen.
// In the paper 8 to 10 are one: epsilon-greedy, the least visited action, with probability epsilon one by
// priority. When nothing new comes for long, and every 100 to 300 steps, the app is started anew.
//
// Example: a list opens a detail screen of five buttons. All five are tried first (3). Then BACK (7) leads to
// the list, whose other rows are untried (3).
//
// Beyond the paper: an action that entered methods of the app for the first time is not saturated before it
// fails to; what never changes anything is left alone; what is typed fits the field,
// where its words tell what it is for (field_text.h), or is a text that was seen or that the app has among
// its resources; the system's question for a permission is answered by yes and by no; HOME, a death of the
// app's process in the background, and intents that any other app could send are in the mix; and when nothing
// new has come for a while, an activity that was never seen is opened by such an intent. The longer nothing
// new comes, the more often things happen that the model does not know: rotations, keys, deaths, intents.
//
// Occasions: a state tells what can be done, not how it came about. A date picker is the same whichever field
// has opened it, and a form the same after a rotation, but the code behind them is not. So where nothing else
// is left, an action is worth another try if it was never done in a window with this opener, or never in this
// activity since a rotation or a death of the process.
//
// Plans are made when the strategy is told what happened, without chance; chance comes in where the action
// is drawn. So an interrupted run can be gone on with exactly. Paper: Gu et al., ICSE 2019, section V (SATA);
// deviations are listed in docs/papers.md.

#pragma once

#include "explore/model.h"
#include "explore/strategy.h"

namespace marmoset {

struct ApeParameters {
  ModelParameters model;
  double epsilon = 0.05;
  bool use_methods = true;  // An action that entered new methods of the app last time is worth another visit.
  bool answers_questions = true;  // By yes and no, instead of treating them as screens of widgets.
  double system_rate = 0.01;      // HOME, process death, an intent from outside, a look at the notifications.
  int64_t jump_after = 20;        // Steps without news, until an activity is opened from outside.
  double fuzzing_rate = 0.02;     // A rotation or key that the model does not know.
  int64_t stale_after = 250;  // Each so many steps without news these two rates grow by themselves; 0: never.
  int64_t max_stale = 4;      // As often at most.
  bool knows_occasions = true;  // What was done is worth another try on another occasion.
  bool goes_elsewhere = true;   // Where nothing is left to do: by an intent from outside or a new start.
  int64_t return_after = 10;    // Steps since a start, until another for the sake of work.
  int64_t max_jumps = 3;        // To an activity that was seen, by one intent.
  bool walks = true;            // Where nothing is left to do; otherwise the least visited action.
  double type_rate = 0.8;       // Typing into a field instead of tapping it.
  double fitting_rate = 0.5;    // A text that fits the field, where its words tell what it is for.
  double known_rate = 0.3;      // Of these: one that was seen or is among the app's resources.
  double resource_rate = 0.2;   // Where nothing fits: a text of the app's resources.
  double formatted_rate = 0.5;  // A random number or date instead of a text that was seen.
  size_t max_texts = 2000;      // Texts that were seen.
  size_t max_text_length = 32;  // Bytes of one.
  int64_t inert_after = 4;    // Tries without any effect (of clicks, twice as many since the launch); 0: what
                              // changes nothing is not remembered.
  int64_t restart_min = 100;  // Steps between two starts: uniform over [min, max).
  int64_t restart_max = 300;
  int64_t restart_no_new_edge = 100;  // Steps without a new transition.
  int64_t restart_same_state = 50;    // Steps from a state to itself, in a row.
  size_t dialog_in_edges = 5;         // More lead to a state that is everywhere, like a dialog.
  size_t trivial_min_activities = 3;  // With so many or fewer no activity counts as trivial.
  size_t trivial_few_states = 5;      // Activities with fewer states are trivial up to the first rate.
  double trivial_rate_few = 0.8;      // Of actions that were visited.
  double trivial_rate_many = 0.5;
};

// Ours.
Result<std::unique_ptr<Strategy>> MakeApe(const StrategyOptions& options);
// Without what goes beyond the paper.
Result<std::unique_ptr<Strategy>> MakePublishedApe(const StrategyOptions& options);
std::unique_ptr<Strategy> MakeApeWith(const ApeParameters& parameters, const StrategyOptions& options);

}  // namespace marmoset
