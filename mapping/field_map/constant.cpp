#include "mapping/field_map/constant.hpp"

#include <fmt/format.h>

#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {

namespace {

// The operator's text, as a message shows it.
struct Shown {
  std::string operator()(bool flag) const { return fmt::format("the boolean {}", flag); }
  std::string operator()(std::int64_t number) const {
    return fmt::format("the integer {}", number);
  }
  std::string operator()(double number) const { return fmt::format("the number {}", number); }
  std::string operator()(const std::string& text) const {
    return fmt::format("the string \"{}\"", text);
  }
  std::string operator()(const config::Date& date) const {
    return fmt::format("the date {}", write_local(date.local));
  }
};

struct Converted {
  const std::string& zone;
  Value operator()(bool flag) const { return flag; }
  Value operator()(std::int64_t number) const { return number; }
  Value operator()(double number) const { return Decimal{fmt::format("{:f}", number)}; }
  Value operator()(const std::string& text) const { return text; }
  Value operator()(const config::Date& date) const { return instant_of(date, zone); }
};

// Does TOML write values of this type like this?
bool is_written_so(const config::Constant& constant, Type type) {
  switch (type) {
    case Type::boolean:
      return std::holds_alternative<bool>(constant);
    case Type::integer:
      return std::holds_alternative<std::int64_t>(constant);
    case Type::decimal:
      return std::holds_alternative<std::int64_t>(constant) ||
             std::holds_alternative<double>(constant);
    case Type::instant:
      return std::holds_alternative<config::Date>(constant);
    case Type::enumeration:
      return std::holds_alternative<std::int64_t>(constant) ||
             std::holds_alternative<std::string>(constant);
    default:
      return std::holds_alternative<std::string>(constant);
  }
}

std::string_view described(Type type) {
  // In the order of Type.
  static constexpr std::string_view kWords[] = {
      "a boolean", "an integer", "a number",    "text",
      "a GUID",    "a date",     "base64 text", "a choice's number or name",
      "an object"};
  return kWords[static_cast<std::size_t>(type)];
}

}  // namespace

Instant instant_of(const config::Date& date, const std::string& zone) {
  if (!date.offset) return in_zone(date.local, zone);
  return Instant{date.local.time_since_epoch() - *date.offset};
}

Coerced from_constant(const config::Constant& constant, Type type, const std::string& zone) {
  const std::string got = std::visit(Shown{}, constant);
  if (!is_written_so(constant, type))
    return ConversionError{fmt::format("expected {}, got {}", described(type), got)};
  Coerced coerced = coerce(std::visit(Converted{zone}, constant), type, zone);
  if (const auto* misfit = std::get_if<ConversionError>(&coerced))
    return ConversionError{
        fmt::format("expected {}, but {} is {}", described(type), got, misfit->rule)};
  return coerced;
}

}  // namespace surveybridge::mapping
