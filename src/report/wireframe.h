// A screen drawn from its tree alone, as SVG: boxes and texts, for runs without pictures.
//
// Pure function.

#pragma once

#include <string>

#include "gui/screen.h"

namespace marmoset {

// `width` in pixels of the page; the height follows.
std::string Wireframe(const Screen& screen, int width);

}  // namespace marmoset
