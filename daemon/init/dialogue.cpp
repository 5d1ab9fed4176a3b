#include "daemon/init/dialogue.hpp"

#include <optional>
#include <sstream>
#include <utility>

#include <termios.h>
#include <unistd.h>

#include "config/text.hpp"
#include "daemon/job/log.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kLongest = 64 * 1024;  // of an answer; a query may not be longer
constexpr char kInterrupt = 3;
constexpr const char* kNothingTyped =
    "  an answer is needed (Ctrl-C ends init, and no file is written)";

std::string trimmed(const std::string& text) {
  return std::string(mapping::trimmed(text));
}

std::string in_brackets(const std::string& proposal) {
  return proposal.empty() ? "" : " [" + one_line(proposal) + "]";
}

// The echo is on again whatever happens.
class Hidden {
 public:
  explicit Hidden(const std::function<void(bool)>& echo) : echo_(echo) { echo_(false); }
  ~Hidden() { echo_(true); }
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;

 private:
  const std::function<void(bool)>& echo_;
};

}  // namespace

void Dialogue::say(const std::string& text) {
  std::istringstream lines(text);
  for (std::string each; std::getline(lines, each);)
    out_ << one_line(each) << "\n";
  out_.flush();
}

// Up to the end of the line. What is longer than any answer may be is read and cut.
std::string Dialogue::line(const std::string& question) {
  std::string text;
  for (;;) {
    const int c = in_.get();
    if (c == '\n') return text;
    if (c == std::istream::traits_type::eof() || c == kInterrupt) {
      out_ << "\n";
      throw InputEnded("init: the input ended at the question " + config::quoted(question) +
                       "; no file was written");
    }
    if (text.size() <= kLongest) text += static_cast<char>(c);
  }
}

std::string Dialogue::ask(const std::string& question, const std::string& proposal, Answered how) {
  std::optional<Hidden> hidden;
  if (how == Answered::hidden) hidden.emplace(echo_);
  for (;;) {
    out_ << question << in_brackets(proposal) << ": " << std::flush;
    std::string answer = trimmed(line(question));
    if (hidden) out_ << "\n";
    if (answer.empty()) answer = proposal;
    if (answer.empty()) {
      say(kNothingTyped);
      continue;
    }
    return how == Answered::in_lines ? with_more_lines(question, answer) : answer;
  }
}

std::string Dialogue::with_more_lines(const std::string& question, std::string text) {
  while (text.find_first_of(" \t") != std::string::npos && !trimmed(text).ends_with(';') &&
         text.size() <= kLongest) {
    out_ << "  … " << std::flush;
    const std::string more = line(question);
    if (trimmed(more).empty()) break;
    text += "\n" + more;
  }
  return trimmed(text);
}

void set_terminal_echo(bool on) {
  static termios before{};
  static bool changed = false;
  if (!on) {
    if (::tcgetattr(STDIN_FILENO, &before) != 0) return;
    termios silent = before;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    silent.c_cc[VEOL] = kInterrupt;
    changed = ::tcsetattr(STDIN_FILENO, TCSADRAIN, &silent) == 0;
  } else if (std::exchange(changed, false)) {
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
  }
}

}  // namespace surveybridge::daemon
