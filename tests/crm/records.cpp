#include "tests/crm/records.hpp"

#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Field;
using mapping::Record;
using mapping::Type;

Instant moment(std::int64_t seed) {
  return Instant{std::chrono::microseconds{1'700'000'000'123'456 + seed * 86'400'000'001}};
}

Value scalar(const Field& field, std::int64_t seed) {
  switch (field.type) {
    case Type::boolean:
      return seed % 2 == 0;
    case Type::integer:
      return seed;
    case Type::decimal:
      return mapping::Decimal{std::to_string(seed) + ".50"};
    case Type::guid:
      return "00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + seed);
    case Type::instant:
      return moment(seed);
    case Type::base64:
      return mapping::Bytes{std::string("\0\xFF\\\"x", 5)};
    case Type::enumeration:
      return mapping::Enumerator{seed, "Name" + std::to_string(seed)};
    case Type::text:
    case Type::object:
      break;
  }
  return std::string(field.name) + " \"é\" " + std::to_string(seed);
}

Record fill(const mapping::Resource& shape, std::int64_t seed, int items) {
  Record record(shape);
  for (std::size_t i = 0; i < shape.fields.size(); ++i) {
    const Field& field = shape.fields[i];
    auto& slot = record.slots[i];
    if (field.type != Type::object && !field.list) slot.value = scalar(field, seed);
    if (field.type != Type::object && field.list) slot.values = {scalar(field, seed)};
    if (field.type != Type::object) continue;
    for (int n = 0; n < (field.list ? items : 1); ++n) {
      slot.records.push_back(fill(*field.of, seed + n, 1));
    }
  }
  return record;
}

}  // namespace

Record filled(const mapping::Resource& shape, std::int64_t seed) {
  return fill(shape, seed, 2);
}

Record full_customer(std::int64_t id) {
  Record customer = filled(mapping::customer(), id);
  customer.set("Email", "jo" + std::to_string(id) + "@example.test");
  customer.at("Answers").records.at(1).at("FileAnswers").records.clear();
  return customer;
}

Record bare_customer(std::int64_t id) {
  Record customer(mapping::customer());
  customer.set("Id", id);
  return customer;
}

Value as_stored(const mapping::TableColumn& column, const Value& cell) {
  using mapping::ColumnType;
  if (mapping::is_null(cell)) return cell;
  if (column.type == ColumnType::boolean) return boolean_in(cell);
  if (column.type == ColumnType::instant) return instant_in(cell).value();
  return cell;
}

}  // namespace surveybridge::crm
