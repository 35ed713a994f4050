// `marmoset report model RUN`: what a run learnt of an app, as a map.

#include "cli/verbs.h"
#include "report/model_page.h"

namespace marmoset::cli {
namespace {

struct Flags {
  std::string run;
  std::string out;
};

Result<VerbResult> RunModelReport(const Flags& flags) {
  MARMOSET_ASSIGN(const RunRecord record, RunRecord::Open(flags.run));
  MARMOSET_ASSIGN(const std::optional<std::string> package, record.Meta("package"));
  if (!package)
    return Fail(ErrorCode::kBadInput, "{}: the record does not say which app it is of: explore it again",
                flags.run);
  MARMOSET_ASSIGN(const std::unique_ptr<RunModel> run, ModelOfRun(record, *package));
  if (run->model.states().empty())
    return Fail(ErrorCode::kNothingToDo, "{}: the run has no steps", flags.run);
  const fs::path folder = flags.out.empty() ? record.folder() / "model" : fs::path(flags.out);
  MARMOSET_TRY(MakeWritableFolder(folder));
  MARMOSET_TRY(WriteModelPage(folder, *package, *run, record));
  VerbResult verb;
  verb.json = {{"states", run->model.states().size()},
               {"transitions", run->model.edges().size()},
               {"page", (folder / "index.html").string()},
               {"graph", (folder / "model.dot").string()}};
  verb.text = fmt::format("{} states, {} transitions\n{}\n{}\n", run->model.states().size(),
                          run->model.edges().size(), (folder / "index.html").string(),
                          (folder / "model.dot").string());
  return verb;
}

}  // namespace

void AddReport(CLI::App& root, Shared& shared, const RunVerb& run) {
  (void)shared;
  CLI::App* report = AddVerb(root, "report", "Show what a run found",
                             "  marmoset report model marmoset-out/explore-app\n"
                             "  dot -Tsvg marmoset-out/explore-app/model/model.dot > map.svg\n");
  report->require_subcommand(1);
  auto flags = std::make_shared<Flags>();
  CLI::App* verb =
      report->add_subcommand("model", "The app's states and how to get from one to another, as a page");
  verb->add_option("run", flags->run, "Folder of a run record")->required();
  verb->add_option("--out", flags->out, "Folder for the page (default: RUN/model)");
  verb->callback([flags, run] { run([=] { return RunModelReport(*flags); }); });
}

}  // namespace marmoset::cli
