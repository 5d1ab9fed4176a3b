#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/sections/description.hpp"
#include "daemon/commands/manual.hpp"

namespace surveybridge::daemon {

namespace {

// A text as troff shows it: a line must not begin with a control character.
std::string shown(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins = out.empty() || out.back() == '\n';
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string begin(const ProgramText& program, const std::string& page, int section,
                  const std::string& meaning) {
  return fmt::format(".TH {} {} \"\" \"{} {}\"\n.SH NAME\n{} \\- {}\n", upper(shown(page)), section,
                     program.name, shown(program.version), shown(page), shown(meaning));
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

std::string text_of(const OptionText& option) {
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

}  // namespace

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
    page += item(term_of(option), text_of(option));
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

}  // namespace surveybridge::daemon
