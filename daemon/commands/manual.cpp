// `manual`: manual pages, and completions for bash, zsh and fish, into a folder for a package. Not
// in
// --help.
#include "daemon/commands/manual.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/sections/load.hpp"
#include "config/text.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/job/replaced.hpp"

namespace surveybridge::daemon {

namespace {

// A text as troff shows it: a line must not begin with a control character.
std::string shown(const std::string& text) {
  std::string out = "\n" + replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  for (const std::string sign : {".", "'"})
    out = replaced(std::move(out), "\n" + sign, "\n\\&" + sign);
  return out.substr(1);
}

std::string begin(const ProgramText& program, const std::string& page, int section,
                  const std::string& meaning) {
  return fmt::format(".TH {} {} \"\" \"{} {}\"\n.SH NAME\n{} \\- {}\n",
                     config::upper_case(shown(page)), section, program.name, shown(program.version),
                     shown(page), shown(meaning));
}

std::string item(const std::string& term, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", term, text);
}

std::string term_of(const OptionText& option) {
  std::vector<std::string> names;
  for (const auto& name : option.names)
    names.push_back("\\fB" + shown(name) + "\\fR");
  std::string term = fmt::format("{}", fmt::join(names, ", "));
  if (!option.positional && option.takes_value) term += " \\fIVALUE\\fR";
  return term;
}

std::string explained(const OptionText& option) {
  std::string text = shown(option.meaning);
  if (!option.values.empty())
    text += fmt::format(" (one of {})", shown(fmt::format("{}", fmt::join(option.values, ", "))));
  if (option.required) text += "; required";
  return text;
}

std::string usage_of(const ProgramText& program, const CommandText& command) {
  std::string usage =
      fmt::format("\\fB{} {}\\fR [\\fIOPTION\\fR]...", shown(program.name), shown(command.name));
  for (const auto& option : command.options) {
    if (!option.positional) continue;
    const std::string name = "\\fI" + shown(option.names.front()) + "\\fR";
    usage += option.required ? " " + name : " [" + name + "]";
    if (option.repeated) usage += "...";
  }
  return usage + "\n";
}

constexpr const char* kExit =
    ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\ndone, but something needs a person\n.TP\n2\nwrong "
    "usage\n.TP\n69\nservice or database not reachable\n.TP\n78\nwrong configuration\n";

std::string man_page(const ProgramText& program) {
  std::string page = begin(program, program.name, 1, program.meaning);
  page += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n",
                      shown(program.name));
  page += ".SH COMMANDS\n";
  for (const auto& command : program.commands)
    page += item("\\fB" + shown(command.name) + "\\fR", shown(command.meaning));
  page += kExit;
  page += ".SH FILES\n";
  page += item("\\fI/etc/surveybridge/surveybridge.toml\\fR", "the configuration");
  page += item("\\fI/etc/surveybridge/credentials\\fR",
               "its secrets: files that the group surveybridge may read");
  page += ".SH SEE ALSO\n\\fBsurveybridge.toml\\fR(5)";
  for (const auto& command : program.commands)
    page += fmt::format(",\n\\fB{}\\-{}\\fR(1)", shown(program.name), shown(command.name));
  return page + "\n";
}

std::string man_page(const ProgramText& program, const CommandText& command) {
  std::string page = begin(program, program.name + "-" + command.name, 1, command.meaning);
  page += ".SH SYNOPSIS\n" + usage_of(program, command);
  page += ".SH OPTIONS\n";
  for (const auto& option : command.options)
    page += item(term_of(option), explained(option));
  page += ".SH EXAMPLES\n";
  for (const auto& example : command.examples)
    page += item("\\fB" + shown(example.typed) + "\\fR", shown(example.does));
  return page + kExit + fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", shown(program.name));
}

std::string man_page(const ProgramText& program, const std::vector<config::Setting>& settings) {
  std::string page = begin(program, program.name + ".toml", 5, "configuration of surveybridge");
  page +=
      ".SH DESCRIPTION\nStrict TOML. Durations are texts (\"30s\", \"7d\"). A secret is never in "
      "the file: write { credential = \"name\" }, { file = \"/...\" } or { env = \"NAME\" }.\n";
  page += shown("`surveybridge check` reports every problem.") + "\n";
  std::string section;
  for (const auto& setting : settings) {
    if (setting.section != section)
      page += ".SH " + shown(config::heading_of(setting.section)) + "\n";
    section = setting.section;
    std::string text = shown(setting.meaning + ". Is " + setting.type);
    if (setting.required) text += "; required";
    if (!setting.standard.empty()) text += "; default " + shown(setting.standard);
    page += item("\\fB" + shown(setting.key) + "\\fR", text);
  }
  return page + ".SH SEE ALSO\n\\fBsurveybridge\\fR(1)\n";
}

std::string words_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// Within '…' of a shell.
std::string in_quotes(const std::string& text) {
  return replaced(text, "'", "'\\''");
}

std::vector<std::string> command_names(const ProgramText& program) {
  std::vector<std::string> names;
  for (const auto& command : program.commands)
    names.push_back(command.name);
  return names;
}

// What may follow a command: its options, and the values of its positionals.
std::vector<std::string> words_after(const CommandText& command) {
  std::vector<std::string> words;
  for (const auto& option : command.options) {
    const auto& more = option.positional ? option.values : option.names;
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

bool is_file(const OptionText& option) {
  return option.names.back() == "--config";
}

std::string bash_completion(const ProgramText& program) {
  std::string text = fmt::format("# bash completion of {}\n_{}() {{\n", program.name, program.name);
  text += "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n";
  text += "  case $before in\n    -c|--config) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n";
  text += "  esac\n";
  text += fmt::format(
      "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '{}' -- "
      "\"$word\"))\n    return\n  fi\n  case ${{COMP_WORDS[1]}} in\n",
      words_of(command_names(program)));
  for (const auto& command : program.commands)
    text += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", command.name,
                        in_quotes(words_of(words_after(command))));
  return text + fmt::format("  esac\n}}\ncomplete -F _{0} {0}\n", program.name);
}

std::string zsh_completion(const ProgramText& program) {
  std::string text = fmt::format("#compdef {0}\n_{0}() {{\n  local -a commands=(\n", program.name);
  for (const auto& command : program.commands)
    text += fmt::format("    '{}:{}'\n", command.name, in_quotes(command.meaning));
  text += "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n";
  text += "  [[ ${words[CURRENT-1]} == (-c|--config) ]] && { _files; return }\n";
  text += "  case ${words[2]} in\n";
  for (const auto& command : program.commands)
    text += fmt::format("    {}) compadd -- {} ;;\n", command.name, words_of(words_after(command)));
  return text + fmt::format("  esac\n}}\n_{} \"$@\"\n", program.name);
}

std::string fish_completion(const ProgramText& program) {
  std::string text = fmt::format("# fish completion of {}\n", program.name);
  for (const auto& command : program.commands) {
    text += fmt::format("complete -c {} -f -n __fish_use_subcommand -a {} -d '{}'\n", program.name,
                        command.name, in_quotes(command.meaning));
    const std::string after = fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'",
                                          program.name, command.name);
    for (const auto& option : command.options) {
      if (option.positional) {
        if (!option.values.empty())
          text += fmt::format("{} -a '{}'\n", after, words_of(option.values));
        continue;
      }
      std::string flags;
      for (const auto& name : option.names)
        flags += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) flags += is_file(option) ? " -r -F" : " -x";
      text += fmt::format("{}{} -d '{}'\n", after, flags, in_quotes(option.meaning));
    }
  }
  return text;
}

namespace fs = std::filesystem;

bool write_page(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream out(file);
  out << text;
  if (out.flush().good()) return true;
  report_error("cannot write " + file.string());
  return false;
}

}  // namespace

ExitCode write_manual(const ProgramText& program, const std::string& folder) {
  const fs::path root(folder);
  const std::string& name = program.name;
  bool written =
      write_page(root / (name + ".schema.json"), config_schema()) &&
      write_page(root / "man1" / (name + ".1"), man_page(program)) &&
      write_page(root / "man5" / (name + ".toml.5"), man_page(program, config::description())) &&
      write_page(root / "bash" / name, bash_completion(program)) &&
      write_page(root / "zsh" / ("_" + name), zsh_completion(program)) &&
      write_page(root / "fish" / (name + ".fish"), fish_completion(program));
  for (const auto& command : program.commands)
    written = written && write_page(root / "man1" / (name + "-" + command.name + ".1"),
                                    man_page(program, command));
  return written ? kDone : kNeedsPerson;
}

}  // namespace surveybridge::daemon
