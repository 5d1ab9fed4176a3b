#include "mapping/codec/encode.hpp"

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

// The number of bytes of the first code point of `text`; 0 if it is not well-formed.
std::size_t first_length(std::string_view text) {
  for (std::size_t length = 1; length <= 4 && length <= text.size(); ++length) {
    if (is_utf8(text.substr(0, length))) return length;
  }
  return 0;
}

}  // namespace

bool is_absent(const Field& field, const Slot& slot) {
  if (field.type == Type::object) return slot.records.empty();
  if (field.list) return slot.values.empty();
  const auto* enumerator = std::get_if<Enumerator>(&slot.value);
  return is_null(slot.value) ||
         (enumerator != nullptr && !enumerator->number && enumerator->name.empty());
}

std::string well_formed(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t length = first_length(text);
    out += length == 0 ? "\uFFFD" : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace surveybridge::mapping
