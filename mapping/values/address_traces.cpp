#include "mapping/values/address_traces.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "config/text.hpp"
#include "mapping/values/address.hpp"
#include "mapping/values/html.hpp"
#include "mapping/values/person.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

constexpr int kNested = 3;                            // notations within each other
constexpr std::size_t kReadBytes = 64 * 1024 * 1024;  // of all notations of one text
constexpr std::size_t kTracesMax = 10'000;

bool is_beyond_ascii(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

// One character of UTF-8, or nothing.
bool is_letter(std::string_view character) {
  if (character.empty()) return false;
  const char32_t point = config::code_points(character).front();
  if (point < 0x80)
    return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') ||
           (point >= '0' && point <= '9');
  return !is_sign(point);
}

constexpr std::size_t kCharacterBytes = 4;

// The character that begins or ends at a place. Empty: there is none, or its bytes are broken.
std::string_view character_behind(std::string_view text, std::size_t at) {
  for (std::size_t size = 1; size <= kCharacterBytes && at + size <= text.size(); ++size)
    if (is_utf8(text.substr(at, size))) return text.substr(at, size);
  return {};
}
std::string_view character_before(std::string_view text, std::size_t at) {
  for (std::size_t size = 1; size <= kCharacterBytes && size <= at; ++size)
    if (is_utf8(text.substr(at - size, size))) return text.substr(at - size, size);
  return {};
}

bool is_within_character(std::string_view text, std::size_t at) {
  for (std::size_t back = 1; back < kCharacterBytes && back <= at; ++back)
    if (character_behind(text, at - back).size() > back) return true;
  return false;
}

std::optional<unsigned> number_at(std::string_view text, std::size_t at, std::size_t digits,
                                  int base) {
  if (at + digits > text.size()) return std::nullopt;
  return to_number<unsigned>(text.substr(at, digits), base);
}

void add(std::string& to, unsigned code_point) {
  const bool valid = code_point < 0xD800 || (code_point > 0xDFFF && code_point <= 0x10FFFF);
  to += valid ? config::utf8_of(std::u32string(1, code_point)) : "?";
}

// What begins at a place of the text: adds it to `to`, and returns its length; 0: nothing of this
// notation.
using Notation = std::size_t (*)(std::string_view text, std::size_t at, std::string& to);

std::size_t percent(std::string_view text, std::size_t at, std::string& to) {
  if (text[at] != '%') return 0;
  const auto byte = number_at(text, at + 1, 2, 16);
  if (!byte) return 0;
  to += static_cast<char>(*byte);
  return 3;
}

std::size_t quoted_printable(std::string_view text, std::size_t at, std::string& to) {
  if (text[at] != '=') return 0;
  if (text.substr(at + 1, 1) == "\n") return 2;
  if (text.substr(at + 1, 2) == "\r\n") return 3;
  const auto byte = number_at(text, at + 1, 2, 16);
  if (!byte) return 0;
  to += static_cast<char>(*byte);
  return 3;
}

std::size_t escape(std::string_view text, std::size_t at, std::string& to) {
  if (text[at] != '\\' || at + 1 >= text.size()) return 0;
  const char kind = text[at + 1];
  if (kind == 'u') {
    const auto unit = number_at(text, at + 2, 4, 16);
    if (!unit) return 0;
    const bool is_pair = *unit >= 0xD800 && *unit < 0xDC00 && text.substr(at + 6, 2) == "\\u";
    const auto second = is_pair ? number_at(text, at + 8, 4, 16) : std::nullopt;
    if (!second) {
      add(to, *unit);
      return 6;
    }
    add(to, 0x10000 + ((*unit - 0xD800) << 10) + (*second & 0x3FF));
    return 12;
  }
  if (kind == 'x') {
    const auto byte = number_at(text, at + 2, 2, 16);
    if (!byte) return 0;
    to += static_cast<char>(*byte);
    return 4;
  }
  constexpr std::string_view kBlank = "nrtbf";
  to += kBlank.find(kind) == std::string_view::npos ? kind : ' ';
  return 2;
}

struct Escaped {
  char sign;
  Notation read;
};
constexpr std::array<Escaped, 4> kNotations = {
    {{'%', percent}, {'\\', escape}, {'&', read_entity}, {'=', quoted_printable}}};

std::string decoded(std::string_view text, const Escaped& notation) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto next = std::min(text.find(notation.sign, at), text.size());
    plain.append(text.substr(at, next - at));
    at = next;
    if (at == text.size()) break;
    const auto length = notation.read(text, at, plain);
    if (length == 0) plain += text[at];
    at += std::max<std::size_t>(length, 1);
  }
  return plain;
}

// What is written at a place in one of the notations: adds it to `to`, and returns its length; 0:
// it is in none.
std::size_t read_noted(std::string_view text, std::size_t at, std::string& to) {
  std::size_t length = 0;
  for (const auto& notation : kNotations)
    if (length == 0) length = notation.read(text, at, to);
  return length;
}

// The same, in one notation within another, as "%252F" and "\\u002f".
std::size_t read_noted_twice(std::string_view text, std::size_t begin, std::string& to) {
  constexpr std::size_t kLongest = 12;  // of one character in a notation
  std::string inner;
  std::size_t at = begin;
  for (std::size_t units = 0; units < kLongest && at < text.size(); ++units) {
    const auto length = read_noted(text, at, inner);
    if (length == 0) inner += text[at];
    at += std::max<std::size_t>(length, 1);
    const bool begins = std::ranges::any_of(
        kNotations, [&](const Escaped& notation) { return inner.starts_with(notation.sign); });
    if (!begins || (units == 0 && length == 0)) return 0;
    std::string read;
    const auto noted = read_noted(inner, 0, read);
    if (noted > 0 && noted < inner.size()) return 0;
    if (noted == 0) continue;
    to += read;
    return at - begin;
  }
  return 0;
}

// How long the word is that is written at this place of the text; 0: it is another one. `twice`: of
// which characters may be written in one notation within another, too.
std::size_t written_at(std::string_view text, std::size_t begin, std::string_view word,
                       bool twice) {
  std::size_t at = begin;
  for (auto left = word; !left.empty();) {
    if (at == text.size()) return 0;
    std::string read;
    std::size_t length = twice ? read_noted_twice(text, at, read) : 0;
    if (length == 0 || !left.starts_with(read)) {
      read.clear();
      length = read_noted(text, at, read);
    }
    if (length == 0 || !left.starts_with(read)) {
      read = text[at];
      length = 1;
    }
    if (!left.starts_with(read)) return 0;
    left.remove_prefix(read.size());
    at += length;
  }
  return at - begin;
}

// The text, and what it is when it is read by each notation, and again. `whole`: false where that
// became too much.
struct Readings {
  std::vector<std::string> texts;
  bool whole = true;
};
Readings readings_of(std::string_view text) {
  Readings all{{std::string(text)}};
  std::size_t bytes = text.size(), begin = 0;
  for (int depth = 0; depth < kNested; ++depth) {
    const std::size_t end = all.texts.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const auto& notation : kNotations) {
        if (all.texts[i].find(notation.sign) == std::string::npos) continue;
        if (bytes > kReadBytes) {
          all.whole = false;
          return all;
        }
        std::string plain = decoded(all.texts[i], notation);
        if (std::ranges::find(all.texts, plain) != all.texts.end()) continue;
        bytes += plain.size();
        all.texts.push_back(std::move(plain));
      }
    }
    begin = end;
  }
  return all;
}

bool is_mark(char c) {
  return c == '.' || c == '-' || c == '_' || c == '+';
}

bool begins_apart(std::string_view text, std::size_t begin, Beside beside) {
  while (beside == Beside::marks && begin > 0 && is_mark(text[begin - 1]))
    --begin;
  return !is_letter(character_before(text, begin));
}
bool ends_apart(std::string_view text, std::size_t end, Beside beside) {
  while (beside == Beside::marks && end < text.size() && is_mark(text[end]))
    ++end;
  return !is_letter(character_behind(text, end));
}
bool is_apart(std::string_view text, std::size_t begin, std::size_t end, Beside beside) {
  return begins_apart(text, begin, beside) && ends_apart(text, end, beside);
}

// Does the text end within the address, behind its "@", or was it cut there? Both are folded.
bool is_cut(std::string_view text, std::string_view address, Beside beside, Cut cut) {
  if (cut == Cut::nowhere) return false;
  const auto known = address.substr(0, address.find('@') + 1);
  for (auto at = text.find(known); at != std::string_view::npos; at = text.find(known, at + 1)) {
    auto rest = text.substr(at), whole = address;
    while (!rest.empty() && !whole.empty() && rest.front() == whole.front()) {
      rest.remove_prefix(1);
      whole.remove_prefix(1);
    }
    const bool ends = (rest.empty() && cut == Cut::anywhere) || rest.starts_with("\u2026") ||
                      rest.starts_with("...");
    if (ends && !whole.empty() && is_apart(text, at, text.size(), beside)) return true;
  }
  return false;
}

// Both are folded.
std::size_t find_address(std::string_view text, std::string_view address, Beside beside,
                         std::size_t from = 0) {
  for (auto at = text.find(address, from); at != std::string_view::npos;
       at = text.find(address, at + 1))
    if (is_apart(text, at, at + address.size(), beside)) return at;
  return std::string_view::npos;
}

bool is_of_domain(char c) {
  return is_beyond_ascii(c) || is_letter({&c, 1}) || c == '-' || c == '.';
}
bool is_of_local(char c) {
  return is_of_domain(c) ||
         std::string_view("!#$%&'*+/=?^_`{|}~").find(c) != std::string_view::npos;
}

// Those around the "@" at a place: each that is apart from what is beside it.
void add_traces(std::string_view text, std::size_t at, Beside beside,
                std::set<std::string>& found) {
  std::size_t first = at, last = at + 1;
  while (first > 0 && at - first < 64 && is_of_local(text[first - 1]))
    --first;
  while (last < text.size() && last - at < 190 && is_of_domain(text[last]))
    ++last;
  std::vector<std::size_t> begins;
  for (std::size_t begin = first; begin < at; ++begin)
    if (!is_within_character(text, begin) && begins_apart(text, begin, beside))
      begins.push_back(begin);
  for (std::size_t end = last; end > at + 1; --end) {
    if (is_within_character(text, end) || !ends_apart(text, end, beside)) continue;
    for (const std::size_t begin : begins) {
      const auto address = text.substr(begin, end - begin);
      if (!fault_in_address(address)) found.emplace(address);
    }
  }
}

}  // namespace

bool may_hold_address(std::string_view text) {
  return text.find_first_of("@%\\&=") != std::string_view::npos;
}

bool holds_address(std::string_view text, std::string_view address, Beside beside, Cut cut) {
  if (!may_hold_address(text)) return false;
  const std::string sought = normal_address(address);
  const auto readings = readings_of(text);
  return std::ranges::any_of(readings.texts, [&](const std::string& reading) {
    const std::string one = folded(composed(reading));
    return find_address(one, sought, beside) != std::string::npos ||
           is_cut(one, sought, beside, cut);
  });
}

std::string without_address(std::string_view text, std::string_view address, std::string_view put) {
  const std::string sought = normal_address(address);
  std::string left(text);
  std::string in = folded(left);
  if (in.size() == left.size()) {
    for (auto at = find_address(in, sought, Beside::marks); at != std::string::npos;
         at = find_address(in, sought, Beside::marks, at + put.size())) {
      left.replace(at, sought.size(), put);
      in.replace(at, sought.size(), put);
    }
  }
  return holds_address(left, address, Beside::marks, Cut::with_dots) ? std::string(put) : left;
}

std::string without_word(std::string_view text, std::string_view word, std::string_view put) {
  std::string first{word.front()};
  for (const auto& notation : kNotations)
    first += notation.sign;
  std::string left;
  std::size_t copied = 0;
  for (auto at = text.find_first_of(first); at != std::string_view::npos;
       at = text.find_first_of(first, at)) {
    auto length = written_at(text, at, word, false);
    if (length == 0) length = written_at(text, at, word, true);
    if (length == 0) {
      ++at;
      continue;
    }
    left.append(text.substr(copied, at - copied)).append(put);
    copied = at += length;
  }
  return left.append(text.substr(copied));
}

AddressTraces traces_in(std::string_view text, Beside beside) {
  AddressTraces traces;
  if (!may_hold_address(text)) return traces;
  std::set<std::string> found;
  const auto readings = readings_of(text);
  traces.whole = readings.whole;
  for (const auto& reading : readings.texts) {
    for (auto at = reading.find('@'); at != std::string::npos && traces.whole;
         at = reading.find('@', at + 1)) {
      add_traces(reading, at, beside, found);
      traces.whole = found.size() <= kTracesMax;
    }
  }
  traces.addresses.assign(found.begin(), found.end());
  return traces;
}

bool may_be_encoded(std::string_view text) {
  return text.find_first_of("%\\&=") != std::string_view::npos;
}

std::vector<std::string> addresses_meant(std::string_view text) {
  constexpr std::size_t kLongest = 64 * 1024;
  text = config::first_bytes(text, kLongest);
  const auto named = addresses_in(text);
  auto meant = named.addresses;
  meant.insert(meant.end(), named.likely.begin(), named.likely.end());
  if (!meant.empty() && meant.front() == text && !may_be_encoded(text)) return meant;
  const auto traces = traces_in(text, Beside::marks).addresses;
  meant.insert(meant.end(), traces.begin(), traces.end());
  return meant;
}

}  // namespace surveybridge::mapping
