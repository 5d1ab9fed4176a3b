#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/commands/manual.hpp"

namespace surveybridge::daemon {

namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// Within '…' of a shell.
std::string in_quotes(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::vector<std::string> commands_of(const ProgramText& program) {
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

}  // namespace

std::string bash_completion(const ProgramText& program) {
  std::string text = fmt::format("# bash completion of {}\n_{}() {{\n", program.name, program.name);
  text += "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n";
  text += "  case $before in\n    -c|--config) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n";
  text += "  esac\n";
  text += fmt::format(
      "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '{}' -- "
      "\"$word\"))\n    return\n  fi\n  case ${{COMP_WORDS[1]}} in\n",
      joined(commands_of(program)));
  for (const auto& command : program.commands)
    text += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", command.name,
                        in_quotes(joined(words_after(command))));
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
    text += fmt::format("    {}) compadd -- {} ;;\n", command.name, joined(words_after(command)));
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
          text += fmt::format("{} -a '{}'\n", after, joined(option.values));
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

}  // namespace surveybridge::daemon
