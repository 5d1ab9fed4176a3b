// A program run by a test: its output is collected, it can get signals and be waited for. It dies
// with the object, and with the test program. Belongs to the thread that made it. No function waits
// longer than its deadline.
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
  std::vector<std::string> argv;         // argv[0] is a path, or a name that is searched in PATH
  std::vector<std::string> environment;  // "NAME=value", added to the test's environment
  std::string user = {};                 // user of the program; empty: the test's user
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
  // Its exit status, or 128 plus the signal that ended it; empty if the deadline came first.
  std::optional<int> wait(Deadline deadline);
  // Waits until `text` was written to one of the two streams; false if it ended or took too long.
  bool wait_for(const std::string& text, Deadline deadline);

  // The output that the waits have collected so far.
  const std::string& out() const { return out_.text; }
  const std::string& err() const { return err_.text; }

 private:
  struct Stream {
    int pipe = -1;
    std::string text;
    void collect();
    ~Stream();
  };
  // False if the deadline passed without output.
  bool listen(std::chrono::steady_clock::time_point until);
  bool reap();

  pid_t pid_ = -1;
  int exit_ = -1;  // a descriptor that becomes readable when the program ends
  std::optional<int> status_;
  Stream out_, err_;
};

struct Finished {
  int status = 0;
  std::string out, err;
};
// Runs to the end; throws std::runtime_error when that takes too long.
Finished run(const Program& program, Deadline deadline = std::chrono::seconds(60));

// A port of 127.0.0.1 that was free a moment ago.
int free_port();
// As execve() takes them.
std::vector<char*> pointers(std::vector<std::string>& texts);

}  // namespace support
