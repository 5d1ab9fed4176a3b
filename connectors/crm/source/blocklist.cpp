#include "connectors/crm/source/blocklist.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/ranges.h>

#include "connectors/crm/source/pipes.hpp"
#include "connectors/crm/source/source_sql.hpp"
#include "mapping/values/address.hpp"
#include "mapping/values/address_traces.hpp"
#include "mapping/values/person.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::crm {
namespace {

// An address that is not on a list of a million has the number of one on it once in 10^12 times.
std::uint64_t number_of(std::string_view address) {
  return std::hash<std::string>{}(mapping::normal_address(address));
}

std::string_view letters_of(const Value& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* bytes = std::get_if<mapping::Bytes>(&cell)) return bytes->bytes;
  return "";
}

// "@x.test" of a value that means a whole domain (@x.test, *@x.test, %@x.test); empty: it does not.
std::string_view domain_in(std::string_view text) {
  text = mapping::trimmed(text);
  const auto at = text.find('@');
  if (at > 1 || (at == 1 && text.front() != '*' && text.front() != '%')) return "";
  text.remove_prefix(at);
  return mapping::fault_in_address("x" + std::string(text)) ? "" : text;
}

// What is at fault with a list.
struct Faults {
  const config::Suppress::List& list;
  DatabaseError operator()(const std::string& what) const {
    return {DatabaseError::Kind::other, "[" + list.section() + "] query " + what};
  }
};

}  // namespace

// What one column of the query holds.
struct Blocklist::OfColumn {
  std::int64_t values = 0, naming = 0, unread = 0;  // `naming`: at least one address
  std::int64_t marked = 0, lost = 0;                // with an @; of them: not read whole
  std::vector<std::uint64_t> hashes;

  void add(const Value& cell) {
    if (mapping::is_null(cell)) return;
    const auto text = letters_of(cell);
    const bool is_text =
        std::holds_alternative<std::string>(cell) || std::holds_alternative<mapping::Bytes>(cell);
    if (is_text && mapping::trimmed(text).empty()) return;
    ++values;
    const bool has_mark = text.find('@') != std::string_view::npos;
    if (const auto domain = is_text ? domain_in(text) : ""; !domain.empty()) {
      ++naming, ++marked;
      hashes.push_back(number_of(domain));
      return;
    }
    const auto named = text.size() > cell_bytes_max ? mapping::NamedAddresses{{}, {}, false}
                                                    : mapping::addresses_in(text);
    if (!is_text || !named.whole) ++unread;
    if (has_mark) ++marked;
    if (has_mark && !named.whole) ++lost;
    if (!named.addresses.empty()) ++naming;
    for (const auto* all : {&named.addresses, &named.likely})
      for (const auto& address : *all)
        hashes.push_back(number_of(address));
    // In a value of another notation. One that is not read whole still counts as unread.
    const bool is_other = !named.whole || mapping::may_be_encoded(text);
    if (is_text && is_other && text.size() <= cell_bytes_max)
      for (const auto& address : mapping::traces_in(text, mapping::Beside::marks).addresses)
        hashes.push_back(number_of(address));
  }
  // A larger cell is not read: of several columns only the beginning of each is there.
  std::size_t cell_bytes_max = std::string::npos;
  // Else it may be a text that mentions some.
  bool is_of_addresses() const { return naming > 0 && 2 * naming >= values; }
};

Blocklist::Blocklist(Database& database, const config::Suppress::List& list) {
  const Faults wrong{list};
  const auto& query = list.query;
  const auto& column = list.column;
  const Dialect dialect = database.dialect();
  refuse_pipes_for_or(database, query);
  const auto all_columns = database.query(shape_of_query(dialect, query)).columns;
  if (all_columns.empty()) throw wrong("has no column");
  std::vector<Column> columns;
  std::vector<std::size_t> cells;  // where they are in a row
  bool twins = false;
  for (std::size_t i = 0; i < all_columns.size(); ++i) {
    if (!column.empty() && all_columns[i].name != column) continue;
    twins = twins || std::ranges::count(all_columns, all_columns[i].name, &Column::name) > 1;
    columns.push_back(all_columns[i]);
    cells.push_back(i);
  }
  if (columns.empty()) {
    std::vector<std::string> names;
    for (const auto& each : all_columns)
      names.push_back(each.name);
    throw wrong(fmt::format("has no column \"{}\", only {}", column, fmt::join(names, ", ")));
  }
  std::vector<std::size_t> positions(columns.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  if (!twins) cells = positions;  // of the columns that are asked for by their names
  std::vector<OfColumn> all(columns.size());
  const bool is_cut = columns.size() > 1 && !twins;
  for (auto& each : all)
    if (is_cut) each.cell_bytes_max = kCellBegin;
  std::size_t kept = 0;
  const std::string read =
      twins ? without_end(query) : some_columns(dialect, query, columns, is_cut).sql;
  database.read_each(read, [&](const std::vector<Value>& row) {
    for (const std::size_t at : positions) {
      const std::size_t before = all[at].hashes.size();
      all[at].add(row.at(cells[at]));
      kept += all[at].hashes.size() - before;
    }
    if (kept > kMost) throw wrong(fmt::format("lists more than {} addresses", kMost));
  });
  std::int64_t values = 0;
  for (const auto& each : all)
    values += each.values;
  const bool is_named = columns.size() == 1;
  for (std::size_t at = 0; at < all.size(); ++at)
    if (all[at].lost > 0 && 2 * all[at].lost > all[at].marked)
      throw wrong(fmt::format(
          "has a column \"{}\" with {} values that have an @ and cannot be read, of {}: nobody "
          "knows {}",
          columns[at].name, all[at].lost, all[at].marked,
          is_named ? "whom not to mail"
                   : "whether it is the list that is meant (`column` names the column)"));
  std::erase_if(positions, [&](std::size_t at) { return !is_named && all[at].naming == 0; });
  const bool any = std::ranges::any_of(all, &OfColumn::is_of_addresses);
  const auto most = std::ranges::max_element(all, {}, &OfColumn::naming) - all.begin();
  for (const std::size_t at : positions) {
    columns_.push_back(columns[at].name);
    const bool is_meant =
        is_named || all[at].is_of_addresses() || (!any && at == static_cast<std::size_t>(most));
    values_ += is_meant ? all[at].values : all[at].naming;
    unread_ += is_meant ? all[at].unread : all[at].lost;
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
    const auto at = std::min(one.rfind('@'), one.size());
    return std::ranges::binary_search(hashes_, number_of(one)) ||
           (at < one.size() && std::ranges::binary_search(hashes_, number_of(one.substr(at))));
  };
  const auto named = mapping::addresses_in(address);
  return holds(address) || std::ranges::any_of(named.addresses, holds) ||
         std::ranges::any_of(named.likely, holds);
}

}  // namespace surveybridge::crm
