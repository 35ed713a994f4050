#include "reduce/oracle.h"

namespace marmoset {

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kReached:
      return "reached";
    case Verdict::kMissed:
      return "missed";
    case Verdict::kUnresolved:
      return "unresolved";
  }
  return "unresolved";
}

}  // namespace marmoset
