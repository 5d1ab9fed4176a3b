#include "connectors/crm/source/key_types.hpp"

#include <cstdint>

#include "config/text.hpp"
#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {

std::optional<std::string> unusable_key(Dialect dialect, const Column& key) {
  const std::string start = "column \"" + key.name + "\": a key cannot be made of ";
  const std::string whole = "CAST(x AS " + std::string(traits(dialect).whole_number) + ")";
  switch (key.kind) {
    case ColumnKind::real:
      return start +
             "floating-point numbers, of which several may have one text; make whole"
             " numbers of them in the query: " +
             whole;
    case ColumnKind::bits:
      return start + "bits; make whole numbers of them in the query: " + whole;
    case ColumnKind::bytes:
      return start +
             "bytes, which are no text; make a text of them in the query: HEX(x), "
             "encode(x, 'hex') or what the database has for it";
    case ColumnKind::boolean:
      return start + "true and false: they tell two rows apart";
    case ColumnKind::instant:
      return start + "times with a zone, whose text differs from one time zone to the next";
    case ColumnKind::integer:
    case ColumnKind::decimal:
    case ColumnKind::text:
    case ColumnKind::local_time:
    case ColumnKind::date:
    case ColumnKind::other:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string money_as_key(const Column& key) {
  return "column \"" + key.name +
         "\": a key cannot be made of money, whose text follows the server's lc_monetary; make a"
         " number of it in the query: CAST(x AS numeric)";
}

std::optional<std::vector<mapping::Value>> numbers(const std::vector<std::string>& keys) {
  std::vector<mapping::Value> all;
  for (const std::string& key : keys) {
    const auto number = config::to_number<std::int64_t>(key);
    if (!number || std::to_string(*number) != key) return std::nullopt;
    all.emplace_back(*number);
  }
  return all;
}

bool is_uuid(const std::string& key) {
  if (key.size() != 36) return false;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool digit = (key[i] >= '0' && key[i] <= '9') || (key[i] >= 'a' && key[i] <= 'f');
    if (dash ? key[i] != '-' : !digit) return false;
  }
  return true;
}

}  // namespace surveybridge::crm
