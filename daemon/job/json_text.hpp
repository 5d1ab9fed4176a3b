// Writes JSON for programs that read our output, directly to the stream.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/text.hpp"

namespace surveybridge::daemon {

class JsonText {
 public:
  JsonText& open(char bracket) {
    separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  JsonText& close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  JsonText& member(std::string_view name) {
    separate();
    quote(name);
    text_ += ':';
    first_ = true;  // the value follows without a comma
    return *this;
  }
  JsonText& text(std::string_view value) {
    separate();
    quote(value);
    return *this;
  }
  JsonText& number(std::int64_t value) {
    separate();
    text_ += std::to_string(value);
    return *this;
  }
  JsonText& flag(bool value) {
    separate();
    text_ += value ? "true" : "false";
    return *this;
  }
  std::string take() { return std::move(text_); }

 private:
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }
  void quote(std::string_view value) {
    text_ += '"';
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') text_ += '\\';
      if (byte < 0x20) {
        text_ += "\\u00";
        config::append_hex(text_, {&c, 1});
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace surveybridge::daemon
