// Folds single touch events (a finger goes down, moves, goes up) into what the person did: tap, long tap,
// swipe, pinch.
//
// Monkey logs and scripts hold the events; a trace holds the actions, since these can be aimed at a widget
// that has moved. Durations are guesses where the recording does not say when an event happened.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gui/action.h"

namespace marmoset {

class TouchFolder {
 public:
  enum class Kind { kDown, kMove, kUp, kCancel, kOtherDown, kOtherUp };  // "Other": a second finger.
  struct Finger {
    int index = 0;  // 0: the first finger; events of the third and further ones are not kept.
    Point at;
  };

  // One event, with the fingers that it tells of. Gives an action when it ends a gesture.
  std::optional<Action> Add(Kind kind, const std::vector<Finger>& fingers, int64_t at_ms);

  // True between a finger's going down and the end of the gesture.
  bool open() const { return open_; }

  // When the open gesture began.
  int64_t began_ms() const { return began_ms_; }

  // Forgets the open gesture.
  void Abandon() { open_ = false; }

 private:
  struct Path {
    bool seen = false;
    Point from;
    Point to;
  };
  Action Finished(int64_t at_ms) const;

  bool open_ = false;
  int64_t began_ms_ = 0;
  int moves_ = 0;
  Path paths_[2];
};

}  // namespace marmoset
