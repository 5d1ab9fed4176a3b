// What `check` has found, told at once.
#pragma once

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "config/problem.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/service/api.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

// Collects what is wrong; the worst kind decides the exit code.
class Findings {
 public:
  void wrong(const std::string& text) { add(text, kConfiguration); }
  void unreachable(const std::string& text) { add(text, kUnreachable); }
  // `whose`: what is in front of the error's own words.
  void database(const std::string& whose, const crm::DatabaseError& error) {
    const bool later = exit_code_of(error) == kUnreachable;
    add(whose + error.what(), later ? kUnreachable : kConfiguration);
    is_locked_ = is_locked_ || error.kind == crm::DatabaseError::Kind::busy;
  }
  bool is_locked() const { return is_locked_; }  // another session holds a lock
  void trouble(const std::string& what, const service::Trouble& trouble) {
    const bool ours = !is_temporary(fault_of(trouble.kind));
    add(what + ": " + to_string(trouble.kind) + ": " + trouble.detail,
        ours ? kConfiguration : kUnreachable);
  }
  // Nothing is wrong, and still somebody should know.
  void note(const std::string& text) { std::cerr << "note: " << one_line(text) << "\n"; }
  void problems(const std::vector<config::Problem>& problems) {
    for (const auto& problem : problems)
      wrong(to_string(problem));
  }
  ExitCode code() const { return code_; }
  const std::vector<std::string>& told() const { return told_; }

 private:
  void add(const std::string& text, ExitCode code) {
    told_.push_back(one_line(text));
    std::cerr << told_.back() << "\n";
    code_ = std::max(code_, code);
  }
  ExitCode code_ = kDone;
  bool is_locked_ = false;
  std::vector<std::string> told_;
};

}  // namespace surveybridge::daemon
