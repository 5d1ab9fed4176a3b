#include "tests/mapping/full_record.hpp"

namespace surveybridge::mapping {
namespace {

Value value_of(Type type, std::int64_t number) {
  const std::string text = std::to_string(number);
  switch (type) {
    case Type::boolean:
      return number % 2 == 0;
    case Type::integer:
      return number;
    case Type::decimal:
      return Decimal{text + ".5"};
    case Type::guid:
      return "00000000-0000-4000-8000-" + std::string(12 - text.size(), '0') + text;
    case Type::instant:
      return Instant{std::chrono::microseconds{1'790'000'000'000'001 + number}};
    case Type::base64:
      return Bytes{std::string("\0\xFF", 2) + text};
    case Type::enumeration:
      return Enumerator{number, ""};
    default:
      return "text " + text;
  }
}

void fill(Record& record, std::size_t items, std::int64_t& number) {
  for (std::size_t i = 0; i < record.slots.size(); ++i) {
    const Field& field = record.resource->fields[i];
    Slot& slot = record.slots[i];
    if (field.type == Type::object) {
      for (std::size_t item = 0; item < (field.list ? items : 1); ++item) {
        fill(slot.records.emplace_back(*field.of), items, number);
      }
    } else if (field.list) {
      for (std::size_t item = 0; item < items; ++item) {
        slot.values.push_back(value_of(field.type, number++));
      }
    } else {
      slot.value = value_of(field.type, number++);
    }
  }
}

}  // namespace

Record full_record(const Resource& resource, std::size_t items) {
  Record record(resource);
  std::int64_t number = 1;
  fill(record, items, number);
  return record;
}

}  // namespace surveybridge::mapping
