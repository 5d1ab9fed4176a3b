// A program run by a test: its output is collected, it can be signalled and waited for, and it
// dies with the object, and with the test program whatever happens to that. Belongs to the thread
// that made it. No function here waits longer than its deadline.
#pragma once

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace support {

using Deadline = std::chrono::milliseconds;

struct Program {
  std::vector<std::string> argv;         // argv[0] is a path, or a name to be found in PATH
  std::vector<std::string> environment;  // "NAME=value", added to the test's own
  std::string user = {};                 // who runs it; empty: who runs the test
  int dies_by = SIGKILL;                 // the signal it gets when the test program dies
};

class ChildProcess {
 public:
  // Throws std::runtime_error when there is no such program.
  explicit ChildProcess(const Program& program);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  // Its exit status, or 128 and the signal that ended it; empty when the deadline came first.
  std::optional<int> wait(Deadline deadline);
  // Until `text` has been written to one of the two streams; false when it ended or took too long.
  bool wait_for(const std::string& text, Deadline deadline);

  // What it has written so far, as far as a wait has collected it.
  const std::string& out() const { return out_.text; }
  const std::string& err() const { return err_.text; }

 private:
  struct Stream {
    int pipe = -1;
    std::string text;
    void collect();
    ~Stream();
  };
  // False when the deadline passed with nothing to hear.
  bool listen(std::chrono::steady_clock::time_point until);
  bool reap();

  pid_t pid_ = -1;
  int exit_ = -1;  // a descriptor that can be read once the program has ended
  std::optional<int> status_;
  Stream out_, err_;
};

struct Finished {
  int status = 0;
  std::string out, err;
};
// Runs to the end; throws std::runtime_error when that takes too long.
Finished run(const Program& program, Deadline deadline = std::chrono::seconds(60));

// A port of 127.0.0.1 that nobody listened on a moment ago.
int free_port();

}  // namespace support
