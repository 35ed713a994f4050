#include "gui/crash.h"

#include <gtest/gtest.h>

namespace marmoset {
namespace {

constexpr char kNested[] =
    "java.lang.RuntimeException: Unable to start activity: x\n"
    "with a second line of message\n"
    "\tat android.app.ActivityThread.performLaunchActivity(ActivityThread.java:2416)\n"
    "\tSuppressed: java.io.IOException: no\n"
    "\t\tat com.example.Other.close(Other.java:3)\n"
    "Caused by: java.lang.NullPointerException\n"
    "\tat java.util.Objects.requireNonNull(Objects.java:203)\n"
    "\tat com.example.db.Adapter.open(Adapter.java:205)\n"
    "\tat com.example.Main.onCreate(Main.java:30)\n"
    "\t... 12 more\n";

TEST(Crash, ParsesTheChainOfCauses) {
  const auto chain = ParseStack(kNested);
  ASSERT_EQ(chain.size(), 2u);
  EXPECT_EQ(chain[0].exception, "java.lang.RuntimeException");
  EXPECT_EQ(chain[0].message, "Unable to start activity: x");
  EXPECT_EQ(chain[0].frames.size(), 1u);
  EXPECT_EQ(chain[1].exception, "java.lang.NullPointerException");
  EXPECT_EQ(chain[1].frames[1], (StackFrame{"com.example.db.Adapter.open", "Adapter.java", 205}));
}

TEST(Crash, TheSignatureIsRootExceptionAndFirstFrameOfTheApp) {
  const CrashSignature s = SignatureOf({CrashCause::kJava, "main", kNested});
  EXPECT_EQ(s.ToString(), "java.lang.NullPointerException at com.example.db.Adapter.open(Adapter.java:205)");
  EXPECT_EQ(ParseSignature(s.ToString()), s);
}

TEST(Crash, WithoutAFrameOfTheAppTheFirstFrameNamesIt) {
  const CrashSignature s = SignatureOf(
      {CrashCause::kJava, "main", "java.lang.IllegalStateException: x\n\tat android.app.A.b(A.java:1)\n"});
  EXPECT_EQ(s.frame, "android.app.A.b(A.java:1)");
}

TEST(Crash, TheMessageIsNoPartOfIt) {
  auto at = [](const char* message) {
    return SignatureOf(
        {CrashCause::kJava, "main", std::string("a.B: ") + message + "\n\tat c.D.e(D.java:1)"});
  };
  EXPECT_EQ(at("geo:1,2"), at("geo:3,4"));
}

TEST(Crash, AnExceptionWithoutFrameMatchesAny) {
  const CrashSignature found{"a.B", "c.D.e(D.java:1)"};
  EXPECT_TRUE(Matches(ParseSignature("a.B"), found));
  EXPECT_TRUE(Matches(ParseSignature("a.B at c.D.e(D.java:1)"), found));
  EXPECT_FALSE(Matches(ParseSignature("a.B at c.D.e(D.java:2)"), found));
  EXPECT_FALSE(Matches(ParseSignature("a.C"), found));
}

TEST(Crash, ALineOfThePlatformDoesNotMatter) {
  const CrashSignature found{"a.B", "android.app.Instrumentation.check(Instrumentation.java:2239)"};
  EXPECT_TRUE(Matches({"a.B", "android.app.Instrumentation.check(Instrumentation.java:1632)"}, found));
  EXPECT_FALSE(Matches({"a.B", "android.app.Instrumentation.start(Instrumentation.java:1632)"}, found));
  EXPECT_FALSE(Matches({"a.C", "android.app.Instrumentation.check(Instrumentation.java:1632)"}, found));
}

TEST(Crash, GarbageIsNoCrash) {
  EXPECT_TRUE(ParseStack("").empty());
  EXPECT_TRUE(ParseStack("no exception here\n\tat all").empty());
  EXPECT_EQ(SignatureOf({CrashCause::kAnr, "main", "x"}).exception, "ANR");
}

}  // namespace
}  // namespace marmoset
