// The strategy `random`: a walk over widgets.

#pragma once

#include "explore/strategy.h"

namespace marmoset {

Result<std::unique_ptr<Strategy>> MakeRandomWalk(const StrategyOptions& options);

}  // namespace marmoset
