#include "daemon/commands/mapping_tests.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "config/keys/key.hpp"
#include "config/keys/kinds.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/commands/customer_fields.hpp"
#include "daemon/push/attachment_reader.hpp"
#include "daemon/push/next_rows.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/suppress/suppression_rules.hpp"
#include "mapping/field_map/compile.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/interface/path.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {

namespace {

using mapping::Type;
using mapping::Value;

// A cell of a row, or a field of a customer.
struct NamedConstant {
  std::string name;
  config::TextPlace place;
  config::Constant value;
};

struct MappingTest {
  config::TextPlace place;
  std::string name, push, reason;
  std::vector<NamedConstant> row, customer;
  bool whole = false;
};

struct TestFile {
  std::vector<MappingTest> tests;
};

config::Kind<std::vector<NamedConstant>> named_constants() {
  using Constants = std::vector<NamedConstant>;
  config::Kind<Constants> kind;
  kind.type = "a table of names and values";
  kind.read = [type = kind.type](const config::Node& node,
                                 const config::Trail& trail) -> std::optional<Constants> {
    const auto* table = config::content<config::Node::Table>(node, trail, type);
    if (table == nullptr) return std::nullopt;
    Constants all;
    for (const auto& [key, place, content] : *table)
      if (auto value = config::read_value(config::constant(), content, trail.key(key)))
        all.push_back({key, place, *std::move(value)});
    return all;
  };
  return kind;
}

void check_test(const config::Node::Table& table, const config::TextPlace& place,
                const config::Trail& trail, MappingTest& test) {
  test.place = place;
  const bool customer = config::find(table, "customer") != nullptr;
  if (customer == (config::find(table, "reason") != nullptr))
    trail.wrong(place, "needs either customer or reason");
  if (test.whole && !customer) trail.key("whole").wrong(place, "is for a customer");
}

config::Kind<TestFile> test_file() {
  using config::key;
  using config::required;
  const auto text =
      config::text_that("a text", [](const std::string& any) { return !any.empty(); });
  const auto test = config::section<MappingTest>(
      {
          key("name", &MappingTest::name, text, "what people are told"),
          required(key("push", &MappingTest::push, text, "whose map is tested")),
          required(
              key("row", &MappingTest::row, named_constants(), "the cells of a row, by column")),
          key("customer", &MappingTest::customer, named_constants(), "fields of the customer"),
          key("whole", &MappingTest::whole, config::flag(), "the customer has no other fields"),
          key("reason", &MappingTest::reason, text, "a part of why the row is not sent"),
      },
      check_test);
  return config::section<TestFile>({required(
      key("test", &TestFile::tests, config::list_of("tables: [[test]]", test), "tests"))});
}

// As a driver gives a cell: a date without an offset is a wall clock.
Value cell_of(const config::Constant& constant) {
  struct ToCell {
    Value operator()(bool value) const { return value; }
    Value operator()(std::int64_t number) const { return number; }
    Value operator()(double number) const {
      const std::string text = fmt::format("{}", number);
      return mapping::Decimal{mapping::is_decimal(text) ? text : fmt::format("{:f}", number)};
    }
    Value operator()(const std::string& text) const { return text; }
    Value operator()(const config::Date& date) const {
      if (date.offset) return mapping::instant_of(date, "UTC");
      return date.local;
    }
  };
  return std::visit(ToCell{}, constant);
}

// What a value is compared and shown by; empty: there is none.
std::optional<std::string> text_of_value(const Value& value, const std::string& zone) {
  if (const auto* local = std::get_if<mapping::LocalTime>(&value))
    return mapping::write_instant(mapping::in_zone(*local, zone));
  if (const auto* content = std::get_if<mapping::Bytes>(&value))
    return fmt::format("{} bytes", content->bytes.size());
  const auto text = mapping::coerce(value, Type::text, zone);
  const auto* found = std::get_if<Value>(&text);
  if (found == nullptr || mapping::text_of(*found).empty()) return std::nullopt;
  return mapping::text_of(*found);
}

// "AnswersToCopy[0]", of which no path speaks.
bool is_value_in_list(const std::string& name) {
  const auto* field = mapping::import_customer().find(name.substr(0, name.find('[')));
  return name.ends_with(']') && field != nullptr && field->list && field->of == nullptr;
}

// The tests of one push.
class PushTests {
 public:
  PushTests(const config::Push& push, const std::string& zone, TimePoint now)
      : push_(push),
        zone_(zone),
        now_(now),
        columns_(mapping::columns_of(push)),
        mapper_(std::get<mapping::Mapper>(
            mapping::Mapper::make(push, columns_, {}, zone, read_from_folder))) {}

  // What of the test can never be right.
  void check(const MappingTest& test, const config::Trail& trail) const {
    for (const auto& cell : test.row)
      if (std::ranges::find(columns_, cell.name) == columns_.end())
        trail.key("row").key(cell.name).wrong(
            cell.place, fmt::format("push \"{}\" reads no such column{}", push_.name,
                                    config::suggestion(cell.name, columns_)));
    for (const auto& field : test.customer) {
      const auto path = mapping::Path::parse(field.name, mapping::import_customer());
      const auto* fault = std::get_if<std::string>(&path);
      if (fault != nullptr && !is_value_in_list(field.name))
        trail.key("customer").key(field.name).wrong(field.place, *fault);
    }
  }

  void run(const MappingTest& test, std::vector<MappingFault>& faults) const {
    const auto [reason, customer] = outcome_of(test);
    const auto fails = [&](const std::string& field, std::optional<std::string> expected,
                           std::optional<std::string> found) {
      faults.push_back({test.name, test.place, field, std::move(expected), std::move(found)});
    };
    const std::string found = customer ? "a customer" : reason;
    if (!test.reason.empty()) {
      if (customer || reason.find(test.reason) == std::string::npos)
        fails("reason", test.reason, found);
      return;
    }
    if (!customer) return fails("reason", "a customer", found);
    compare(test, fields_of(*customer, {}), fails);
  }

 private:
  struct Outcome {
    std::string reason;
    std::optional<mapping::Record> customer;  // empty: the reason says why
  };

  const config::Constant* named(const MappingTest& test, const std::string& column) const {
    const auto cell = std::ranges::find(test.row, column, &NamedConstant::name);
    return cell == test.row.end() ? nullptr : &cell->value;
  }

  // Why no poll finds the row; empty: one does. Of key and `when` only what the test names counts.
  std::string why_not_found(const MappingTest& test, const std::string& key) const {
    const bool is_key = !key.empty() && key.size() <= crm::kKeyBytesMax;
    if (named(test, push_.key) != nullptr && !is_key) return "left out: " + keyless_text(push_, 1);
    const auto* when = named(test, push_.when);
    if (when == nullptr) return "";
    const auto date = mapping::coerce(cell_of(*when), Type::instant, zone_);
    const auto* read = std::get_if<Value>(&date);
    const auto* at = read == nullptr ? nullptr : std::get_if<mapping::Instant>(read);
    if (at == nullptr) return "quarantined: " + std::string(crm::kUndated);
    return *at < mapping::instant_of(push_.start, zone_) ? "left out: before start" : "";
  }

  Outcome outcome_of(const MappingTest& test) const {
    mapping::Row row;
    for (const auto& column : columns_) {
      const auto* cell = named(test, column);
      row.cells.push_back(cell == nullptr ? Value{} : cell_of(*cell));
      if (column == push_.key) row.key = text_of_value(row.cells.back(), zone_).value_or("");
    }
    if (auto why = why_not_found(test, row.key); !why.empty()) return {std::move(why), {}};
    MappedRows mapped = map_rows(mapper_, {row}, push_.batch, now_);
    for (const auto& aside : mapped.set_aside)
      return {"quarantined: " + aside.reason, {}};
    for (const auto& skipped : mapped.skipped)
      return {"suppressed: " + skipped.reason, {}};
    for (const auto& waiting : mapped.waiting)
      return {"not yet: " + waiting.reason, {}};
    const bool by_person = push_.sample_by == config::Push::SampleBy::person;
    const Candidate candidate{push_.name, by_person || is_drawn(push_, row.key, "")};
    const Decision ruling = decide(candidate, {}, nullptr, now_);
    if (ruling.what != Decision::What::go) return {"suppressed: " + ruling.reason, {}};
    return {"", std::move(mapped.items.front().customer)};
  }

  template <typename Fails>
  void compare(const MappingTest& test, const CustomerFields& fields, const Fails& fails) const {
    for (const auto& field : test.customer) {
      const auto is_it = [&](const auto& each) {
        return mapping::same_name(each.first, field.name);
      };
      const auto at = std::ranges::find_if(fields, is_it);
      auto found = at == fields.end() ? std::nullopt : text_of_value(at->second, zone_);
      auto expected = text_of_value(cell_of(field.value), zone_);
      if (found != expected) fails(field.name, std::move(expected), std::move(found));
    }
    if (!test.whole) return;
    for (const auto& each : fields) {
      const auto is_it = [&](const NamedConstant& field) {
        return mapping::same_name(field.name, each.first);
      };
      auto found = text_of_value(each.second, zone_);
      if (found && std::ranges::none_of(test.customer, is_it))
        fails(each.first, std::nullopt, std::move(found));
    }
  }

  const config::Push& push_;
  const std::string& zone_;
  const TimePoint now_;
  const std::vector<std::string> columns_;
  const mapping::Mapper mapper_;
};

}  // namespace

std::variant<MappingTested, std::vector<config::Problem>> run_mapping_tests(
    std::string_view text, const std::string& file, const config::Settings& settings,
    TimePoint now) {
  auto toml = config::read_toml(text, file);
  if (auto* problem = std::get_if<config::Problem>(&toml))
    return std::vector<config::Problem>{std::move(*problem)};
  std::get<config::Node>(toml).place = {file, 0, 0};  // what the document lacks is at no line of it
  std::vector<config::Problem> found;
  const config::Trail trail(found);
  auto read = test_file().read(std::get<config::Node>(toml), trail);
  if (!found.empty() || !read) return found;
  std::map<std::string, PushTests> pushes;
  for (const auto& push : settings.pushes)
    pushes.try_emplace(push.name, push, settings.crm.time_zone, now);
  for (std::size_t i = 0; i < read->tests.size(); ++i) {
    MappingTest& test = read->tests[i];
    if (test.name.empty()) test.name = fmt::format("test {}", i + 1);
    const config::Trail at = trail.key("test").item(i);
    const auto push = pushes.find(test.push);
    if (push == pushes.end())
      at.key("push").wrong(test.place,
                           fmt::format("there is no push \"{}\"{}", test.push,
                                       config::suggestion(test.push, names_of(settings.pushes))));
    else
      push->second.check(test, at);
  }
  if (!found.empty()) return found;
  MappingTested tested{read->tests.size(), {}};
  for (const auto& test : read->tests)
    pushes.at(test.push).run(test, tested.faults);
  return tested;
}

}  // namespace surveybridge::daemon
