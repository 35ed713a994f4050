// The strategy `monkey`: Android Monkey's events.

#pragma once

#include "explore/strategy.h"

namespace marmoset {

// kBadInput when the shares that are set exceed 100 per cent.
Result<std::unique_ptr<Strategy>> MakeMonkey(const StrategyOptions& options);

// The shares of all event types, summing up to 100: those not set get what is left, in proportion to Monkey's
// defaults, as in Monkey's own adjustment.
Result<MonkeyShares> CompleteShares(const MonkeyShares& shares);

}  // namespace marmoset
