// Starts surveybridge as a person or systemd would. All its output is searched for private words
// (private_words.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/child_process.hpp"

namespace program {

using Arguments = std::vector<std::string>;

// The program with these arguments; the token is in its environment.
support::Program bridge_program(const Arguments& arguments, const Arguments& environment = {});

// Runs to the end. The output of `preview` may contain private words.
support::Finished bridge(const Arguments& arguments,
                         support::Deadline deadline = std::chrono::seconds(120));

// With `-c config` behind it.
support::Finished command(Arguments words, const std::string& config);

// The commands that --help lists.
Arguments commands_of_help();

// A running daemon (`surveybridge run`). Killed with the object.
class Daemon {
 public:
  explicit Daemon(const std::string& config, const Arguments& environment = {});
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  support::ChildProcess& child() { return child_; }
  // Waits for this text in the output.
  bool says(const std::string& text, support::Deadline deadline = std::chrono::seconds(30)) {
    return child_.wait_for(text, deadline);
  }
  // Waits until `holds`; false: a minute is over, or the daemon has ended.
  bool until(const std::function<bool()>& holds);
  // Sends SIGTERM; its exit status, empty if it did not end within the allowed ten seconds.
  std::optional<int> stop();

 private:
  support::ChildProcess child_;
};

}  // namespace program
