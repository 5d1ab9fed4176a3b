#include "tests/support/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/loopback.hpp"

namespace support {
namespace {

constexpr int kPipeBytes = 1 << 20;  // so that a program can write for a while before anybody reads
constexpr int kNoProgram = 127;

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  fcntl(ends[0], F_SETPIPE_SZ, kPipeBytes);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {ends[0], ends[1]};
}

// "NAME=": the common part of two settings of one variable.
std::string_view name_in(std::string_view setting) {
  return setting.substr(0, setting.find('=') + 1);
}

std::vector<std::string> with_own_environment(std::vector<std::string> added) {
  const std::size_t given = added.size();
  for (char** own = environ; *own != nullptr; ++own) {
    const bool replaced =
        std::any_of(added.begin(), added.begin() + static_cast<std::ptrdiff_t>(given),
                    [&](const std::string& setting) { return name_in(setting) == name_in(*own); });
    if (!replaced) added.emplace_back(*own);
  }
  return added;
}

struct Identity {
  bool change = false;
  uid_t user = 0;
  gid_t group = 0;
};

Identity identity_of(const std::string& user) {
  if (user.empty()) return {};
  const passwd* entry = getpwnam(user.c_str());
  if (entry == nullptr) throw std::runtime_error("no user " + user);
  return {true, entry->pw_uid, entry->pw_gid};
}

// Between fork and exec: only system calls. A change of the user clears the death signal, so the
// signal is set after it.
[[noreturn]] void become(char* const* argv, char* const* environment, const Identity& identity,
                         int dies_by, int out, int err, pid_t parent) {
  if (identity.change) {
    const bool done =
        setgroups(0, nullptr) == 0 && setgid(identity.group) == 0 && setuid(identity.user) == 0;
    if (!done) _exit(kNoProgram);
  }
  prctl(PR_SET_PDEATHSIG, dies_by);
  if (getppid() != parent) _exit(kNoProgram);  // the parent died before this call
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(out, 1);
  dup2(err, 2);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execvpe(argv[0], argv, environment);
  _exit(kNoProgram);
}

int milliseconds_until(std::chrono::steady_clock::time_point until) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

}  // namespace

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts)
    all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

ChildProcess::Stream::~Stream() {
  if (pipe >= 0) close(pipe);
}

void ChildProcess::Stream::collect() {
  std::array<char, 65536> buffer;
  while (pipe >= 0) {
    const ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    } else {
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) close(std::exchange(pipe, -1));
      return;
    }
  }
}

ChildProcess::ChildProcess(const Program& program) {
  std::vector<std::string> argv = program.argv;
  std::vector<std::string> environment = with_own_environment(program.environment);
  const auto argv_pointers = pointers(argv);
  const auto environment_pointers = pointers(environment);
  const Identity identity = identity_of(program.user);
  const Pipe out = make_pipe(), err = make_pipe();
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    become(argv_pointers.data(), environment_pointers.data(), identity, program.dies_by, out.write,
           err.write, parent);
  }
  close(out.write);
  close(err.write);
  out_.pipe = out.read;
  err_.pipe = err.read;
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  exit_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (exit_ < 0) throw std::runtime_error("cannot watch the program");
}

ChildProcess::~ChildProcess() {
  if (!status_ && pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (exit_ >= 0) close(exit_);
}

void ChildProcess::signal(int number) const {
  if (!status_) kill(pid_, number);
}

bool ChildProcess::reap() {
  int status = 0;
  if (status_ || waitpid(pid_, &status, WNOHANG) != pid_) return status_.has_value();
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  out_.collect();
  err_.collect();
  return true;
}

bool ChildProcess::listen(std::chrono::steady_clock::time_point until) {
  std::array<pollfd, 3> ears{{{exit_, POLLIN, 0}, {out_.pipe, POLLIN, 0}, {err_.pipe, POLLIN, 0}}};
  const int heard = poll(ears.data(), ears.size(), milliseconds_until(until));
  out_.collect();
  err_.collect();
  return heard != 0;
}

std::optional<int> ChildProcess::wait(Deadline deadline) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  while (!reap()) {
    if (!listen(until)) break;
  }
  return status_;
}

bool ChildProcess::wait_for(const std::string& text, Deadline deadline) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  for (;;) {
    const bool ended = reap();
    if (out_.text.find(text) != std::string::npos || err_.text.find(text) != std::string::npos) {
      return true;
    }
    if (ended || !listen(until)) return false;
  }
}

Finished run(const Program& program, Deadline deadline) {
  ChildProcess child(program);
  const auto status = child.wait(deadline);
  if (!status) {
    std::string command;
    for (const auto& word : program.argv)
      command += word + ' ';
    throw std::runtime_error(command + "did not end within " + std::to_string(deadline.count()) +
                             " ms; it said: " + child.out() + child.err());
  }
  return {*status, child.out(), child.err()};
}

int free_port() {
  const Listener made = listen_on_loopback();
  close(made.socket);
  return made.port;
}

}  // namespace support
