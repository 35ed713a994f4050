#include "cli/manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/verbs.h"

namespace marmoset::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ManualTest : public ::testing::Test {
 protected:
  ManualTest() {
    for (const VerbEntry& verb : Verbs()) verb.add(root_, shared_, [](VerbBody) {});
  }
  CLI::App root_{"What it is."};
  Shared shared_;
};

TEST_F(ManualTest, TheManPageNamesEveryVerbAndFlag) {
  const std::string page = ManPage(root_);
  for (const CLI::App* verb : root_.get_subcommands([](const CLI::App*) { return true; }))
    EXPECT_THAT(page, HasSubstr(".SS " + verb->get_name() + "\n"));
  EXPECT_THAT(page, HasSubstr(".SS apk diff\n"));
  EXPECT_THAT(page, HasSubstr("\\-\\-stop\\-on\\-crash"));
  // A minus that is none of man's would be shown as a hyphen, which cannot be pasted into a shell.
  EXPECT_THAT(page, Not(HasSubstr(" --")));
}

TEST_F(ManualTest, NoLineOfTextIsTakenForACommand) {
  CLI::App root("Help.\n.TH is no command here, nor is\n'this, nor \\fB.");
  const std::string page = ManPage(root);
  EXPECT_THAT(page, HasSubstr("\n\\&.TH is no command here"));
  EXPECT_THAT(page, HasSubstr("\n\\&'this, nor \\efB."));
}

TEST_F(ManualTest, CompletionKnowsTheVerbsOfVerbs) {
  const std::string script = BashCompletion(root_);
  EXPECT_THAT(script, HasSubstr("'apk') words='info ls"));
  EXPECT_THAT(script, HasSubstr("'apk diff') words='"));
  EXPECT_THAT(script, HasSubstr("--stop-on-crash"));
}

}  // namespace
}  // namespace marmoset::cli
