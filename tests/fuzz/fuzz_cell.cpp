// Converts the text of a cell to a field, in each way that a source can read it.
#include "mapping/field_map/coerce.hpp"
#include "mapping/field_map/rule.hpp"
#include "mapping/values/text.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::mapping;
using Number = config::FieldSource::Number;

constexpr const char* kPatterns[] = {"%d-%m-%Y %H:%M", "%Y%m%d%H%M%S", "%Y-%m-%dT%H:%M:%S.%f%z",
                                     "%%%d%%%m%%%Y"};

// The first letters of `how` choose the operations on the cell.
ValueRule origin_of(std::size_t how) {
  ValueRule origin;
  origin.place = "F";
  origin.zone = "Europe/Amsterdam";
  origin.type = how % 2 == 0 ? Type::text : Type::instant;
  origin.pieces = {{"<", {}}, {"", 0}, {" ", {}}, {"", 0}};
  if (how % 3 != 0) {
    origin.pieces.clear();
    origin.column = 0;
  }
  origin.trim = how % 5 == 0;
  origin.lower = how % 7 == 1;
  origin.upper = how % 7 == 2;
  if (how % 4 == 1) origin.number = how % 8 == 1 ? Number::comma : Number::point;
  if (how % 4 == 2) origin.words = config::Words{{"ja"}, {"nee"}};
  if (how % 4 == 3)
    origin.pattern = std::get<DatePattern>(DatePattern::parse(kPatterns[how / 4 % 4]));
  origin.at = std::chrono::hours{how % 24};
  origin.plus = std::chrono::hours{how % 50};
  if (how % 11 == 0) origin.max_length = 3;
  return origin;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const ValueRule origin = origin_of(fuzz::choice(text, 256));
  const Found found = value_of(origin, {"key", {std::string(text)}}, {});
  if (const auto* unmappable = std::get_if<Unmappable>(&found)) {
    fuzz::promise(unmappable->reason.size() < 100, "a reason is a sentence without the value");
    return 0;
  }
  const auto& value = std::get<Value>(found);
  if (is_null(value)) return 0;
  fuzz::promise(coerce(value, origin.type, "UTC") == Coerced{value}, "a value is of its type");
  const auto* kept = std::get_if<std::string>(&value);
  fuzz::promise(kept == nullptr || is_utf8(*kept), "a text is UTF-8");
  return 0;
}
