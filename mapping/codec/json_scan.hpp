// Reads well-formed JSON of the usual kind in a third of the time that nlohmann's lexer takes, and
// passes the same events on. What is not well-formed, or not usual (exponents, numbers of more than
// 18 digits), is left to nlohmann, which reads the body from its start and says what is wrong.
// Pure; used by json_codec.cpp only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/codec/scalar.hpp"

namespace surveybridge::mapping {

enum class Scanned {
  whole,    // the body was read to its end
  stopped,  // the listener said false
  unsure,   // see above
};

// The bytes of a well-formed character beyond ASCII at the start of the text; 0: it is none
// (Unicode 15, table 3-7).
inline std::size_t wide_character(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const auto follows = [&](std::size_t at, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(at) >= low && byte(at) <= high;
  };
  const unsigned first = byte(0);
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

// Of which numbers a scan is sure.
enum class Numbers { usual, any };

template <typename Listener>
class JsonScan {
 public:
  JsonScan(std::string_view body, Listener& listener, Numbers numbers = Numbers::usual)
      : at_(body.data()), end_(body.data() + body.size()), listener_(listener), numbers_(numbers) {}

  // Reads one value, whatever comes behind it.
  bool one() {
    if (!value()) return false;
    while (!open_.empty()) {
      if (!next()) return false;
    }
    return true;
  }
  const char* place() const { return at_; }  // behind what was read

  Scanned run() {
    if (!one()) return result_;
    skip_blanks();
    return at_ == end_ ? Scanned::whole : Scanned::unsure;
  }

 private:
  using Kind = Token::Kind;

  bool unsure() {
    result_ = Scanned::unsure;
    return false;
  }
  bool told(bool goes_on) {
    result_ = Scanned::stopped;
    return goes_on;
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
      return told(listener_.end());
    }
    if (!first && !take(',')) return unsure();
    if (!object) return value();
    skip_blanks();
    if (at_ == end_ || *at_ != '"' || !read_text()) return unsure();
    if (!told(listener_.member(text_))) return false;
    return take(':') ? value() : unsure();
  }

  bool value() {
    skip_blanks();
    if (at_ == end_) return unsure();
    switch (*at_) {
      case '{':
        return open(true);
      case '[':
        return open(false);
      case '"':
        return read_text() ? told(listener_.scalar({Kind::text, text_})) : unsure();
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
    return told(object ? listener_.begin_object() : listener_.begin_list());
  }

  bool word(std::string_view text, Kind kind) {
    if (!std::string_view(at_, end_).starts_with(text)) return unsure();
    at_ += text.size();
    return told(listener_.scalar({kind, kind == Kind::null ? std::string_view() : text}));
  }

  // A whole number or a plain decimal, as it stands.
  bool number() {
    constexpr std::ptrdiff_t kLongest = 18;
    const char* const begin = at_;
    if (at_ != end_ && *at_ == '-') ++at_;
    const char* const whole = at_;
    skip_digits();
    if (at_ == whole || (*whole == '0' && at_ - whole > 1)) return unsure();
    if (at_ != end_ && *at_ == '.') {
      const char* const fraction = ++at_;
      skip_digits();
      if (at_ == fraction) return unsure();
    }
    const bool goes_on = at_ != end_ && (*at_ == 'e' || *at_ == 'E');
    if (numbers_ == Numbers::any) {
      if (goes_on && !exponent()) return unsure();
    } else if (goes_on || at_ - begin > kLongest) {
      return unsure();
    }
    return told(listener_.scalar({Kind::number, {begin, at_}}));
  }
  bool exponent() {
    ++at_;
    if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    const char* const digits = at_;
    skip_digits();
    return at_ != digits;
  }
  void skip_digits() {
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9')
      ++at_;
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
        return false;
      } else if (c < 0x80) {
        ++at_;
      } else {
        const std::size_t bytes = wide_character({at_, end_});
        if (bytes == 0) return false;
        at_ += bytes;
      }
    }
    return false;
  }

  bool read_escape() {
    if (at_ == end_) return false;
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    const char name = *at_++;
    if (name == 'u') return read_code();
    const auto known = kNames.find(name);
    if (known == kNames.npos) return false;
    unescaped_ += kMeant[known];
    return true;
  }

  // Behind "\u": four digits, or a pair of them for a character beyond U+FFFF.
  bool read_code() {
    std::uint32_t code = 0;
    if (!read_hex(code)) return false;
    if (code >= 0xDC00 && code <= 0xDFFF) return false;
    if (code >= 0xD800 && code <= 0xDBFF) {
      std::uint32_t low = 0;
      if (end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u') return false;
      at_ += 2;
      if (!read_hex(low) || low < 0xDC00 || low > 0xDFFF) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_character(code);
    return true;
  }
  bool read_hex(std::uint32_t& code) {
    if (end_ - at_ < 4) return false;
    for (int i = 0; i < 4; ++i) {
      const char c = *at_++;
      const bool digit = c >= '0' && c <= '9', small = c >= 'a' && c <= 'f';
      if (!digit && !small && (c < 'A' || c > 'F')) return false;
      code = code * 16 + static_cast<std::uint32_t>(digit   ? c - '0'
                                                    : small ? c - 'a' + 10
                                                            : c - 'A' + 10);
    }
    return true;
  }
  void append_character(std::uint32_t code) {
    const auto tail = [&](int shift) {
      unescaped_ += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
    };
    if (code < 0x80) {
      unescaped_ += static_cast<char>(code);
    } else if (code < 0x800) {
      unescaped_ += static_cast<char>(0xC0 | (code >> 6));
      tail(0);
    } else if (code < 0x10000) {
      unescaped_ += static_cast<char>(0xE0 | (code >> 12));
      tail(6), tail(0);
    } else {
      unescaped_ += static_cast<char>(0xF0 | (code >> 18));
      tail(12), tail(6), tail(0);
    }
  }

  const char* at_;
  const char* const end_;
  Listener& listener_;
  const Numbers numbers_;
  std::vector<bool> open_;  // true: an object
  bool first_ = false;      // nothing of the one opened last has been read
  std::string_view text_;
  std::string unescaped_;
  Scanned result_ = Scanned::unsure;
};

template <typename Listener>
Scanned scan_json(std::string_view body, Listener& listener) {
  return JsonScan<Listener>(body, listener).run();
}

}  // namespace surveybridge::mapping
