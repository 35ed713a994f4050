// A device's display: what a trace must know to be replayed on another one.

#pragma once

namespace marmoset {

struct Display {
  int width = 1080;  // Pixels, in the natural orientation, bars included.
  int height = 1920;
  int density = 420;       // Dots per inch, Android's bucket or the exact value.
  int status_bar = 63;     // Pixels at the top that belong to the system.
  int navigation_bar = 0;  // Pixels at the bottom.
  friend bool operator==(const Display&, const Display&) = default;
};

}  // namespace marmoset
