#include "mapping/field_map/rule.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "mapping/field_map/coerce.hpp"
#include "mapping/values/address.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/html.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLongest = 100;

// The digits of "1.234.567"; nothing if the groups do not have three digits.
std::optional<std::string> without_groups(std::string_view text, std::string_view part) {
  std::string digits;
  for (bool first = true;; first = false) {
    const auto end = std::min(text.find(part), text.size());
    const std::string_view group = text.substr(0, end);
    if (!all_digits(group) || (first ? group.size() > 3 : group.size() != 3)) return std::nullopt;
    digits += group;
    if (end == text.size()) return digits;
    text.remove_prefix(end + part.size());
  }
}

std::optional<std::string> whole_digits(std::string_view text, char point) {
  if (all_digits(text)) return std::string(text);
  const std::array parts = {
      point == ',' ? "."sv : ","sv, " "sv, "\u00A0"sv, "\u202F"sv, "'"sv, "\u2019"sv};
  for (const std::string_view part : parts) {
    if (text.find(part) != text.npos) return without_groups(text, part);
  }
  return std::nullopt;
}

// A number as people write it: "1.234,50". `point` is the sign before the decimals, ',' or '.'.
// Groups of three digits may be separated by the other sign, by blanks (also no-break blanks) or by
// apostrophes, the same throughout. Nothing else: no exponent, no currency, no second sign. "1,5"
// with a decimal point is no number.
std::optional<Decimal> read_number(std::string_view text, char point) {
  if (text.size() > kLongest) return std::nullopt;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto at = text.find(point);
  const auto whole = whole_digits(text.substr(0, at), point);
  if (!whole) return std::nullopt;
  std::string number = (negative ? "-" : "") + *whole;
  if (at != text.npos) {
    const std::string_view decimals = text.substr(at + 1);
    if (!all_digits(decimals)) return std::nullopt;
    number += '.';
    number += decimals;
  }
  return Decimal{std::move(number)};
}

using std::chrono::days;

// Joins two cells. Where one is empty, one blank beside it is dropped.
void append(std::string& text, std::string_view piece, bool& gap) {
  if (gap && piece.starts_with(' ') && (text.empty() || text.ends_with(' ')))
    piece.remove_prefix(1);
  gap = gap && piece.empty();
  text += piece;
}

// The filled-in template; Null if all its columns are null or empty.
Coerced filled(const ValueRule& origin, const Row& row) {
  std::string text;
  bool gap = false, any = false;
  for (const Piece& piece : origin.pieces) {
    if (!piece.column) {
      append(text, piece.text, gap);
      continue;
    }
    const Coerced cell = coerce(row.cells[*piece.column], Type::text, origin.zone);
    if (std::holds_alternative<ConversionError>(cell)) return cell;
    const auto* part = std::get_if<std::string>(&std::get<Value>(cell));
    const std::string_view kept = part == nullptr ? "" : origin.trim ? trimmed(*part) : *part;
    gap = gap || kept.empty();
    any = any || !kept.empty();
    append(text, kept, gap);
  }
  if (gap && text.ends_with(' ')) text.pop_back();
  return any ? Coerced{std::move(text)} : Coerced{Null{}};
}

// Empty: there is no such part.
std::string_view part_of(std::string_view text, std::string_view split, int part) {
  const bool backwards = part < 0;
  for (int left = backwards ? -part : part; left > 1; --left) {
    const auto at = backwards ? text.rfind(split) : text.find(split);
    if (at == text.npos) return {};
    text = backwards ? text.substr(0, at) : text.substr(at + split.size());
  }
  if (!backwards) return text.substr(0, text.find(split));
  const auto at = text.rfind(split);
  return at == text.npos ? text : text.substr(at + split.size());
}

// Is the text of the cell needed, whatever the type of the column? Words and a pattern tell what a
// number means, too; a cell that is a boolean or a date already needs neither.
bool wants_text(const ValueRule& origin, const Value& cell) {
  const bool number =
      std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<Decimal>(cell);
  return origin.html || !origin.split.empty() || origin.lower || origin.upper ||
         origin.takes_address || !origin.meanings.empty() ||
         (number && (origin.words || origin.pattern));
}

// The text of the columns: of HTML, one part, trimmed, in small letters or capitals; empty text is
// null.
Coerced cell_of(const ValueRule& origin, const Row& row) {
  Coerced cell = origin.column ? Coerced{row.cells[*origin.column]} : filled(origin, row);
  if (std::holds_alternative<ConversionError>(cell)) return cell;
  if (wants_text(origin, std::get<Value>(cell))) {
    cell = coerce(std::get<Value>(cell), Type::text, origin.zone);
    if (std::holds_alternative<ConversionError>(cell)) return cell;
  }
  const auto* text = std::get_if<std::string>(&std::get<Value>(cell));
  if (text == nullptr) return cell;
  const std::string plain = origin.html ? text_of_html(*text) : *text;
  const std::string_view part =
      origin.split.empty() ? plain : part_of(plain, origin.split, origin.part);
  NamedAddresses named;
  if (origin.takes_address) named = addresses_in(part);
  const std::string_view source = named.addresses.empty() ? part : named.addresses.front();
  const std::string_view kept = origin.trim ? trimmed(source) : source;
  if (kept.empty()) return Null{};
  if (origin.lower) return in_small_letters(kept);
  if (origin.upper) return in_capitals(kept);
  return std::string{kept};
}

Coerced chosen(const ValueRule& origin, const std::string& text) {
  const auto found = std::ranges::find(origin.meanings, text, &MapEntry::from);
  if (found != origin.meanings.end()) return found->to;
  if (!is_null(origin.otherwise)) return origin.otherwise;
  return ConversionError{fmt::format("none of the {} texts of its map", origin.meanings.size())};
}

Coerced as_number(const std::string& text, config::FieldSource::Number how) {
  const bool comma = how == config::FieldSource::Number::comma;
  if (auto number = read_number(text, comma ? ',' : '.')) return *std::move(number);
  return ConversionError{comma ? "not a number with a decimal comma"
                               : "not a number with a decimal point"};
}

Coerced as_boolean(const std::string& text, const config::Words& words) {
  const auto is_it = [&](const std::string& word) { return same_name(word, text); };
  if (std::ranges::any_of(words.yes, is_it)) return true;
  if (std::ranges::any_of(words.no, is_it)) return false;
  return ConversionError{"none of its words for true and false"};
}

// Converted at once, because the zone of this text is known here only.
Coerced as_date(const std::string& text, const ValueRule& origin) {
  const auto date = origin.pattern->read(text);
  if (!date) return ConversionError{fmt::format("not a date written as {}", origin.pattern_text)};
  return coerce(*date, Type::instant, origin.zone);
}

// The content of the file that the cell names.
Coerced content_of(const ValueRule& origin, const Value& cell, const FileReader& read_file) {
  const Coerced name = coerce(cell, Type::text, origin.zone);
  if (std::holds_alternative<ConversionError>(name)) return name;
  Coerced content =
      read_file
          ? read_file(origin.folder, std::get<std::string>(std::get<Value>(name)), origin.bytes_max)
          : ConversionError{"cannot be read here"};
  if (auto* misfit = std::get_if<ConversionError>(&content))
    misfit->rule = fmt::format("the file named by {} {}", origin.columns, misfit->rule);
  return content;
}

// The meaning of the cell, in the field's type.
Coerced meaning_of(const ValueRule& origin, const Row& row, const FileReader& read_file) {
  Coerced cell = cell_of(origin, row);
  const auto* value = std::get_if<Value>(&cell);
  if (value == nullptr || is_null(*value)) return cell;
  if (!origin.folder.empty()) return content_of(origin, *value, read_file);
  if (const auto* text = std::get_if<std::string>(value)) {
    using Number = config::FieldSource::Number;
    if (!origin.meanings.empty()) return chosen(origin, *text);
    if (origin.number != Number::plain) cell = as_number(*text, origin.number);
    if (origin.words) cell = as_boolean(*text, *origin.words);
    if (origin.pattern) cell = as_date(*text, origin);
  }
  if (std::holds_alternative<ConversionError>(cell)) return cell;
  return coerce(std::get<Value>(cell), origin.type, origin.zone);
}

// Whole days follow the calendar, so the time of day stays the same when the clocks change. All
// other lengths are elapsed time.
Value shifted(Instant instant, const ValueRule& origin) {
  const bool calendar = origin.plus % days{1} == config::Milliseconds{0};
  if (!calendar) instant += origin.plus;
  if (!origin.at && (!calendar || origin.plus.count() == 0)) return instant;
  LocalTime local = to_zone(instant, origin.zone);
  if (calendar) local += origin.plus;
  if (origin.at) local = std::chrono::floor<days>(local) + *origin.at;
  return local;
}

// The later of the two, if there is an earliest date.
Coerced bounded(Instant instant, const ValueRule& origin, const Row& row) {
  Coerced bound = origin.not_before;
  if (origin.not_before_column)
    bound = coerce(row.cells[*origin.not_before_column], Type::instant, origin.zone);
  if (const auto* misfit = std::get_if<ConversionError>(&bound))
    return ConversionError{fmt::format("not_before is {}", misfit->rule)};
  const auto* earliest = std::get_if<Instant>(&std::get<Value>(bound));
  return earliest == nullptr ? instant : std::max(instant, *earliest);
}

// Is it too large for one file?
bool is_too_large(const Value& value, const ValueRule& origin) {
  const auto* content = std::get_if<Bytes>(&value);
  return content != nullptr && origin.reads() && content->bytes.size() > origin.bytes_max;
}

Found as_found(Coerced coerced, const ValueRule& origin) {
  if (const auto* misfit = std::get_if<ConversionError>(&coerced))
    return because(origin, misfit->rule);
  return std::get<Value>(std::move(coerced));
}

Found finished(Value value, const ValueRule& origin, const Row& row) {
  if (const auto* instant = std::get_if<Instant>(&value)) {
    // Checked once more, because plus may leave the allowed years.
    Coerced moved = coerce(shifted(*instant, origin), origin.type, origin.zone);
    if (const auto* at = std::get_if<Value>(&moved); at != nullptr && !is_null(*at))
      moved = bounded(std::get<Instant>(*at), origin, row);
    return as_found(std::move(moved), origin);
  }
  auto* text = std::get_if<std::string>(&value);
  if (text && origin.max_length)
    return std::string{first_characters(*text, static_cast<std::size_t>(*origin.max_length))};
  if (text && origin.address) {
    if (const auto fault = fault_in_address(*text))
      return because(origin, fmt::format("not an address: {}", *fault));
  }
  return value;
}

}  // namespace

Unmappable because(const ValueRule& origin, std::string_view rule) {
  return {fmt::format("{}: {}", origin.place, rule), false};
}

std::string missing(const ValueRule& origin, std::string_view by) {
  return fmt::format("{}{}, {} {} null or empty", origin.skips ? "skipped" : "required", by,
                     origin.columns, origin.pieces.empty() ? "is" : "are");
}

Found value_of(const ValueRule& origin, const Row& row, const FileReader& read_file) {
  Coerced coerced = origin.reads() ? meaning_of(origin, row, read_file) : Coerced{origin.constant};
  if (const auto* misfit = std::get_if<ConversionError>(&coerced))
    return because(origin, misfit->rule);
  Value& value = std::get<Value>(coerced);
  if (is_too_large(value, origin))
    return because(origin, fmt::format("{} {} more than {} bytes", origin.columns,
                                       origin.pieces.empty() ? "holds" : "hold", origin.bytes_max));
  if (is_null(value)) value = origin.fallback;
  if (is_null(value) && origin.required)
    return Unmappable{because(origin, missing(origin, "")).reason, origin.skips};
  return finished(std::move(value), origin, row);
}

}  // namespace surveybridge::mapping
