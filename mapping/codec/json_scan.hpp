// Reads JSON (RFC 8259) and tells a listener what is in it. Nothing is copied but texts with
// escapes. Pure; used by the codecs only. A listener has the functions scalar(), member(),
// begin_object(), begin_list() and end(), of which each may end the reading by false, and
// `reached`: behind the bracket that was read last.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "config/text.hpp"
#include "mapping/codec/scalar.hpp"

namespace surveybridge::mapping {

// The character beyond ASCII at the start of a text (Unicode 15, table 3-7).
struct WideCharacter {
  std::size_t bytes = 0;  // 0: there is none
  std::size_t wrong = 0;  // then the place of the byte that shows it
};
inline WideCharacter wide_character(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const unsigned first = byte(0);
  const bool begins = first >= 0xC2 && first <= 0xF4;
  const std::size_t bytes = !begins ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t at = 1; at < bytes; ++at) {
    if (byte(at) < low || byte(at) > high) return {0, at};
    low = 0x80;
    high = 0xBF;
  }
  return {bytes, 0};
}

template <typename Listener>
class JsonScan {
 public:
  JsonScan(std::string_view body, Listener& listener)
      : at_(body.data()), begin_(at_), end_(at_ + body.size()), listener_(listener) {}

  // Reads one value, whatever comes behind it.
  bool one() {
    if (!value()) return false;
    while (!open_.empty()) {
      if (!next()) return false;
    }
    return true;
  }
  const char* place() const { return at_; }  // behind what was read

  // Reads the whole body, which is one value.
  bool run() {
    if (!one()) return false;
    skip_blanks();
    return at_ == end_ || broken();
  }
  // Why a reading has ended too early, without a part of the body; empty: the listener has ended
  // it.
  const std::string& fault() const { return fault_; }

 private:
  using Kind = Token::Kind;

  bool broken(std::string_view what = "not JSON") {
    fault_ = at_ == end_ ? fmt::format("cut off after {} bytes", end_ - begin_)
                         : fmt::format("{} at byte {}", what, at_ - begin_ + 1);
    return false;
  }
  // The fault is seen at the byte that was read last.
  bool broken_before(std::string_view what) {
    --at_;
    return broken(what);
  }
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  // The next member or item of the object or list that is open, or its end.
  bool next() {
    const bool object = open_.back();
    const bool first = std::exchange(first_, false);
    if (take(object ? '}' : ']')) {
      open_.pop_back();
      listener_.reached = at_;
      return listener_.end();
    }
    if (!first && !take(',')) return broken();
    if (!object) return value();
    skip_blanks();
    if (at_ == end_ || *at_ != '"') return broken();
    if (!read_text() || !listener_.member(text_)) return false;
    return take(':') ? value() : broken();
  }

  bool value() {
    skip_blanks();
    if (at_ == end_) return broken();
    switch (*at_) {
      case '{':
        return open(true);
      case '[':
        return open(false);
      case '"':
        return read_text() && listener_.scalar({Kind::text, text_});
      case 't':
        return word("true", Kind::boolean);
      case 'f':
        return word("false", Kind::boolean);
      case 'n':
        return word("null", Kind::null);
      default:
        return number();
    }
  }

  bool open(bool object) {
    listener_.reached = ++at_;
    open_.push_back(object);
    first_ = true;
    return object ? listener_.begin_object() : listener_.begin_list();
  }

  bool word(std::string_view text, Kind kind) {
    for (const char c : text) {
      if (at_ == end_ || *at_ != c) return broken();
      ++at_;
    }
    return listener_.scalar({kind, kind == Kind::null ? std::string_view() : text});
  }

  // As it stands.
  bool number() {
    constexpr std::ptrdiff_t kSurelyFinite = 18;  // bytes without an exponent
    const char* const begin = at_;
    if (at_ != end_ && *at_ == '-') ++at_;
    const bool zero = at_ != end_ && *at_ == '0';
    if (zero) ++at_;
    if (!zero && !digits()) return false;
    if (at_ != end_ && *at_ == '.') {
      ++at_;
      if (!digits()) return false;
    }
    const bool has_exponent = at_ != end_ && (*at_ == 'e' || *at_ == 'E');
    if (has_exponent) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!digits()) return false;
    }
    const std::string_view text(begin, at_);
    if ((has_exponent || at_ - begin > kSurelyFinite) && !is_finite(text))
      return broken_before("number too large");
    return listener_.scalar({Kind::number, text});
  }
  // What is nearly 0 is out of a double's range too, and finite.
  static bool is_finite(std::string_view text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_small = text.starts_with("0.") || text.starts_with("-0.") ||
                          text.find("e-") != text.npos || text.find("E-") != text.npos;
    return read.ec != std::errc::result_out_of_range || is_small;
  }
  // One at least.
  bool digits() {
    const char* const begin = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9')
      ++at_;
    return at_ != begin || broken();
  }

  // From a quote to the next, into text_: a piece of the body, or what its escapes stand for.
  bool read_text() {
    const char* from = ++at_;
    bool escaped = false;
    while (at_ != end_) {
      const auto c = static_cast<unsigned char>(*at_);
      if (c == '"') {
        const std::string_view rest(from, at_++);
        if (!escaped) {
          text_ = rest;
        } else {
          text_ = unescaped_ += rest;
        }
        return true;
      }
      if (c == '\\') {
        if (!std::exchange(escaped, true)) unescaped_.clear();
        unescaped_.append(from, at_++);
        if (!read_escape()) return false;
        from = at_;
      } else if (c < 0x20) {
        return broken();
      } else if (c < 0x80) {
        ++at_;
      } else {
        const WideCharacter character = wide_character({at_, end_});
        at_ += character.bytes + character.wrong;
        if (character.bytes == 0) return broken("not UTF-8");
      }
    }
    return broken();
  }

  bool read_escape() {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    if (at_ != end_ && *at_ == 'u') {
      ++at_;
      return read_code();
    }
    const auto known = at_ == end_ ? kNames.npos : kNames.find(*at_);
    if (known == kNames.npos) return broken();
    unescaped_ += kMeant[known];
    ++at_;
    return true;
  }

  // Behind "\u": four digits, or a pair of them for a character beyond U+FFFF.
  bool read_code() {
    constexpr std::string_view kHalf = "half a surrogate pair";
    char32_t code = 0, low = 0;
    if (!read_hex(code)) return false;
    if (code >= 0xDC00 && code <= 0xDFFF) return broken_before(kHalf);
    if (code >= 0xD800 && code <= 0xDBFF) {
      for (const char c : {'\\', 'u'}) {
        if (at_ == end_ || *at_ != c) return broken(kHalf);
        ++at_;
      }
      if (!read_hex(low)) return false;
      if (low < 0xDC00 || low > 0xDFFF) return broken_before(kHalf);
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    unescaped_ += config::utf8_of({&code, 1});
    return true;
  }
  bool read_hex(char32_t& code) {
    constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
    for (int i = 0; i < 4; ++i, ++at_) {
      const auto digit = at_ == end_ ? kDigits.npos : kDigits.find(*at_);
      if (digit == kDigits.npos) return broken();
      code = code * 16 + static_cast<char32_t>(digit < 16 ? digit : digit - 6);
    }
    return true;
  }

  const char* at_;
  const char* const begin_;
  const char* const end_;
  Listener& listener_;
  std::vector<bool> open_;  // true: an object
  bool first_ = false;      // nothing of the one opened last has been read
  std::string_view text_;
  std::string unescaped_;
  std::string fault_;
};

}  // namespace surveybridge::mapping
