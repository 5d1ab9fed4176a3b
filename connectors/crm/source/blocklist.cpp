#include "connectors/crm/source/blocklist.hpp"

#include <algorithm>
#include <functional>

#include <fmt/ranges.h>

#include "connectors/crm/source/pipes.hpp"
#include "connectors/crm/source/source_sql.hpp"
#include "mapping/values/address.hpp"
#include "mapping/values/person.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::crm {
namespace {

// An address that is not on a list of a million has the number of one on it once in 10^12 times.
std::uint64_t number_of(std::string_view address) {
  return std::hash<std::string>{}(mapping::normal_address(address));
}

std::string_view text_of(const Value& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* bytes = std::get_if<mapping::Bytes>(&cell)) return bytes->bytes;
  return "";
}

DatabaseError wrong(const std::string& what) {
  return {DatabaseError::Kind::other, "[suppress] query " + what};
}

}  // namespace

// What one column of the query holds.
struct Blocklist::OfColumn {
  std::int64_t values = 0, naming = 0, unread = 0;  // `naming`: at least one address
  std::vector<std::uint64_t> hashes;

  void add(const Value& cell) {
    if (mapping::is_null(cell)) return;
    const auto text = text_of(cell);
    const bool is_text =
        std::holds_alternative<std::string>(cell) || std::holds_alternative<mapping::Bytes>(cell);
    if (is_text && mapping::trimmed(text).empty()) return;
    ++values;
    const auto named = mapping::addresses_in(text);
    if (!is_text || !named.whole) ++unread;
    if (!named.addresses.empty()) ++naming;
    for (const auto& address : named.addresses)
      hashes.push_back(number_of(address));
  }
  bool is_usual() const { return naming > 0 && 2 * naming >= values; }
};

Blocklist::Blocklist(Database& database, const std::string& query, const std::string& column) {
  const Dialect dialect = database.dialect();
  refuse_pipes_for_or(database, query);
  const auto columns = database.query(shape_of_query(dialect, query)).columns;
  if (columns.empty()) throw wrong("has no column");
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (column.empty() || columns[i].name == column) positions.push_back(i);
  if (positions.empty()) {
    std::vector<std::string> names;
    for (const auto& each : columns)
      names.push_back(each.name);
    throw wrong(fmt::format("has no column \"{}\", only {}", column, fmt::join(names, ", ")));
  }
  std::vector<OfColumn> all(columns.size());
  std::size_t kept = 0;
  database.read_each(without_end(query), [&](const std::vector<Value>& row) {
    for (const std::size_t at : positions) {
      const std::size_t before = all[at].hashes.size();
      all[at].add(row.at(at));
      kept += all[at].hashes.size() - before;
    }
    if (kept > kMost) throw wrong(fmt::format("lists more than {} addresses", kMost));
  });
  std::int64_t values = 0;
  for (const auto& each : all)
    values += each.values;
  std::erase_if(positions, [&](std::size_t at) { return column.empty() && !all[at].is_usual(); });
  if (positions.empty()) {
    const auto most = std::ranges::max_element(all, {}, &OfColumn::naming);
    if (columns.size() == 1 || most->naming > 0)
      positions.push_back(static_cast<std::size_t>(most - all.begin()));
  }
  for (const std::size_t at : positions) {
    columns_.push_back(columns[at].name);
    values_ += all[at].values;
    unread_ += all[at].unread;
    hashes_.insert(hashes_.end(), all[at].hashes.begin(), all[at].hashes.end());
  }
  if (values > 0 && hashes_.empty())
    throw wrong(
        fmt::format("has {} values, and none of them has the form of an e-mail address: "
                    "nobody knows whom not to mail (`column` names the column)",
                    values));
  std::ranges::sort(hashes_);
  hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
  hashes_.shrink_to_fit();
}

bool Blocklist::has(std::string_view address) const {
  const auto holds = [&](std::string_view one) {
    return std::ranges::binary_search(hashes_, number_of(one));
  };
  return holds(address) || std::ranges::any_of(mapping::addresses_in(address).addresses, holds);
}

}  // namespace surveybridge::crm
