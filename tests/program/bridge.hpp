// surveybridge, started from outside as a person or systemd would. Whatever it says is searched
// for what it must never say (discretion.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/child_process.hpp"

namespace program {

using Arguments = std::vector<std::string>;

// To be run with these arguments; the token is in its environment.
support::Program bridge_program(const Arguments& arguments, const Arguments& environment = {});

// Runs to the end. The output of `preview` is meant for one pair of eyes and may say all.
support::Finished bridge(const Arguments& arguments,
                         support::Deadline deadline = std::chrono::seconds(120));

// A daemon under way: `surveybridge run`. Dies with the object.
class Daemon {
 public:
  explicit Daemon(const std::string& config, const Arguments& environment = {});
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  support::ChildProcess& child() { return child_; }
  // Until it has said this.
  bool says(const std::string& text, support::Deadline deadline = std::chrono::seconds(30)) {
    return child_.wait_for(text, deadline);
  }
  // SIGTERM; its exit status, empty when it did not end within the ten seconds that it has.
  std::optional<int> stop();

 private:
  support::ChildProcess child_;
};

}  // namespace program
