#include "cli/verbs.h"

namespace marmoset::cli {

const std::vector<VerbEntry>& Verbs() {
  static const std::vector<VerbEntry> all = {
      {AddExplore}, {AddReplay}, {AddMinimize}, {AddReport}, {AddImport}, {AddExport},
      {AddApk},     {AddBench},  {AddDevices},  {AddDoctor}, {AddManual},
  };
  return all;
}

}  // namespace marmoset::cli
