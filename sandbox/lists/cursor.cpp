#include "sandbox/lists/cursor.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace sandbox {
namespace {

// Makes the text unreadable; applied twice it gives the text again.
std::string veiled(std::string_view text) {
  std::string out(text);
  std::uint64_t state = 0x5EED;
  for (char& c : out) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    c = static_cast<char>(c ^ static_cast<char>(state >> 56));
  }
  return out;
}

template <typename Number>
bool take_number(std::string_view& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty()) text.remove_prefix(1);
  return true;
}

}  // namespace

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

std::string write_base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  return out;
}

std::optional<std::string> read_base64(std::string_view text) {
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string out(text.size() / 4 * 3, '\0');
  const int read = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (read < static_cast<int>(padding)) return std::nullopt;
  out.resize(static_cast<std::size_t>(read) - padding);
  return out;
}

std::string write_cursor(const Cursor& cursor) {
  const std::string content = fmt::format("{}{}.{}.{}.{}", cursor.list, cursor.after, cursor.filter,
                                          cursor.issued_us, cursor.page);
  return write_base64(veiled(fmt::format("{}.{}", fingerprint(content), content)));
}

std::optional<Cursor> read_cursor(std::string_view text) {
  const auto bytes = read_base64(text);
  if (!bytes) return std::nullopt;
  const std::string plain = veiled(*bytes);
  std::string_view rest = plain;
  std::uint64_t check = 0;
  if (!take_number(rest, check) || rest.empty() || fingerprint(rest) != check) return std::nullopt;
  Cursor cursor;
  cursor.list = rest.front();
  rest.remove_prefix(1);
  if (!take_number(rest, cursor.after) || !take_number(rest, cursor.filter) ||
      !take_number(rest, cursor.issued_us) || !take_number(rest, cursor.page)) {
    return std::nullopt;
  }
  return cursor;
}

}  // namespace sandbox
