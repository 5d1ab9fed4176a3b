#include "tests/support/terminal.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace support {
namespace {

using Clock = std::chrono::steady_clock;

int left_until(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

}  // namespace

Terminal::Terminal(const Program& program) {
  std::vector<std::string> argv = program.argv;
  std::vector<std::string> environment = program.environment;
  for (char** own = environ; *own != nullptr; ++own)
    environment.emplace_back(*own);  // of two with one name the first one counts
  const auto words = pointers(argv), settings = pointers(environment);
  pid_ = forkpty(&screen_, nullptr, nullptr, nullptr);
  if (pid_ < 0) throw std::runtime_error("no terminal");
  if (pid_ == 0) {
    execvpe(words[0], words.data(), settings.data());
    _exit(127);
  }
}

Terminal::~Terminal() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(screen_);
}

bool Terminal::collect(Clock::time_point until) {
  pollfd ear{screen_, POLLIN, 0};
  if (poll(&ear, 1, left_until(until)) <= 0) return false;
  std::array<char, 4096> buffer;
  const ssize_t got = read(screen_, buffer.data(), buffer.size());  // -1: the program has ended
  if (got > 0) shown_.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

bool Terminal::wait_for(const std::string& text, Deadline deadline) {
  const auto until = Clock::now() + deadline;
  for (;;) {
    const auto at = shown_.find(text, found_);
    if (at != std::string::npos) {
      found_ = at + text.size();
      return true;
    }
    if (!collect(until)) return false;
  }
}

void Terminal::type(const std::string& text) const {
  if (write(screen_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("the terminal took no input");
}

bool Terminal::echoes() const {
  termios state{};
  return tcgetattr(screen_, &state) == 0 && (state.c_lflag & ECHO) != 0;
}

std::optional<int> Terminal::wait(Deadline deadline) {
  const auto until = Clock::now() + deadline;
  while (collect(until)) {
  }
  int status = 0;
  if (left_until(until) == 0 || waitpid(pid_, &status, 0) != pid_) return std::nullopt;
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace support
