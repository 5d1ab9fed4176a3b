// What a record's content hashes to, so that an unchanged record is recognised without comparing
// its rows. XXH3 with 128 bits: nobody gains by two records with one digest.
#define XXH_INLINE_ALL
#include <array>
#include <cstring>

#include <fmt/format.h>
#include <xxhash.h>

#include "mapping/tables/tables.hpp"

namespace surveybridge::mapping {

namespace {

// A record is many small pieces: they are gathered, because the library takes as long for eight
// bytes as for some hundred.
class Hash {
 public:
  Hash() { XXH3_128bits_reset(&state_); }

  void add(std::string_view bytes) {
    if (bytes.empty()) return;
    if (bytes.size() > gathered_.size() - size_) flush();
    if (bytes.size() > gathered_.size()) {
      XXH3_128bits_update(&state_, bytes.data(), bytes.size());
      return;
    }
    std::memcpy(gathered_.data() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  void add(std::uint64_t number) {
    if (sizeof number > gathered_.size() - size_) flush();
    std::memcpy(gathered_.data() + size_, &number, sizeof number);
    size_ += sizeof number;
  }
  std::string text() {
    flush();
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  void flush() {
    XXH3_128bits_update(&state_, gathered_.data(), size_);
    size_ = 0;
  }

  XXH3_state_t state_;
  std::array<char, 4096> gathered_;
  std::size_t size_ = 0;
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

// An empty field says the same as an absent one.
void add_record(Hash& hash, const Record& record) {
  for (std::size_t field = 0; field < record.slots.size(); ++field) {
    const Slot& slot = record.slots[field];
    if (slot.is_empty()) continue;
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

std::string digest_of(std::span<const Value> values) {
  Hash hash;
  for (const Value& value : values)
    std::visit(AddValue{hash}, value);
  return hash.text();
}

}  // namespace surveybridge::mapping
