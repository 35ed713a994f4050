// Mutants of real APKs: whatever is wrong with a file, every question about it ends in a value or an error.
//
//     apk_mutants COUNT SEED FIRST APK…
//
// A fuzz target sees one parser and small inputs; this sees the whole way of a file through the library, as
// `marmoset apk` goes it. Mutant number n is a function of (seed, n, the APKs), so that a run can be split by
// number and a finding repeated alone. A quarter are wrong in the bytes of the archive. The others are wrong
// in an entry's content, packed anew, since otherwise its checksum would stop nearly all.
//
// A mutant fails when it takes more than 20 seconds, or, in a build with the address sanitizer, whose hooks
// tell what is allocated, more than 64 MiB above its size. Both abort, with the mutant in the file
// `mutant.apk`.

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "apk/dex/method_facts.h"
#include "apk/diff.h"
#include "apk/instrument.h"
#include "apk/signature.h"
#include "apk/xml_text.h"
#include "apk/zip_writer.h"
#include "base/check.h"
#include "base/file.h"
#include "base/random.h"

#if defined(__SANITIZE_ADDRESS__)
// As in sanitizer/allocator_interface.h, which Debian's GCC comes without.
extern "C" size_t __sanitizer_get_allocated_size(const volatile void* memory);
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, size_t),
                                                         void (*on_free)(const volatile void*));
#endif

namespace marmoset::apk {
namespace {

constexpr int64_t kMaxMemory = int64_t{64} << 20;
constexpr unsigned kMaxSeconds = 20;

std::atomic<int64_t> g_live{0};
std::atomic<int64_t> g_peak{0};

#if defined(__SANITIZE_ADDRESS__)
void CountAllocation(const volatile void*, size_t size) {
  const int64_t live = g_live += static_cast<int64_t>(size);
  if (live > g_peak) g_peak = live;
}
void CountFree(const volatile void* memory) {
  g_live -= static_cast<int64_t>(__sanitizer_get_allocated_size(memory));
}
bool CountMemory() { return __sanitizer_install_malloc_and_free_hooks(CountAllocation, CountFree) != 0; }
#else
bool CountMemory() { return false; }
#endif

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void MutateBytes(Random* random, std::string* bytes) {
  static constexpr uint32_t kTelling[] = {0,      1,      0x7f,       0x80,       0xff,
                                          0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
  for (uint64_t changes = 1 + random->Below(random->Chance(0.5) ? 3 : 30); changes > 0 && !bytes->empty();
       --changes) {
    const size_t at = random->Below(bytes->size());
    switch (random->Below(6)) {
      case 0:
        (*bytes)[at] = static_cast<char>((*bytes)[at] ^ 1 << random->Below(8));
        break;
      case 1:
        (*bytes)[at] = static_cast<char>(random->Next());
        break;
      case 2: {  // An aligned number.
        const uint32_t value = kTelling[random->Below(std::size(kTelling))];
        const size_t size = size_t{1} << random->Below(3);
        const size_t from = at / size * size;
        bytes->replace(from, size, reinterpret_cast<const char*>(&value), size);
        break;
      }
      case 3: {  // A stretch from elsewhere.
        const size_t from = random->Below(bytes->size());
        const std::string stretch = bytes->substr(from, 1 + random->Below(64));
        bytes->replace(at, stretch.size(), stretch);
        break;
      }
      case 4:
        bytes->erase(at, 1 + random->Below(16));
        break;
      case 5:
        if (random->Chance(0.1)) bytes->resize(at);
        break;
    }
  }
}

struct Original {
  std::string bytes;
  Apk apk;
};

std::string Mutant(const Original& original, Random* random) {
  if (random->Chance(0.25)) {
    std::string bytes = original.bytes;
    MutateBytes(random, &bytes);
    return bytes;
  }
  const Zip& zip = original.apk.zip();
  // Code, resources and the manifest are worth more than the many pictures and layouts.
  size_t chosen = random->Below(zip.entries().size());
  std::vector<size_t> telling;
  for (size_t i = 0; i < zip.entries().size(); ++i) {
    const std::string_view name = zip.entries()[i].name;
    if (name.ends_with(".dex") || name.ends_with(".arsc") || name == "AndroidManifest.xml")
      telling.push_back(i);
  }
  if (!telling.empty() && random->Chance(0.85)) chosen = telling[random->Below(telling.size())];
  ZipWriter writer;
  for (size_t i = 0; i < zip.entries().size(); ++i) {
    const ZipEntry& entry = zip.entries()[i];
    const Result<Blob> content = i == chosen ? zip.Read(entry) : Result<Blob>(Blob());
    if (i != chosen || !content) {
      writer.AddRaw(zip, entry);
      continue;
    }
    std::string changed(content->view());
    MutateBytes(random, &changed);
    writer.AddStored(entry.name, changed);
  }
  return writer.Finish().value().Join();
}

// Asks everything; returns how many questions had an answer.
int AskEverything(const std::string& bytes, const Apk& original, const SigningKey& key) {
  int answers = 0;
  const auto count = [&answers](const auto& result) { answers += static_cast<bool>(result) ? 1 : 0; };
  const Result<Apk> app = Apk::Parse(Blob(nullptr, bytes), "mutant");
  if (!app) return 0;
  ++answers;
  count(ReadApkInfo(*app));
  count(ManifestAsText(*app));
  (void)VerifySignatures(app->zip());
  for (const ZipEntry& entry : app->zip().entries()) {
    const Result<Blob> content = app->zip().Read(entry);
    if (!content || !entry.name.ends_with(".xml")) continue;
    if (const auto document = XmlDocument::Parse(content->view()))
      (void)XmlToText(*document, {app->resources(), false});
  }
  const Result<dex::DexSet> set = dex::DexSet::Open(*app);
  count(set);
  if (set) {
    count(dex::CountAll(*set));
    for (const dex::DexFile& dex : set->files) {
      if (dex.count(dex::kClassDefs) == 0) continue;
      count(dex::Dump(*set, dex.Type(dex.Class(0).type), app->resources()));
    }
  }
  DiffOptions options;
  options.level = DiffLevel::kExact;
  if (const auto diff = DiffApks(original, *app, options)) {
    ++answers;
    (void)DiffText(*diff, 20);
    (void)JsonText(ToJson(*diff));
  }
  if (const auto probed = InstrumentApk(*app, {.blocks = true, .packages = {}}, key)) {
    ++answers;
    // What we wrote we must be able to read.
    const auto again = Apk::Parse(Blob(nullptr, probed->file), "instrumented");
    MARMOSET_CHECK(again);
    const auto code = dex::DexSet::Open(*again);
    MARMOSET_CHECK(code && dex::CountAll(*code));
  }
  return answers;
}

// The mutant at work, for the one who looks into a hang.
const std::string* g_mutant = nullptr;
uint64_t g_number = 0;

void Keep(const char* why) {
  std::fprintf(stderr, "mutant %llu: %s; it is in mutant.apk\n", static_cast<unsigned long long>(g_number),
               why);
  std::ofstream("mutant.apk", std::ios::binary)
      .write(g_mutant->data(), static_cast<std::streamsize>(g_mutant->size()));
}

void OnSignal(int signal) {
  Keep(signal == SIGXCPU || signal == SIGALRM ? "it takes too long" : "it crashes");
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

int Run(uint64_t count, uint64_t seed, uint64_t first, const std::vector<std::string>& files) {
  std::vector<Original> originals;
  for (const std::string& file : files) {
    std::string bytes = ReadFile(file).value();
    Apk apk = Apk::Parse(Blob::Own(bytes), file).value();
    originals.push_back({std::move(bytes), std::move(apk)});
  }
  const SigningKey key = SigningKey::Generate().value();
  const bool memory = CountMemory();
  std::signal(SIGALRM, OnSignal);
  std::signal(SIGABRT, OnSignal);
  int64_t most_memory = 0;
  double slowest = 0;
  uint64_t opened = 0, answers = 0;
  const double start = CpuSeconds();
  for (uint64_t number = first; number < first + count; ++number) {
    // Far apart, so that neighbours have nothing in common.
    Random random(seed * 0x9e3779b97f4a7c15 + number);
    const Original& original = originals[random.Below(originals.size())];
    const std::string mutant = Mutant(original, &random);
    g_mutant = &mutant;
    g_number = number;
    const int64_t before = g_live;
    g_peak = before;
    const double from = CpuSeconds();
    alarm(60 * kMaxSeconds);  // A machine may be busy; what counts is the processor's time, below.
    const int answered = AskEverything(mutant, original.apk, key);
    alarm(0);
    opened += answered > 0;
    answers += static_cast<uint64_t>(answered);
    slowest = std::max(slowest, CpuSeconds() - from);
    const int64_t above = g_peak - before - static_cast<int64_t>(mutant.size());
    most_memory = std::max(most_memory, above);
    if (CpuSeconds() - from > kMaxSeconds) Keep("it takes too long");
    if (above > kMaxMemory) Keep("it takes too much memory");
    if (above > kMaxMemory || CpuSeconds() - from > kMaxSeconds) return 1;
    if ((number - first + 1) % 1000 == 0 || number + 1 == first + count) {
      std::printf(
          "%llu mutants, %llu opened, %llu answers, %.0f s, slowest %.2f s, most memory above the file %s\n",
          static_cast<unsigned long long>(number - first + 1), static_cast<unsigned long long>(opened),
          static_cast<unsigned long long>(answers), CpuSeconds() - start, slowest,
          memory ? fmt::format("{:.1f} MiB", static_cast<double>(most_memory) / (1 << 20)).c_str()
                 : "not measured");
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace marmoset::apk

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "apk_mutants COUNT SEED FIRST APK...\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  return marmoset::apk::Run(number(1), number(2), number(3), {argv + 4, argv + argc});
}
