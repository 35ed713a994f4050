// Any bytes: read as a policy table; what is read must survive being saved, and its policy must keep to the
// rule.

#include "base/check.h"
#include "schedule/mdp.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset;
  Result<Mdp> mdp = Mdp::Load({reinterpret_cast<const char*>(data), size});
  if (!mdp) return 0;
  const std::string bytes = mdp->Save();
  const Result<Mdp> again = Mdp::Load(bytes);
  MARMOSET_CHECK(again.has_value() && again->Save() == bytes);
  const std::vector<Counts> fresh(mdp->candidates());
  const std::optional<Schedule> schedule = mdp->Best(fresh, mdp->devices());
  if (!schedule) return 0;
  const Acceptance rule(mdp->rule());
  for (const uint32_t replays : *schedule) MARMOSET_CHECK(replays <= rule.Left({}));
  return 0;
}
