// The commands as data, and the texts that are made of them: manual pages, and completions for
// bash, zsh and fish. The command line itself is the source, so they say what `--help` says.
#pragma once

#include <string>
#include <vector>

#include "daemon/runtime/exit_code.hpp"

namespace surveybridge::daemon {

struct OptionText {
  std::vector<std::string> names;  // "-c", "--config"; of a positional its name alone
  std::string meaning;
  std::vector<std::string> values;  // that it takes; empty: any
  bool takes_value = true;
  bool positional = false, required = false, repeated = false;
};

struct Example {
  std::string typed, does;
};

struct CommandText {
  std::string name, meaning;
  std::vector<OptionText> options;
  std::vector<Example> examples;
};

struct ProgramText {
  std::string name, version, meaning;
  std::vector<CommandText> commands;
};

// Writes manual pages, which have no date, and completions into folders man1, man5, bash, zsh and
// fish of this folder, and surveybridge.schema.json (config_schema) beside them.
ExitCode write_manual(const ProgramText& program, const std::string& folder);

}  // namespace surveybridge::daemon
