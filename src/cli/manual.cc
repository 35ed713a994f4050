// `marmoset man` and `marmoset completion`: the program described for man(1) and for a shell.

#include "cli/manual.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "cli/verbs.h"

namespace marmoset::cli {
namespace {

std::vector<const CLI::App*> VerbsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_name().empty(); });
}

// Text as man(1) must be given it: a backslash is a command to it, and so is a dot or quote that opens a
// line.
std::string Roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string NameWithValue(const CLI::Option& option) {
  std::string text = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  const std::string value = option.get_type_size() == 0 ? "" : option.get_type_name();
  if (!option.get_positional() && !value.empty()) text += " " + value;
  return text;
}

void WriteFlags(const CLI::App& app, std::string* page) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // Hidden.
    *page += fmt::format(".TP\n.B {}\n{}", Roff(NameWithValue(*option)), Roff(option->get_description()));
    if (!option->get_default_str().empty())
      *page += fmt::format(" (default: {})", Roff(option->get_default_str()));
    *page += "\n";
  }
}

void WriteVerb(const CLI::App& verb, const std::string& prefix, std::string* page) {
  const std::string name = prefix + verb.get_name();
  const std::vector<const CLI::App*> parts = VerbsOf(verb);
  *page += fmt::format(".SS {}\n{}.\n", Roff(name), Roff(verb.get_description()));
  WriteFlags(verb, page);
  if (const std::string footer = verb.get_footer(); !footer.empty())
    *page += fmt::format(".PP\n.nf\n{}\n.fi\n", Roff(footer));
  for (const CLI::App* part : parts) WriteVerb(*part, name + " ", page);
}

// The words that may follow `app` on a command line.
std::string WordsAfter(const CLI::App& app) {
  std::string words;
  for (const CLI::App* verb : VerbsOf(app)) words += verb->get_name() + " ";
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
  if (!words.empty()) words.pop_back();
  return words;
}

void WriteCases(const CLI::App& app, const std::string& prefix, std::string* script) {
  for (const CLI::App* verb : VerbsOf(app)) {
    const std::string name = prefix + verb->get_name();
    *script += fmt::format("    '{}') words='{}' ;;\n", name, WordsAfter(*verb));
    WriteCases(*verb, name + " ", script);
  }
}

}  // namespace

std::string ManPage(const CLI::App& root) {
  std::string page = fmt::format(
      ".TH MARMOSET 1 \"\" \"{}\"\n.SH NAME\nmarmoset \\- find crashes of Android apps through their GUI and "
      "shrink them to the steps that matter\n.SH SYNOPSIS\n.B marmoset\n[\\fIFLAG\\fR]... \\fIVERB\\fR "
      "[\\fIARGUMENT\\fR]...\n.SH DESCRIPTION\n{}\n.SH FLAGS\n",
      Roff(root.version()), Roff(root.get_description()));
  WriteFlags(root, &page);
  page += ".SH VERBS\n";
  for (const CLI::App* verb : VerbsOf(root)) WriteVerb(*verb, "", &page);
  page += ".SH EXIT STATUS\n" + Roff(root.get_footer()) + "\n";
  return page;
}

std::string BashCompletion(const CLI::App& root) {
  std::string cases;
  WriteCases(root, "", &cases);
  return fmt::format(R"(# bash completion for marmoset; load with:  source <(marmoset completion)
_marmoset() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} verb= words='{}' word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ $word == -* ]] && continue
    case "$verb${{verb:+ }}$word" in
{}    *) continue ;;
    esac
    verb="$verb${{verb:+ }}$word"
  done
  COMPREPLY=()
  [[ -z $verb || $current == -* || $words == [a-z]* ]] && mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  [[ -n $verb && $current != -* && $words != [a-z]* ]] && mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$current")
}}
complete -o filenames -F _marmoset marmoset
)",
                     WordsAfter(root), cases);
}

void AddManual(CLI::App& root, Shared&, const RunVerb& run) {
  const auto add = [&](const char* name, const char* description, const char* examples,
                       std::string (*write)(const CLI::App&)) {
    CLI::App* verb = AddVerb(root, name, description, examples);
    verb->callback([&root, run, write] {
      run([&root, write]() -> Result<VerbResult> {
        VerbResult result;
        result.text = write(root);
        result.json["text"] = result.text;
        return result;
      });
    });
  };
  add("man", "Print the man page", "  marmoset man | man -l -\n", &ManPage);
  add("completion", "Print the completion for Bash, and for zsh after `autoload bashcompinit; bashcompinit`",
      "  source <(marmoset completion)\n", &BashCompletion);
}

}  // namespace marmoset::cli
