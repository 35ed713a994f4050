// Crashes as values: what ended the app, and the signature by which two crashes count as the same.
//
// The signature is the root exception's class and the first frame of the app below it, with its line:
// messages hold volatile data (coordinates, ids), and the frames of the framework differ between Android
// versions.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace marmoset {

enum class CrashCause { kJava, kAnr, kNative };
std::string_view CrashCauseName(CrashCause cause);

// As a device reports it.
struct Crash {
  CrashCause cause = CrashCause::kJava;
  std::string thread;
  std::string stack;  // As Android's log prints it: "java.lang.X: message\n\tat …\nCaused by: …".
  friend bool operator==(const Crash&, const Crash&) = default;
};

struct StackFrame {
  std::string method;  // "com.example.Main.onClick"
  std::string file;    // "Main.java", or empty.
  int line = 0;        // 0: not known.
  friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

struct ThrowableText {
  std::string exception;  // Class name.
  std::string message;
  std::vector<StackFrame> frames;
};

// The chain of causes in a stack trace, outermost first; the last is the root. Lines that are not understood
// are skipped. Empty when there is no exception in the text.
std::vector<ThrowableText> ParseStack(std::string_view stack);

struct CrashSignature {
  std::string
      exception;  // Of the root cause: "java.lang.ArithmeticException"; "ANR"; the signal of a native crash.
  std::string frame;  // "com.example.SplitBill.AddPerson(SplitBill.java:101)", or the first frame where the
                      // app has none.

  // "java.lang.ArithmeticException at com.example.SplitBill.AddPerson(SplitBill.java:101)".
  std::string ToString() const;
  friend bool operator==(const CrashSignature&, const CrashSignature&) = default;
  friend auto operator<=>(const CrashSignature&, const CrashSignature&) = default;
};

// True for methods of Android, Java, Kotlin and the support libraries: everything that no app calls its own.
bool IsPlatformMethod(std::string_view method);

CrashSignature SignatureOf(const Crash& crash);

// Reads ToString() back. A text without " at " is an exception with any frame.
CrashSignature ParseSignature(std::string_view text);

// True when `found` is the wanted crash: equal exceptions, and equal frames where `wanted` names one. Of a
// frame of the platform, which stands where the app has none, the method is enough: its lines differ between
// versions of Android.
bool Matches(const CrashSignature& wanted, const CrashSignature& found);

}  // namespace marmoset
