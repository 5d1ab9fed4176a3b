#include "mapping/values/bounce.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "config/text.hpp"
#include "mapping/values/bounce_tables.hpp"

namespace surveybridge::mapping {

namespace {

using Verdict = std::optional<Bounce>;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

bool ends_token(char c) {
  return std::string_view{" \t\r\n<>()[]'\",;"}.find(c) != std::string_view::npos;
}

// Small letters, and a blank for each mail address: its letters and digits say nothing of a bounce.
std::string readable(std::string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const auto end =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ends_token) -
        text.begin();
    const auto token = text.substr(at, static_cast<std::size_t>(end) - at);
    if (token.find('@') == std::string_view::npos) kept += token;
    at = static_cast<std::size_t>(end);
    if (at < text.size()) kept += text[at++];
  }
  return config::lower_case(kept);
}

// Words with one blank around each: "Hard-Bounce!" becomes " hard bounce ".
std::string words_of(std::string_view readable_text) {
  std::string words = " ";
  for (const char c : readable_text) {
    if (is_word(c))
      words += c;
    else if (c != '\'' && words.back() != ' ')
      words += ' ';
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

// As many digits as stand at `at`, at most `most`.
std::size_t digits_at(std::string_view text, std::size_t at, std::size_t most) {
  std::size_t count = 0;
  while (count < most && at + count < text.size() && is_digit(text[at + count]))
    ++count;
  return count;
}

// What stands at `begin` and ends before `end` is no part of a longer number, name or address.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const bool before = begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '.');
  if (before || end == text.size()) return !before;
  const bool point = text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]);
  return !is_word(text[end]) && !point;
}

// The length of the enhanced status code at `at`: class 2, 4 or 5, subject 0 to 7, detail 0 to 999.
std::size_t enhanced_code_at(std::string_view text, std::size_t at) {
  const auto rest = text.substr(at);
  if (rest.size() < 5 || rest[1] != '.' || rest[3] != '.') return 0;
  if ((rest[0] != '2' && rest[0] != '4' && rest[0] != '5') || rest[2] < '0' || rest[2] > '7')
    return 0;
  const std::size_t detail = digits_at(rest, 4, 3);
  return detail > 0 && stands_alone(text, at, at + 4 + detail) ? 4 + detail : 0;
}

bool holds_one_of(std::string_view words, const auto& phrases) {
  return std::ranges::any_of(phrases, [&](std::string_view phrase) {
    return words.find(' ' + std::string(phrase)) != std::string_view::npos;
  });
}

Verdict by_words(std::string_view words) {
  if (holds_one_of(words, kPassingPhrases)) return Bounce::soft;
  if (holds_one_of(words, kHardPhrases)) return Bounce::hard;
  if (holds_one_of(words, kSoftPhrases)) return Bounce::soft;
  return {};
}

Verdict verdict_of(CodeSays says, std::string_view words) {
  switch (says) {
    case CodeSays::hard:
      return Bounce::hard;
    case CodeSays::soft:
      return Bounce::soft;
    case CodeSays::words_or_hard:
      return by_words(words).value_or(Bounce::hard);
    case CodeSays::words_or_soft:
      return by_words(words).value_or(Bounce::soft);
    case CodeSays::nothing:
      break;
  }
  return {};
}

CodeSays enhanced_code_says(std::string_view code) {
  if (code.front() == '2') return CodeSays::nothing;
  if (code.front() == '4') return CodeSays::soft;
  const auto* row = std::ranges::find(kEnhancedCodes, code.substr(2), &CodeRow::code);
  return row == kEnhancedCodes.end() ? CodeSays::words_or_soft : row->says;
}

CodeSays reply_code_says(std::string_view code) {
  const auto* row = std::ranges::find(kReplyCodes, code, &CodeRow::code);
  return row == kReplyCodes.end() ? CodeSays::nothing : row->says;
}

// The first code that decides does.
Verdict by_enhanced_codes(std::string_view text, std::string_view words) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t size = enhanced_code_at(text, at);
    if (size == 0) continue;
    const CodeSays says = enhanced_code_says(text.substr(at, size));
    if (const Verdict verdict = verdict_of(says, words)) return verdict;
  }
  return {};
}

Verdict by_reply_codes(std::string_view text, std::string_view words) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (digits_at(text, at, 3) < 3 || !stands_alone(text, at, at + 3)) continue;
    const CodeSays says = reply_code_says(text.substr(at, 3));
    if (const Verdict verdict = verdict_of(says, words)) return verdict;
  }
  return {};
}

}  // namespace

Bounce kind_of_bounce(const BounceTexts& texts) {
  const std::string said =
      readable(texts.reason) + "\n" + readable(texts.exception);  // the reason's codes come first
  const std::string words = words_of(said);
  if (const Verdict verdict = by_enhanced_codes(said, words)) return *verdict;
  if (const Verdict verdict = by_reply_codes(said, words)) return *verdict;
  if (const Verdict verdict = by_words(words_of(readable(texts.customer_status)))) return *verdict;
  return by_words(words).value_or(Bounce::soft);
}

}  // namespace surveybridge::mapping
