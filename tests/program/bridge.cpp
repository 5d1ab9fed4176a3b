#include "tests/program/bridge.hpp"

#include <cctype>
#include <sstream>

#include "tests/program/private_words.hpp"
#include "tests/support/paths.hpp"

namespace program {

support::Program bridge_program(const Arguments& arguments, const Arguments& environment) {
  support::Program program{{support::bin_dir() + "/surveybridge"}, environment};
  program.argv.insert(program.argv.end(), arguments.begin(), arguments.end());
  program.environment.push_back(std::string("BRIDGE_TOKEN=") + kToken);
  return program;
}

support::Finished bridge(const Arguments& arguments, support::Deadline deadline) {
  support::Finished finished = run(bridge_program(arguments), deadline);
  expect_no_private_words(finished.err);
  const bool shows_people =
      !arguments.empty() && (arguments.front() == "preview" || arguments.front() == "export");
  if (!shows_people) expect_no_private_words(finished.out);
  return finished;
}

support::Finished command(Arguments words, const std::string& config) {
  words.insert(words.end(), {"-c", config});
  return bridge(words);
}

Arguments commands_of_help() {
  Arguments commands;
  std::istringstream lines(bridge({"--help"}).out);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ") && line.size() > 2 && std::islower(line[2]) != 0)
      commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  return commands;
}

Daemon::Daemon(const std::string& config, const Arguments& environment)
    : child_(bridge_program({"run", "-c", config}, environment)) {}

Daemon::~Daemon() {
  child_.signal(SIGKILL);
  child_.wait(std::chrono::seconds(10));
  expect_no_private_words(child_.out() + child_.err());
}

bool Daemon::until(const std::function<bool()>& holds) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{1};
       std::chrono::steady_clock::now() < end;) {
    if (holds()) return true;
    if (child_.wait(std::chrono::milliseconds{20})) return false;
  }
  return false;
}

std::optional<int> Daemon::stop() {
  child_.signal(SIGTERM);
  return child_.wait(std::chrono::seconds(10));
}

}  // namespace program
