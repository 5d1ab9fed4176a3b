// The commands and options of the command line, as one description: parsing, --help, the manual
// pages and the completions are made from it.
#pragma once

#include <functional>
#include <vector>

#include <CLI/CLI.hpp>

#include "daemon/commands/commands.hpp"
#include "daemon/commands/manual.hpp"
#include "daemon/init/init.hpp"

namespace surveybridge::daemon {

struct CommandEntry {
  CLI::App* app;
  std::function<ExitCode(const Invocation&)> command;  // empty: `help`, which main() answers
  std::vector<Example> examples;                       // two
};

// Adds every command to `app`; parsing writes what was typed into `in`, or for `init` into `init`.
// All three outlive the entries.
std::vector<CommandEntry> describe(CLI::App& app, Invocation& in, InitOptions& init);

}  // namespace surveybridge::daemon
