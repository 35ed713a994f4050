// The man page and the shell completion, made from the program's own flags so that they cannot lag behind.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace marmoset::cli {

// A page for man(1), in its macro language: every verb with its flags and examples, and the exit status.
std::string ManPage(const CLI::App& root);

// A completion for Bash (and for zsh with bashcompinit): verbs, then the flags of the verb, then files.
std::string BashCompletion(const CLI::App& root);

}  // namespace marmoset::cli
