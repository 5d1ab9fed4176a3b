#include "config/keys/kinds.hpp"

#include <cmath>

#include <fmt/format.h>

#include "config/clock.hpp"
#include "config/keys/patterns.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

std::string shown_text(const std::string& text) {
  return text.empty() ? "" : quoted(text);
}

// A kind that is a TOML scalar of type Raw within limits.
template <class V, class Raw>
Kind<V> scalar(const std::string& type, const std::string& schema,
               std::function<bool(const Raw&)> fits, std::function<std::string(const V&)> show) {
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<V> {
    const Raw* raw = node.as<Raw>();
    if (raw != nullptr && fits(*raw)) return static_cast<V>(*raw);
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  };
  return {type, read, show, {}, Form::toml, schema};
}

template <class V>
Kind<V> whole(V least, V most) {
  return scalar<V, std::int64_t>(
      fmt::format("an integer from {} to {}", least, most),
      fmt::format(R"({{"type":"integer","minimum":{},"maximum":{}}})", least, most),
      [=](std::int64_t value) { return value >= least && value <= most; },
      [](const V& value) { return std::to_string(value); });
}

}  // namespace

std::string must_be(const std::string& type, const std::string& got) {
  return fmt::format("must be {}, got {}", type, got);
}

std::string whole_schema(Form form, const std::string& schema) {
  if (form == Form::table) return schema;
  return R"({"anyOf":[)" + schema + R"(,{"$ref":"#/$defs/outside"}]})";
}

std::string text_schema(std::string_view pattern) {
  std::string escaped;
  for (const char c : pattern)
    escaped += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return R"({"type":"string","pattern":")" + escaped + R"("})";
}

const Node::Table* filled_table(const Node& node, const Trail& trail, const std::string& type) {
  const auto* table = content<Node::Table>(node, trail, type);
  if (table == nullptr || !table->empty()) return table;
  trail.wrong(node.place, must_be(type, "an empty one"));
  return nullptr;
}

Kind<std::string> text_that(std::string type, std::function<bool(const std::string&)> fits) {
  return from_text<std::string>(
      std::move(type),
      [fits = std::move(fits)](const std::string& text) -> Answer<std::string> {
        if (fits(text)) return text;
        return Broken{};
      },
      shown_text);
}

Kind<bool> flag() {
  return scalar<bool, bool>(
      "true or false", R"({"type":"boolean"})", [](bool) { return true; },
      [](bool on) { return on ? "true" : "false"; });
}

Kind<int> integer(int least, int most) {
  return whole<int>(least, most);
}

Kind<std::int64_t> bytes(std::int64_t least, std::int64_t most) {
  return whole<std::int64_t>(least, most);
}

Kind<double> rate(double most) {
  const std::string type = fmt::format("a number above 0, at most {}", most);
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<double> {
    const std::int64_t* whole = node.as<std::int64_t>();
    const double* real = node.as<double>();
    const double value = whole != nullptr  ? static_cast<double>(*whole)
                         : real != nullptr ? *real
                                           : std::nan("");
    if (value > 0 && value <= most) return value;  // false for nan
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  };
  return {type,
          read,
          [](double value) { return fmt::format("{}", value); },
          {},
          Form::toml,
          fmt::format(R"({{"type":"number","exclusiveMinimum":0,"maximum":{}}})", most)};
}

Kind<Milliseconds> duration(Milliseconds least, Milliseconds most) {
  auto kind = from_text<Milliseconds>(
      fmt::format("a duration from \"{}\" to \"{}\"", write_duration(least), write_duration(most)),
      [=](const std::string& text) -> Answer<Milliseconds> {
        const auto read = read_duration(text);
        if (!read || *read < least || *read > most) return Broken{};
        return *read;
      },
      [](const Milliseconds& value) {
        return value.count() == 0 ? "" : quoted(write_duration(value));
      });
  kind.schema = R"({"allOf":[)" +
                text_schema("^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$") + "," +
                text_schema(bounds_pattern(least, most)) + R"(],"type":"string"})";
  return kind;
}

namespace {
constexpr std::string_view kTimeOfDay = "^([01][0-9]|2[0-3]):[0-5][0-9]$";
}

Kind<std::chrono::minutes> time_of_day() {
  return with_pattern(kTimeOfDay, from_text<std::chrono::minutes>(
                                      "a time of day such as \"10:00\"",
                                      [](const std::string& text) -> Answer<std::chrono::minutes> {
                                        if (const auto read = read_time_of_day(text)) return *read;
                                        return Broken{};
                                      }));
}

Kind<std::string> time_of_day_text() {
  return with_pattern(kTimeOfDay,
                      text_that("a time of day such as \"10:00\"", [](const std::string& text) {
                        return read_time_of_day(text).has_value();
                      }));
}

Kind<Date> date() {
  const std::string type = "a date without quotes such as 2026-11-01, from 1970 on";
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<Date> {
    const Date* value = node.as<Date>();
    if (value != nullptr && value->local.time_since_epoch().count() >= 0) return *value;
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  };
  // Editors show a date to the schema as a text.
  return {type, read, {}, {}, Form::toml, R"({"type":"string"})"};
}

Kind<std::string> name(std::string type) {
  return with_pattern(R"(^[^\x00-\x1f\x7f]+$)", text_that(std::move(type), is_name));
}

Kind<std::string> zone() {
  return with_pattern(
      "^[A-Za-z0-9_+/-]+$",
      from_text<std::string>(
          "a time zone such as \"Europe/Amsterdam\"",
          [](const std::string& text) -> Answer<std::string> {
            if (is_zone(text)) return text;
            return Broken{"unknown time zone " + quoted(text) + suggestion(text, zones())};
          },
          shown_text));
}

bool is_absolute_path(const std::string& text) {
  return text.starts_with('/') && text.size() < 4096 && !has_control(text);
}

namespace {

// Checks only what every mail address has.
bool is_address(std::string_view text) {
  const std::size_t at = text.find('@');
  return is_name(text) && at != 0 && at != std::string_view::npos && at + 1 < text.size() &&
         text.find('@', at + 1) == std::string_view::npos &&
         text.find_first_of(", <>") == std::string_view::npos;
}

}  // namespace

Kind<std::string> mail_address() {
  const auto understand = [](const std::string& text) -> Answer<std::string> {
    if (is_address(text)) return text;
    return Broken{"must be a mail address"};
  };
  return with_pattern("^[^@, <>]+@[^@, <>]+$",
                      from_text<std::string>("a mail address", understand));
}

Kind<std::string> absolute_path() {
  return with_pattern("^/", text_that("an absolute path", is_absolute_path));
}

namespace {

struct ToConstant {
  using Result = std::optional<Constant>;
  Result operator()(double value) const {
    return std::isfinite(value) ? Result(value) : std::nullopt;
  }
  Result operator()(const BareTime&) const { return std::nullopt; }
  Result operator()(const Node::List&) const { return std::nullopt; }
  Result operator()(const Node::Table&) const { return std::nullopt; }
  template <class Scalar>
  Result operator()(const Scalar& value) const {
    return value;
  }
};

}  // namespace

bool is_constant(const Node& node) {
  return std::visit(ToConstant{}, node.value).has_value();
}

Kind<Constant> constant() {
  const std::string type = "a text, number, date, true or false";
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<Constant> {
    auto value = std::visit(ToConstant{}, node.value);
    if (!value) trail.wrong(node.place, must_be(type, described(node)));
    return value;
  };
  return {type, read, {}, {}, Form::toml, R"({"type":["string","number","boolean"]})"};
}

bool is_table_name(std::string_view text) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_-";
  return !text.empty() && text.size() <= 40 &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

Kind<std::string> one_of(const std::vector<std::string>& words) {
  std::vector<NamedValue<std::string>> choices;
  for (const std::string& word : words)
    choices.push_back({word, word});
  return choice(choices);
}

}  // namespace surveybridge::config
