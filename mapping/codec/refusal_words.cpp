#include "mapping/codec/refusal_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/text.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::size_t kLongestJoined = 64;     // bytes; a longer name says nothing
constexpr std::size_t kLongestSentence = 512;  // bytes of a text that are read

// Beginnings of words.
constexpr std::string_view kFailureStems[] = {"error", "failed", "failure", "fault", "exception"};
constexpr std::string_view kRefusalStems[] = {"reject", "refus",  "invalid",
                                              "denied", "declin", "unsuccess"};
constexpr std::string_view kLeftOutStems[] = {
    "skip",     "ignored",     "duplicate",   "unprocess",    "omitted",
    "notadded", "notimported", "notaccepted", "notprocessed", "notsaved"};
constexpr std::string_view kUnwellStems[] = {"unavailable", "unauthori"};
constexpr std::string_view kUnwell[] = {"forbidden",   "timeout", "timedout", "bad",  "temporarily",
                                        "maintenance", "nok",     "ko",       "fail", "fails"};

constexpr std::string_view kSuccess[] = {"success", "succes", "successful",    "succeeded",
                                         "ok",      "valid",  "authenticated", "authorized"};
constexpr std::string_view kTaken[] = {"accepted", "added",  "created",   "imported", "inserted",
                                       "saved",    "stored", "succeeded", "success"};
constexpr std::string_view kBesideSuccess[] = {
    "is",      "was",        "has",     "are",       "all",    "call",  "total",     "num",
    "number",  "of",         "count",   "rows",      "row",    "item",  "customers", "items",
    "records", "recipients", "request", "operation", "import", "batch", "result"};
constexpr std::string_view kStatus[] = {"status", "statuses", "stat", "code", "codes"};
constexpr std::string_view kResult[] = {"result", "results", "outcome", "state", "ack"};
constexpr std::string_view kBesideStatus[] = {"http",    "response",  "return", "request",
                                              "api",     "operation", "batch",  "import",
                                              "overall", "row",       "item",   "result"};
constexpr std::string_view kMessage[] = {"message", "messages", "msg"};
constexpr std::string_view kBesideMessage[] = {"status", "response", "result",
                                               "return", "detail",   "validation"};
// Names with such a word are settings or links: "failOnError", "errorsUrl".
constexpr std::string_view kSettings[] = {"allow",  "on",      "if",    "max",      "mode",
                                          "policy", "include", "only",  "url",      "uri",
                                          "link",   "href",    "limit", "threshold"};

constexpr std::string_view kBefore[] = {"is", "has", "was", "num", "total", "validation"};
constexpr std::string_view kNoneBehind[] = {"none", "no", "free"};
constexpr std::string_view kNoneBefore[] = {"0", "no", "zero", "without", "none", "any"};
constexpr std::string_view kNoneFurtherBefore[] = {"no", "none", "without"};
// Of a status.
constexpr std::string_view kBadStatus[] = {"partial",  "partially", "false",
                                           "err",      "conflict",  "aborted",
                                           "canceled", "cancelled", "expired"};

bool is_in(std::string_view word, Words words) {
  return std::ranges::find(words, word) != words.end();
}

bool begins_with_one(std::string_view word, Words stems) {
  return std::ranges::any_of(stems, [&](std::string_view stem) { return word.starts_with(stem); });
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

bool is_part_of_word(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || is_digit(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Does a word begin here, within letters? "hasErrors", "HTTPStatus".
bool begins_word(std::string_view text, std::size_t at) {
  if (!is_upper(text[at])) return false;
  const bool before = is_upper(text[at - 1]);
  const bool behind = at + 1 < text.size() && text[at + 1] >= 'a' && text[at + 1] <= 'z';
  return !before || behind;
}

// In small letters. An empty word stands where a clause ends.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  bool within = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool part = is_part_of_word(c);
    if (!part && std::string_view(",;.|!\n").find(c) != std::string_view::npos)
      words.emplace_back();
    if (part && (!within || begins_word(text, at))) words.emplace_back();
    if (part) words.back() += config::lower_case({&c, 1});
    within = part;
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string name;
  for (const auto& word : words)
    name += word;
  return name;
}

// Is the name made of these words alone, with one of `needed` among them?
bool is_made_of(std::string_view name, Words needed, Words others) {
  constexpr char kWords = 1, kNeeded = 2;
  std::array<char, kLongestJoined + 1> reached = {kWords};
  if (name.size() > kLongestJoined) return false;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (reached[at] == 0) continue;
    const auto rest = name.substr(at);
    for (const auto word : others)
      if (rest.starts_with(word)) reached[at + word.size()] |= reached[at];
    for (const auto word : needed)
      if (rest.starts_with(word)) reached[at + word.size()] |= kNeeded;
  }
  return (reached[name.size()] & kNeeded) != 0;
}

// "haserrors" begins with it as "errors" does.
bool begins_or_has(std::string_view word, Words stems) {
  if (begins_with_one(word, stems)) return true;
  return std::ranges::any_of(kBefore, [&](std::string_view before) {
    return word.starts_with(before) && begins_with_one(word.substr(before.size()), stems);
  });
}

bool names_any(std::string_view name, Words stems) {
  if (name.size() > kLongestJoined) return false;
  const auto words = words_in(name);
  if (std::ranges::any_of(words, [](const auto& word) { return is_in(word, kSettings); }))
    return false;
  return std::ranges::any_of(words, [&](const auto& word) { return begins_or_has(word, stems); }) ||
         begins_with_one(joined(words), stems);
}

// The words at `at` say that something has failed.
bool fails_at(const std::vector<std::string>& words, std::size_t at) {
  const auto& word = words[at];
  if (word == "not" && at + 1 < words.size())
    return is_in(words[at + 1], kTaken) || is_in(words[at + 1], kSuccess);
  return begins_with_one(word, kFailureStems) || begins_with_one(word, kRefusalStems) ||
         begins_with_one(word, kUnwellStems) || is_in(word, kUnwell);
}

// What stands around the word says how many there are, and it is none.
bool is_none_at(const std::vector<std::string>& words, std::size_t at) {
  const std::string_view behind = at + 1 < words.size() ? words[at + 1] : std::string_view();
  if (all_digits(behind)) return behind.find_first_not_of('0') == behind.npos;
  const bool is_last = at + 2 >= words.size() || words[at + 2].empty();
  if (is_in(behind, kNoneBehind) && is_last) return true;
  const std::string_view before = at > 0 ? words[at - 1] : std::string_view();
  const std::string_view first = at > 1 && !before.empty() ? words[at - 2] : std::string_view();
  return is_in(before, kNoneBefore) || is_in(first, kNoneFurtherBefore);
}

// "0 customers imported", "Imported: 0".
bool says_none_taken(const std::vector<std::string>& words, std::size_t at) {
  if (!is_in(words[at], kTaken)) return false;
  if (at + 1 < words.size() && all_digits(words[at + 1])) return words[at + 1] == "0";
  while (at > 0 && !words[at - 1].empty())
    --at;
  return words[at] == "0";
}

// "409 Conflict", "HTTP/1.1 422 Unprocessable Entity".
std::optional<std::size_t> code_in(std::string_view text) {
  if (same_name(text.substr(0, 5), "HTTP/"))
    text = trimmed(text.substr(std::min(text.find(' '), text.size())));
  const auto first = text.substr(0, text.find(' '));
  return first.size() > 6 ? std::nullopt : to_number<std::size_t>(first);
}

bool is_bad_code(std::string_view text) {
  text = trimmed(text);
  if (const auto code = code_in(text)) return *code >= 400 && *code < 600;
  return text.starts_with('-') && all_digits(text.substr(1));
}

bool is_bad_result(std::string_view text) {
  const auto words = words_in(trimmed(text).substr(0, kLongestSentence));
  return sentence_tells_failure(text) || std::ranges::any_of(words, [](const auto& word) {
           return begins_with_one(word, kLeftOutStems) || is_in(word, kBadStatus);
         });
}

}  // namespace

bool sentence_tells_failure(std::string_view text) {
  const auto words = words_in(trimmed(text).substr(0, kLongestSentence));
  for (std::size_t at = 0; at < words.size(); ++at)
    if ((fails_at(words, at) && !is_none_at(words, at)) || says_none_taken(words, at)) return true;
  return false;
}

bool names_failure(std::string_view name) {
  return names_any(name, kFailureStems) || same_words(name, "ModelState") ||
         same_words(name, "fail");
}

bool names_refused_rows(std::string_view name) {
  return names_any(name, kRefusalStems) || names_any(name, kLeftOutStems);
}

bool names_taken_rows(std::string_view name) {
  return name.size() <= kLongestJoined &&
         is_made_of(joined(words_in(name)), kTaken, kBesideSuccess);
}

FailureToldBy failure_told_by(std::string_view name) {
  if (name.size() > kLongestJoined) return FailureToldBy::nothing;
  const auto whole = joined(words_in(name));
  if (is_made_of(whole, kSuccess, kBesideSuccess)) return FailureToldBy::success;
  if (is_made_of(whole, kStatus, kBesideStatus)) return FailureToldBy::status;
  if (is_made_of(whole, kResult, kBesideStatus)) return FailureToldBy::result;
  if (is_made_of(whole, kMessage, kBesideMessage)) return FailureToldBy::message;
  return names_failure(name) ? FailureToldBy::failure : FailureToldBy::nothing;
}

bool tells_failure(FailureToldBy told_by, std::string_view text) {
  switch (told_by) {
    case FailureToldBy::success:
      return reads_false(text);
    case FailureToldBy::status:
      return is_bad_code(text) || is_bad_result(text);
    case FailureToldBy::result:
      return is_bad_result(text);
    case FailureToldBy::message:
      return sentence_tells_failure(text);
    case FailureToldBy::failure:
      return !says_nothing(text);
    case FailureToldBy::nothing:
      break;
  }
  return false;
}

}  // namespace surveybridge::mapping
