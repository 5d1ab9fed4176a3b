#include "mapping/codec/scalar.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "mapping/values/base64.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

using Kind = Token::Kind;
using ReadScalar = std::variant<Scalar, std::string>;

constexpr std::size_t kLongestQuoted = 32;

// Safe in a log: short, and without the characters of an address or a sentence.
bool quotable(std::string_view text) {
  const auto harmless = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view(" .,:+-/_").find(c) != std::string_view::npos;
  };
  return text.size() <= kLongestQuoted && std::ranges::all_of(text, harmless);
}

std::string shown(Token token) {
  if (!quotable(token.text)) return fmt::format("a text of {} bytes", token.text.size());
  const bool bare = token.kind == Kind::boolean || token.kind == Kind::number;
  return bare ? std::string(token.text) : fmt::format("\"{}\"", token.text);
}

std::string refusal(Type type, Token token) {
  return fmt::format("expected {}, got {}", wanted(type), shown(token));
}

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_integer(std::string_view text) {
  return all_digits(text.starts_with('-') ? text.substr(1) : text);
}

ReadScalar read_integer(Type type, Token token) {
  const auto text = without_zero_fraction(token.text);
  if (const auto value = to_number<std::int64_t>(text)) return Scalar{*value};
  if (is_integer(text)) return fmt::format("expected integer of 64 bits, got {}", shown(token));
  return refusal(type, token);
}

ReadScalar read_boolean(Token token) {
  static constexpr std::string_view kTrue[] = {"true", "1", "yes", "y", "t", "on"};
  static constexpr std::string_view kFalse[] = {"false", "0", "no", "n", "f", "off"};
  const auto text = without_zero_fraction(without_blanks(token.text));
  const auto is = [&](std::string_view word) { return same_name(text, word); };
  if (std::ranges::any_of(kTrue, is)) return Scalar{true};
  if (std::ranges::any_of(kFalse, is)) return Scalar{false};
  return refusal(Type::boolean, token);
}

ReadScalar read_decimal(Token token) {
  if (!is_decimal(token.text)) return refusal(Type::decimal, token);
  return Scalar{Decimal{std::string(token.text)}};
}

ReadScalar read_enumeration(Token token) {
  const bool numeric = token.kind == Kind::number || is_integer(token.text);
  if (!numeric) return Scalar{Enumerator{std::nullopt, std::string(token.text)}};
  const auto number = read_integer(Type::enumeration, token);
  const auto* scalar = std::get_if<Scalar>(&number);
  if (scalar == nullptr) return number;
  return Scalar{Enumerator{std::get<std::int64_t>(scalar->value), ""}};
}

ReadScalar read_instant(Token token, const std::string& zone) {
  const auto date = token.kind == Kind::number ? std::nullopt : read_date(token.text);
  if (!date) return refusal(Type::instant, token);
  if (const auto* local = std::get_if<LocalTime>(&date->value)) {
    return Scalar{in_zone(*local, zone), date->finer};
  }
  return Scalar{date->value, date->finer};
}

ReadScalar read_bytes(Token token) {
  auto bytes = token.kind == Kind::number ? std::nullopt : read_base64(token.text);
  if (!bytes) return fmt::format("expected base64, got a text of {} bytes", token.text.size());
  return Scalar{Bytes{std::move(*bytes)}};
}

Scalar read_text(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (auto nul = text.find('\0'); nul != text.npos; nul = text.find('\0')) {
    kept += text.substr(0, nul);
    kept += "\uFFFD";
    text.remove_prefix(nul + 1);
  }
  kept += text;
  return {std::move(kept)};
}

}  // namespace

std::string_view wanted(Type type) {
  // In the order of Type.
  static constexpr std::string_view kWords[] = {"true or false", "integer",        "decimal",
                                                "text",          "text",           "date and time",
                                                "base64",        "number or name", "an object"};
  return kWords[static_cast<std::size_t>(type)];
}

ReadScalar read_scalar(Type type, Token token, const std::string& zone) {
  if (token.kind == Kind::null) return Scalar{};
  if (type == Type::text || type == Type::guid) return read_text(token.text);
  if (type == Type::object) return refusal(type, token);
  const auto inner = without_blanks(token.text);
  if (inner.empty()) return Scalar{};
  if (token.kind == Kind::markup) token.text = inner;
  if (token.kind == Kind::boolean && type != Type::boolean) return refusal(type, token);
  switch (type) {
    case Type::boolean:
      return read_boolean(token);
    case Type::decimal:
      return read_decimal(token);
    case Type::enumeration:
      return read_enumeration(token);
    case Type::instant:
      return read_instant(token, zone);
    case Type::base64:
      return read_bytes(token);
    default:
      return read_integer(type, token);
  }
}

}  // namespace surveybridge::mapping
