// Reads a write-back's path from each kind of record.
#include "mapping/interface/path.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using namespace surveybridge::mapping;

// A record with one item in every list, so that a path can be followed.
Record filled(const Resource& shape) {
  Record record(shape);
  for (const Field& field : shape.fields) {
    Slot& slot = record.slots[shape.index(field)];
    if (field.type == Type::object) {
      slot.records = {filled(*field.of), Record(*field.of)};
    } else if (field.list) {
      slot.values = {std::int64_t{1}};
    } else if (field.type == Type::integer) {
      slot.value = std::int64_t{1200};
    } else if (field.type == Type::text) {
      slot.value = "OrderNumber";
    }
  }
  return record;
}

const Record& record_at(std::size_t index) {
  static const Record kRecords[] = {filled(customer()), filled(rating()), filled(bouncer())};
  return kRecords[index];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const Record& record = record_at(fuzz::choice(text, 3));
  const auto path = Path::parse(text, *record.resource);
  if (const auto* fault = std::get_if<std::string>(&path)) {
    fuzz::promise(!fault->empty(), "a path that is none has a fault");
    return 0;
  }
  fuzz::promise(std::get<Path>(path).type() != Type::object, "a path leads to a single value");
  (void)std::get<Path>(path).read(record);
  (void)std::get<Path>(path).read(Record(*record.resource));
  return 0;
}
