#include "connectors/crm/driver/server_encoding.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include <iconv.h>

namespace surveybridge::crm {
namespace {

// A conversion from UTF-8, or none.
class Conversion {
 public:
  explicit Conversion(const std::string& to) : handle_(iconv_open(to.c_str(), "UTF-8")) {}
  ~Conversion() {
    if (known()) iconv_close(handle_);
  }
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  bool known() const { return handle_ != reinterpret_cast<iconv_t>(-1); }

  // How many bytes at the begin of the text can be converted.
  std::size_t convertible(std::string_view text) {
    iconv(handle_, nullptr, nullptr, nullptr, nullptr);
    char* from = const_cast<char*>(text.data());
    std::size_t left = text.size();
    std::array<char, 4096> room;
    for (;;) {
      char* to = room.data();
      std::size_t space = room.size();
      const std::size_t done = iconv(handle_, &from, &left, &to, &space);
      const bool no_room = done == static_cast<std::size_t>(-1) && errno == E2BIG;
      if (!no_room) return text.size() - left;
    }
  }

 private:
  iconv_t handle_;
};

// PostgreSQL's name of an encoding, as iconv calls it.
std::string iconv_name(std::string name) {
  if (name == "LATIN9") return "ISO-8859-15";
  if (name.starts_with("WIN")) return "CP" + name.substr(3);
  std::ranges::replace(name, '_', '-');
  return name;
}

std::size_t character_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80)
    ++size;
  return size;
}

}  // namespace

std::string fitting(std::string text, const std::string& encoding) {
  const bool ascii = std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; });
  if (ascii || encoding.empty() || encoding == "UTF8" || encoding == "SQL_ASCII") return text;
  Conversion conversion(iconv_name(encoding));
  if (!conversion.known()) return text;
  std::string fits;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t good = conversion.convertible(rest);
    fits += rest.substr(0, good);
    rest.remove_prefix(good);
    if (rest.empty()) break;
    fits += '?';
    rest.remove_prefix(character_size(rest));
  }
  return fits;
}

}  // namespace surveybridge::crm
