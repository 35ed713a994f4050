// What it costs to read an APK's code, and to put probes into it, beside the tools that people use for the
// same: Debian's dexdump and, where a Python with it is named, androguard. Each row is a process of its own,
// three times; the best time, its processor time and its peak memory count. Claims: on the 16 DEX files of
// uiautomator2-server, parsing within 0.5 s and twice the size of the code, probes within 2 s.
//
//     apk_bench APK [PYTHON]

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>

#include "apk/dex/listing.h"
#include "apk/dex/method_facts.h"
#include "apk/instrument.h"
#include "base/subprocess.h"

namespace marmoset::apk {
namespace {

constexpr double kMiB = 1 << 20;

struct Cost {
  double seconds = 1e9;
  double cpu = 0;
  double mib = 0;
};

// Runs `body` in a child; its time and peak memory.
Cost Measure(const std::function<bool()>& body) {
  Cost best;
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) _exit(body() ? 0 : 1);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (status != 0) return {-1, 0, 0};
    const auto of = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    if (seconds < best.seconds)
      best = {seconds, of(usage.ru_utime) + of(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
  }
  return best;
}

bool Exec(std::vector<std::string> argv) {
  std::vector<char*> arguments;
  for (std::string& one : argv) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, 1);
  dup2(null, 2);
  execvp(arguments[0], arguments.data());
  return false;
}

// Opens everything and looks at every instruction once.
bool Parse(const std::string& file) {
  const Result<Apk> app = Apk::Open(file);
  if (!app) return false;
  const Result<dex::DexSet> set = dex::DexSet::Open(*app);
  if (!set) return false;
  for (const dex::DexFile& dex : set->files) {
    for (uint32_t i = 0; i < dex.count(dex::kClassDefs); ++i) {
      const Result<dex::ClassData> data = dex.ReadClassData(dex.Class(i));
      if (!data) return false;
      for (const auto* methods : {&data->direct_methods, &data->virtual_methods}) {
        for (const dex::MethodMember& method : *methods) {
          if (method.code_off == 0) continue;
          const Result<dex::CodeView> code = dex.ReadCode(method.code_off);
          if (!code || !dex.CheckCode(*code) || !dex.ReadTries(*code)) return false;
        }
      }
    }
  }
  return true;
}

// Writes every instruction as text, as dexdump -d does.
bool List(const std::string& file) {
  const Result<Apk> app = Apk::Open(file);
  const Result<dex::DexSet> set = dex::DexSet::Open(*app);
  for (const dex::DexFile& dex : set->files) {
    for (uint32_t i = 0; i < dex.count(dex::kClassDefs); ++i) {
      const Result<dex::ClassData> data = dex.ReadClassData(dex.Class(i));
      for (const auto* methods : {&data->direct_methods, &data->virtual_methods}) {
        for (const dex::MethodMember& method : *methods) {
          if (!dex::DumpMethod(dex, method, app->resources())) return false;
        }
      }
    }
  }
  return true;
}

bool Facts(const std::string& file) {
  const Result<Apk> app = Apk::Open(file);
  const Result<dex::DexSet> set = dex::DexSet::Open(*app);
  return dex::CollectFacts(*set, app->resources()).has_value();
}

bool PutProbes(const std::string& file, bool blocks, bool whole) {
  const Result<Apk> app = Apk::Open(file);
  if (!whole)
    return dex::Instrument(*dex::DexSet::Open(*app), {.blocks = blocks, .packages = {}}).has_value();
  static const SigningKey key = SigningKey::Generate().value();
  return InstrumentApk(*app, {.blocks = blocks, .packages = {}}, key).has_value();
}

int Main(const std::string& file, const std::string& python) {
  uint64_t code_size = 0;
  const Result<Zip> zip = Zip::Open(file);
  if (!zip) {
    std::fprintf(stderr, "%s\n", zip.error().message().c_str());
    return 1;
  }
  for (const ZipEntry& entry : zip->entries()) code_size += entry.name.ends_with(".dex") ? entry.size : 0;
  std::printf("%s: %.1f MiB of code\n%-34s %9s %9s %9s %12s\n", file.c_str(),
              static_cast<double>(code_size) / kMiB, "", "seconds", "CPU", "MiB", "MiB / code");
  const auto row = [&](const char* name, const std::function<bool()>& body) {
    const Cost cost = Measure(body);
    if (cost.seconds < 0)
      std::printf("%-34s    failed\n", name);
    else
      std::printf("%-34s %9.3f %9.3f %9.1f %12.2f\n", name, cost.seconds, cost.cpu, cost.mib,
                  cost.mib * kMiB / static_cast<double>(code_size));
    std::fflush(stdout);
  };
  row("parse, every instruction", [&] { return Parse(file); });
  row("facts for a comparison", [&] { return Facts(file); });
  row("list every instruction", [&] { return List(file); });
  row("probes in methods, code alone", [&] { return PutProbes(file, false, false); });
  row("probes in blocks, code alone", [&] { return PutProbes(file, true, false); });
  row("probes in methods, packed, signed", [&] { return PutProbes(file, false, true); });
  row("probes in blocks, packed, signed", [&] { return PutProbes(file, true, true); });
  if (FindProgram("dexdump").empty()) {
    std::printf("dexdump is not installed\n");
  } else {
    row("dexdump", [&] { return Exec({"dexdump", file}); });
    row("dexdump -d", [&] { return Exec({"dexdump", "-d", file}); });
  }
  if (python.empty()) {
    std::printf("no Python with androguard was named\n");
  } else {
    row("androguard, DEX objects", [&] {
      return Exec({python, "-c",
                   "import sys\n"
                   "from loguru import logger; logger.remove()\n"
                   "from androguard.core.apk import APK\n"
                   "from androguard.core.dex import DEX\n"
                   "files = [DEX(d) for d in APK(sys.argv[1]).get_all_dex()]\n",
                   file});
    });
  }
  return 0;
}

}  // namespace
}  // namespace marmoset::apk

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "apk_bench APK [PYTHON]\n");
    return 2;
  }
  return marmoset::apk::Main(argv[1], argc > 2 ? argv[2] : "");
}
