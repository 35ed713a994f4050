#include "report/coverage.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

const AppMethod kMain{"app.Main", "run", "(I)V", 12, true};
const AppMethod kHelp{"app.Help", "<init>", "()V", 3, true};
const AppMethod kLibrary{"lib.Json", "parse", "(Ljava/lang/String;)V", 0, false};

TEST(Coverage, MethodsComeInTheOrderOfTheirEntryAndTheOthersLast) {
  EXPECT_EQ(MethodsText({{kMain, 1, 0}, {kLibrary, 7, 5}}, {kHelp, kMain, kLibrary}),
            "event\tstep\tpart\tclass\tmethod\tdescriptor\tline\n"
            "0\t1\tapp\tapp.Main\trun\t(I)V\t12\n"
            "5\t7\tlibrary\tlib.Json\tparse\t(Ljava/lang/String;)V\t0\n"
            "\t\tapp\tapp.Help\t<init>\t()V\t3\n");
}

TEST(Coverage, TheCurveHasOnePointForEachEventThatAdds) {
  EXPECT_EQ(CurveText({{kMain, 1, 0}, {kHelp, 2, 0}, {kLibrary, 7, 5}}),
            "event\tmethods\tapp_methods\n"
            "0\t2\t2\n"
            "5\t3\t2\n");
}

TEST(Coverage, ANameCannotBreakTheTable) {
  const std::string text = MethodsText({{{"a\tb", "c\nd", "()V", 1, true}, 1, 1}}, {});
  EXPECT_NE(text.find("\ta?b\tc?d\t()V\t"), std::string::npos) << text;
}

TEST(Coverage, BothFilesAreWritten) {
  const TemporaryFolder temporary = std::move(*TemporaryFolder::Make());
  const fs::path folder = temporary.path() / "coverage";
  ASSERT_TRUE(WriteCoverage(folder, {{kMain, 1, 0}}, {kMain, kHelp}));
  EXPECT_EQ(ReadFile(folder / "methods.tsv").value(), MethodsText({{kMain, 1, 0}}, {kMain, kHelp}));
  EXPECT_EQ(ReadFile(folder / "curve.tsv").value(), CurveText({{kMain, 1, 0}}));
}

}  // namespace
}  // namespace marmoset
