#include "config/toml/nesting.hpp"

#include <fmt/format.h>

#include "config/text.hpp"

namespace surveybridge::config {
namespace {

constexpr int kDeepest = 32;

// Reads the text as far as needed to tell strings and comments from structure. Text that is not
// TOML does no harm here: the parser reports it.
class WalkSettings {
 public:
  explicit WalkSettings(std::string_view text) : text_(text) {}

  bool find_too_deep() {
    while (at_ < text_.size() && open_ <= kDeepest && dots_ <= kDeepest)
      step();
    return open_ > kDeepest || dots_ > kDeepest;
  }
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '#') return skip_comment();
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '[' || c == '{') ++open_;
    if ((c == ']' || c == '}') && open_ > 0) --open_;
    if (c == '.') ++dots_;
    advance();
  }

  void advance() {
    const bool new_line = text_[at_] == '\n';
    const bool continues = continues_character(text_[at_]);
    ++at_;
    if (new_line) {
      ++line_;
      column_ = 1;
      dots_ = 0;
    } else if (!continues) {
      ++column_;
    }
  }
  void advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count)
      advance();
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n')
      advance();
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool many_lines = text_.substr(at_, 3) == triple;
    const std::string_view end = std::string_view(triple).substr(0, many_lines ? 3 : 1);
    advance(end.size());
    while (at_ < text_.size() && text_.substr(at_, end.size()) != end) {
      if (!many_lines && text_[at_] == '\n') return;
      advance(quote == '"' && text_[at_] == '\\' ? 2 : 1);
    }
    advance(end.size());
    // A string over several lines may end with up to two quotes that belong to it.
    while (many_lines && at_ < text_.size() && text_[at_] == quote)
      advance();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  int open_ = 0, dots_ = 0;
};

}  // namespace

std::optional<Problem> too_deep(std::string_view text, const std::string& file) {
  WalkSettings walk(text);
  if (!walk.find_too_deep()) return std::nullopt;
  return Problem{
      {file, walk.line(), walk.column()}, "", fmt::format("nests deeper than {} levels", kDeepest)};
}

}  // namespace surveybridge::config
