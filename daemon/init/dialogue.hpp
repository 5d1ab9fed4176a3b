// Questions to a person, one at a time, over two streams.
#pragma once

#include <functional>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>

namespace surveybridge::daemon {

// Nobody answers any more: end of input, or an interrupt at a hidden question.
struct InputEnded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Answered {
  in_a_line,
  hidden,    // what is typed is not shown
  in_lines,  // the last line ends with ";" or is empty; one word is a whole answer
};

class Dialogue {
 public:
  // Switches the echo of the input off and on.
  using Echo = std::function<void(bool on)>;
  Dialogue(std::istream& in, std::ostream& out, Echo echo)
      : in_(in), out_(out), echo_(std::move(echo)) {}

  // A line, or several; control characters are escaped.
  void say(const std::string& text);

  // The answer without blanks around it; `proposal` where the line is empty. The question is asked
  // again where both are empty. Throws InputEnded.
  std::string ask(const std::string& question, const std::string& proposal,
                  Answered how = Answered::in_a_line);

 private:
  std::string line(const std::string& question);
  std::string with_more_lines(const std::string& question, std::string text);
  std::istream& in_;
  std::ostream& out_;
  Echo echo_;
};

// The echo of the terminal on standard input. An interrupt (Ctrl-C) at a hidden question is read as
// a character, so that the echo is on again before the program ends.
void set_terminal_echo(bool on);

}  // namespace surveybridge::daemon
