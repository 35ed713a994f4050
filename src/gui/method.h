// A method of the app, as coverage counts it.

#pragma once

#include <string>

namespace marmoset {

struct AppMethod {
  std::string class_name;  // "com.example.Bar$Inner"
  std::string name;        // "baz", "<init>", "<clinit>"
  std::string descriptor;  // "(I)V"
  int line = 0;            // Where it begins; 0: not known.
  bool own = true;         // Of the app itself, not of a library that it brings along.

  friend bool operator==(const AppMethod&, const AppMethod&) = default;
};

}  // namespace marmoset
