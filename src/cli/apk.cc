// `marmoset apk …`: what is in an app, what changed between two versions of it, and probes for its coverage.

#include <algorithm>

#include "apk/apk_info.h"
#include "apk/dex/dump.h"
#include "apk/diff.h"
#include "apk/instrument.h"
#include "apk/signature.h"
#include "apk/xml_text.h"
#include "cli/verbs.h"

namespace marmoset::cli {
namespace {

using apk::Apk;

std::string InfoText(const apk::ApkInfo& info, const dex::DexTotals& totals,
                     const std::vector<apk::Signer>& signers) {
  const apk::Manifest& m = info.manifest;
  std::string text =
      fmt::format("{}\n  {} {} ({}), SDK {} to {}\n  {} bytes, SHA-256 {}\n  launcher     {}\n", info.path,
                  m.package, m.version_name, m.version_code, m.min_sdk, m.target_sdk, info.size, info.sha256,
                  info.launcher.empty() ? "none: it has no icon to tap" : info.launcher);
  text += fmt::format("  components   {} activities, {} services, {} receivers, {} providers\n",
                      m.activities.size(), m.services.size(), m.receivers.size(), m.providers.size());
  text += fmt::format("  code         {} classes, {} methods ({} with code) in {} DEX {}\n", totals.classes,
                      totals.methods, totals.methods_with_code, info.dex_files.size(),
                      info.dex_files.size() == 1 ? "file" : "files");
  for (const apk::NativeLibrary& library : info.native_libraries)
    text += fmt::format("  native       {} {} ({} bytes)\n", library.abi, library.name, library.size);
  for (const apk::UsedPermission& permission : m.permissions)
    text += fmt::format("  permission   {}\n", permission.name);
  for (const apk::Activity& activity : m.activities) {
    text += fmt::format("  activity     {}{}{}\n", activity.name, activity.launcher ? " (launcher)" : "",
                        activity.exported ? " (exported)" : "");
  }
  for (const apk::Signer& signer : signers) {
    text += fmt::format("  signed       v{} {}{}\n", signer.scheme, signer.subject,
                        signer.intact ? "" : ": NOT INTACT, " + signer.problem);
  }
  if (signers.empty()) text += "  signed       by nobody\n";
  return text;
}

Result<VerbResult> RunInfo(const std::string& file) {
  MARMOSET_ASSIGN(const Apk app, Apk::Open(file));
  MARMOSET_ASSIGN(const apk::ApkInfo info, apk::ReadApkInfo(app));
  MARMOSET_ASSIGN(const dex::DexSet set, dex::DexSet::Open(app));
  MARMOSET_ASSIGN(const dex::DexTotals totals, dex::CountAll(set));
  const std::vector<apk::Signer> signers = apk::VerifySignatures(app.zip());
  VerbResult verb;
  verb.json = apk::ToJson(info);
  verb.json["classes"] = totals.classes;
  verb.json["methods"] = totals.methods;
  verb.json["methods_with_code"] = totals.methods_with_code;
  verb.json["signers"] = Json::array();
  for (const apk::Signer& signer : signers) {
    verb.json["signers"].push_back({{"scheme", signer.scheme},
                                    {"intact", signer.intact},
                                    {"problem", signer.problem},
                                    {"subject", signer.subject},
                                    {"certificate_sha256", signer.certificate_sha256}});
  }
  verb.text = InfoText(info, totals, signers);
  return verb;
}

Result<VerbResult> RunLs(const std::string& file) {
  MARMOSET_ASSIGN(const apk::Zip zip, apk::Zip::Open(file));
  VerbResult verb;
  verb.json["entries"] = Json::array();
  for (const apk::ZipEntry& entry : zip.entries()) {
    const std::string name = apk::Printable(entry.name);
    verb.text += fmt::format("{:>10} {:>10} {} {:#010x} {}\n", entry.size, entry.compressed_size,
                             entry.method == apk::kStored ? "stored  " : "deflated", entry.data_offset, name);
    verb.json["entries"].push_back({{"name", name},
                                    {"size", entry.size},
                                    {"compressed_size", entry.compressed_size},
                                    {"method", entry.method},
                                    {"crc32", entry.crc32},
                                    {"data_offset", entry.data_offset}});
  }
  return verb;
}

Result<VerbResult> RunCat(const std::string& file, const std::string& entry) {
  MARMOSET_ASSIGN(const Apk app, Apk::Open(file));
  MARMOSET_ASSIGN(const apk::Blob content, app.zip().Read(entry));
  VerbResult verb;
  // Compiled XML begins with its chunk's type and the size of that chunk's header.
  if (content.view().substr(0, 4) == std::string_view("\x03\0\x08\0", 4)) {
    Result<apk::XmlDocument> document = apk::XmlDocument::Parse(content.view());
    if (!document) return Fail(std::move(document.error()).Within(file + ": " + entry));
    MARMOSET_ASSIGN(verb.text, apk::XmlToText(*document, {app.resources(), false}));
  } else {
    verb.text = content.view();
  }
  verb.json["content"] = verb.text;
  return verb;
}

Result<VerbResult> RunDump(const std::string& file, const std::string& what) {
  MARMOSET_ASSIGN(const Apk app, Apk::Open(file));
  MARMOSET_ASSIGN(const dex::DexSet set, dex::DexSet::Open(app));
  VerbResult verb;
  MARMOSET_ASSIGN(verb.text, what.empty() ? dex::MethodTable(set) : dex::Dump(set, what, app.resources()));
  verb.json["text"] = verb.text;
  return verb;
}

struct DiffFlags {
  std::string before;
  std::string after;
  std::string level = "code";
  std::string method;
  apk::DiffOptions options;
  size_t limit = 20;
  size_t width = 160;
};

Result<VerbResult> RunDiff(const DiffFlags& flags) {
  MARMOSET_ASSIGN(const Apk before, Apk::Open(flags.before));
  MARMOSET_ASSIGN(const Apk after, Apk::Open(flags.after));
  VerbResult verb;
  if (!flags.method.empty()) {
    MARMOSET_ASSIGN(verb.text, apk::SideBySide(before, after, flags.method, flags.width));
    verb.json["text"] = verb.text;
    return verb;
  }
  apk::DiffOptions options = flags.options;
  MARMOSET_ASSIGN(options.level, apk::ParseDiffLevel(flags.level));
  MARMOSET_ASSIGN(const apk::ApkDiff diff, apk::DiffApks(before, after, options));
  verb.json = apk::ToJson(diff);
  verb.text = apk::DiffText(diff, flags.limit);
  verb.exit_code = diff.Same() ? kClean : kFindings;
  return verb;
}

struct InstrumentFlags {
  std::string input;
  std::string out;
  std::string table;
  std::string key = "marmoset-debug.pem";
  dex::ProbeOptions options;
};

Result<VerbResult> RunInstrument(const InstrumentFlags& flags) {
  MARMOSET_ASSIGN(const Apk app, Apk::Open(flags.input));
  MARMOSET_ASSIGN(const apk::SigningKey key, apk::SigningKey::LoadOrGenerate(flags.key));
  MARMOSET_ASSIGN(const apk::InstrumentedApk result, apk::InstrumentApk(app, flags.options, key));
  const std::string table = flags.table.empty() ? flags.out + ".probes.json" : flags.table;
  MARMOSET_TRY(WriteFile(flags.out, result.file));
  MARMOSET_TRY(WriteFile(table, apk::JsonText(dex::ProbeTable(result.dex)) + "\n"));
  const auto methods = std::count_if(result.dex.probes.begin(), result.dex.probes.end(),
                                     [](const dex::Probe& probe) { return probe.entry; });
  VerbResult verb;
  verb.json = {{"apk", flags.out},
               {"table", table},
               {"probes", result.dex.probes.size()},
               {"methods", methods},
               {"skipped", result.dex.skipped.size()},
               {"without_code", result.dex.without_code}};
  verb.text = fmt::format("{}: {} probes in {} methods, {} skipped, {} without code; table: {}\n", flags.out,
                          result.dex.probes.size(), methods, result.dex.skipped.size(),
                          result.dex.without_code, table);
  for (const dex::SkippedMethod& one : result.dex.skipped)
    verb.text += fmt::format("  skipped {}: {}\n", one.method, one.reason);
  return verb;
}

void AddDiff(CLI::App* parent, const RunVerb& run) {
  auto flags = std::make_shared<DiffFlags>();
  CLI::App* verb =
      parent->add_subcommand("diff", "What changed between two versions; exits with 1 if anything did");
  verb->add_option("old", flags->before, "The old APK")->required();
  verb->add_option("new", flags->after, "The new APK")->required();
  verb->add_option(
      "--level", flags->level,
      "What makes a method differ: exact (registers, lines too), code (operations, names, constants), "
      "opcode (as AppDiff)");
  verb->add_option("--package", flags->options.app_packages, "Packages that count as the app's own");
  verb->add_flag("--app-only", flags->options.app_only, "Leave out libraries");
  verb->add_flag("--noise", flags->options.noise, "List also what only the compiler changed");
  verb->add_option("--limit", flags->limit, "Lines per list, 0 for all");
  verb->add_option("--method", flags->method, "Show both versions of this method side by side");
  verb->add_option("--width", flags->width, "Columns for --method");
  verb->callback([=] { run([=] { return RunDiff(*flags); }); });
}

void AddInstrument(CLI::App* parent, const RunVerb& run) {
  auto flags = std::make_shared<InstrumentFlags>();
  CLI::App* verb = parent->add_subcommand("instrument", "Put a probe into every method, and sign the result");
  verb->add_option("apk", flags->input, "The APK")->required();
  verb->add_option("-o,--out", flags->out, "The APK to write")->required();
  verb->add_flag("--blocks", flags->options.blocks, "A probe in every basic block too");
  verb->add_option("--package", flags->options.packages, "Only classes in these packages (default: all)");
  verb->add_option("--key", flags->key, "PEM file with key and certificate; made if it is not there");
  verb->add_option("--table", flags->table,
                   "Where to write what each probe stands for (default: OUT.probes.json)");
  verb->callback([=] { run([=] { return RunInstrument(*flags); }); });
}

}  // namespace

void AddApk(CLI::App& root, Shared&, const RunVerb& run) {
  CLI::App* verb = AddVerb(root, "apk", "Look into an APK, compare two, or instrument one",
                           "  marmoset apk info app.apk\n"
                           "  marmoset apk cat app.apk res/layout/main.xml\n"
                           "  marmoset apk dump app.apk com.foo.Bar.baz\n"
                           "  marmoset apk diff old.apk new.apk\n"
                           "  marmoset apk instrument app.apk -o probed.apk\n");
  verb->require_subcommand(1);
  struct Arguments {
    std::string file;
    std::string what;
  };
  const auto add = [&](const char* name, const char* description, const char* what, auto body) {
    auto arguments = std::make_shared<Arguments>();
    CLI::App* one = verb->add_subcommand(name, description);
    one->add_option("apk", arguments->file, "The APK")->required();
    if (what != nullptr) one->add_option("what", arguments->what, what);
    one->callback([=] { run([=] { return body(*arguments); }); });
  };
  add("info", "Package, versions, components, code, signatures", nullptr,
      [](const Arguments& a) { return RunInfo(a.file); });
  add("ls", "The entries", nullptr, [](const Arguments& a) { return RunLs(a.file); });
  add("cat", "An entry; compiled XML as text", "The entry (default: AndroidManifest.xml)",
      [](const Arguments& a) { return RunCat(a.file, a.what.empty() ? "AndroidManifest.xml" : a.what); });
  add("dump", "The bytecode of a class or method, or a table of all methods",
      "com.foo.Bar, com.foo.Bar.baz or Lcom/foo/Bar;->baz(I)V (default: the table)",
      [](const Arguments& a) { return RunDump(a.file, a.what); });
  AddDiff(verb, run);
  AddInstrument(verb, run);
}

}  // namespace marmoset::cli
