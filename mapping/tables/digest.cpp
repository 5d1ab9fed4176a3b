// What a record's content hashes to, so that an unchanged record is recognised without comparing
// its rows. XXH3 with 128 bits: nobody gains by two records with one digest.
#define XXH_INLINE_ALL
#include <memory>

#include <fmt/format.h>
#include <xxhash.h>

#include "mapping/tables/tables.hpp"

namespace surveybridge::mapping {

namespace {

class Hash {
 public:
  Hash() : state_(XXH3_createState(), XXH3_freeState) { XXH3_128bits_reset(state_.get()); }

  void add(std::string_view bytes) {
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
  }
  void add(std::uint64_t number) { XXH3_128bits_update(state_.get(), &number, sizeof number); }
  std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

// The kind of a value goes before it, and the length of a text: what differs never hashes alike
// because of where a text ends.
struct AddValue {
  Hash& hash;

  void operator()(const Null&) const { hash.add(std::uint64_t{0}); }
  void operator()(bool value) const { hash.add(std::uint64_t{value ? 2U : 1U}); }
  void operator()(std::int64_t value) const {
    hash.add(std::uint64_t{3});
    hash.add(static_cast<std::uint64_t>(value));
  }
  void operator()(Instant value) const { time(4, value.time_since_epoch()); }
  void operator()(LocalTime value) const { time(5, value.time_since_epoch()); }
  void operator()(const Decimal& value) const { text(6, value.text); }
  void operator()(const std::string& value) const { text(7, value); }
  void operator()(const Bytes& value) const { text(8, value.bytes); }
  void operator()(const Enumerator& value) const {
    if (value.number) return (*this)(*value.number);
    (*this)(value.name);
  }

 private:
  void text(std::uint64_t kind, std::string_view bytes) const {
    hash.add(kind);
    hash.add(std::uint64_t{bytes.size()});
    hash.add(bytes);
  }
  void time(std::uint64_t kind, std::chrono::microseconds since_1970) const {
    hash.add(kind);
    hash.add(static_cast<std::uint64_t>(since_1970.count()));
  }
};

bool is_empty(const Slot& slot) {
  return is_null(slot.value) && slot.values.empty() && slot.records.empty();
}

// An empty field says the same as an absent one.
void add_record(Hash& hash, const Record& record) {
  for (std::size_t field = 0; field < record.slots.size(); ++field) {
    const Slot& slot = record.slots[field];
    if (is_empty(slot)) continue;
    hash.add(std::uint64_t{field});
    std::visit(AddValue{hash}, slot.value);
    hash.add(std::uint64_t{slot.values.size()});
    for (const Value& value : slot.values)
      std::visit(AddValue{hash}, value);
    hash.add(std::uint64_t{slot.records.size()});
    for (const Record& item : slot.records)
      add_record(hash, item);
  }
  hash.add(~std::uint64_t{0});  // the record's end
}

}  // namespace

std::string digest_of(const Record& record) {
  Hash hash;
  add_record(hash, record);
  return hash.text();
}

}  // namespace surveybridge::mapping
