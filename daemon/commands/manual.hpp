// The commands as data, and the texts that are made of them: manual pages, and completions for
// bash, zsh and fish. The command line itself is the source, so they say what `--help` says. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/keys/setting.hpp"

namespace surveybridge::daemon {

struct OptionText {
  std::vector<std::string> names;  // "-c", "--config"; of a positional its name alone
  std::string meaning;
  std::vector<std::string> values;  // that it takes; empty: any
  bool takes_value = true;
  bool positional = false, required = false, repeated = false;
};

struct CommandText {
  std::string name, meaning;
  std::vector<OptionText> options;
};

struct ProgramText {
  std::string name, version, meaning;
  std::vector<CommandText> commands;
};

// In the form of man(7), without a date: the same program makes the same text.
std::string man_page(const ProgramText& program);
std::string man_page(const ProgramText& program, const CommandText& command);
std::string man_page(const ProgramText& program, const std::vector<config::Setting>& settings);

std::string bash_completion(const ProgramText& program);
std::string zsh_completion(const ProgramText& program);
std::string fish_completion(const ProgramText& program);

}  // namespace surveybridge::daemon
