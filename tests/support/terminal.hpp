// A program run on a terminal, as a person does. What it shows is collected; it dies with the
// object. No function waits longer than its deadline.
#pragma once

#include <optional>
#include <string>

#include "tests/support/child_process.hpp"

namespace support {

class Terminal {
 public:
  explicit Terminal(const Program& program);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Waits until `text` is shown, after what earlier waits have found; false if the program ended
  // or took too long.
  bool wait_for(const std::string& text, Deadline deadline = std::chrono::seconds(20));
  void type(const std::string& text) const;
  void type_line(const std::string& text) const { type(text + "\n"); }
  // Its exit status, or 128 plus the signal that ended it; empty if the deadline came first.
  std::optional<int> wait(Deadline deadline = std::chrono::seconds(20));
  const std::string& shown() const { return shown_; }
  // Does the terminal show what is typed?
  bool echoes() const;

 private:
  // False: nothing more will be shown, or the time is over.
  bool collect(std::chrono::steady_clock::time_point until);

  pid_t pid_ = -1;
  int screen_ = -1;
  std::string shown_;
  std::size_t found_ = 0;
};

}  // namespace support
