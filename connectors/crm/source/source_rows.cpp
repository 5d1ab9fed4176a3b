// Whole rows by their keys, as many at a time as their weight allows.
#include <algorithm>
#include <iterator>
#include <set>

#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/source/source.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::size_t kKeysAtOnce = 500;
// While the weight of a row is not known, and where the query has a column of bytes: files differ
// so much in size that those read before do not tell.
constexpr std::size_t kKeysAtFirst = 8;
// Rows of one key that are read before it is known that there are too many.
constexpr std::size_t kTwinsRead = 50;

std::size_t bytes_of(const std::vector<mapping::Row>& rows) {
  std::size_t bytes = 0;
  for (const auto& row : rows) {
    bytes += row.cells.size() * sizeof(Value);
    for (const auto& cell : row.cells)
      bytes += cell_bytes(cell);
  }
  return bytes;
}

// Rows whose key stands among them once; of identical twins the first.
void sort_out_twins(std::vector<mapping::Row> found, Rows& rows) {
  std::map<std::string, std::size_t> first;
  std::set<std::string> different;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [twin, is_new] = first.emplace(found[i].key, i);
    if (!is_new && found[twin->second].cells != found[i].cells) different.insert(found[i].key);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (different.contains(found[i].key) || first.at(found[i].key) != i) continue;
    rows.rows.push_back(std::move(found[i]));
  }
  rows.duplicate_keys.insert(rows.duplicate_keys.end(), different.begin(), different.end());
}

void sort_as(std::vector<mapping::Row>& rows, const std::vector<std::string>& keys) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < keys.size(); ++i)
    places.emplace(keys[i], i);
  std::ranges::stable_sort(rows, {}, [&](const mapping::Row& row) { return places.at(row.key); });
}

std::vector<std::string> part_of(const std::vector<std::string>& keys, std::size_t from,
                                 std::size_t count) {
  const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(std::min(count, keys.size() - from))};
}

}  // namespace

// Empty: one of the rows has a cell that is too large. The database may fail before it gives such a
// cell, with an error that does not tell: it is asked for the lengths then.
std::optional<Result> Source::query_unless_large(const Statement& statement, const Windowed& source,
                                                 const std::vector<std::string>& keys) {
  try {
    return crm_.query(statement);
  } catch (const DatabaseError& error) {
    if (error.kind == DatabaseError::Kind::too_large) return std::nullopt;
    try {
      const auto lengths = large_cells(crm_.dialect(), source, keys);
      if (lengths && !crm_.query(*lengths).rows.empty()) return std::nullopt;
    } catch (const DatabaseError&) {
      // It cannot be asked: the first error counts.
    }
    if (error.kind == DatabaseError::Kind::other) columns_.clear();
    throw;
  }
}

// A key that thousands of rows have must not fill the memory: where a result is full, its keys are
// asked for in halves, and of a single key the first rows tell whether they differ. So is a result
// with a cell that is too large, until its row is known.
std::vector<mapping::Row> Source::read_keys(const std::vector<std::string>& keys,
                                            const std::optional<Window>& window,
                                            std::vector<std::string>& large) {
  const Dialect dialect = crm_.dialect();
  const std::size_t most = 2 * keys.size() + kTwinsRead;
  const int limit = static_cast<int>(most);
  const Windowed source = windowed();
  auto result = query_unless_large(
      window ? rows_by_key_within(dialect, source, keys, window->since, window->until, limit)
             : rows_by_key(dialect, source, keys, limit),
      source, keys);
  if (!result && keys.size() == 1) {
    large.push_back(keys.front());
    return {};
  }
  std::vector<mapping::Row> found;
  if (result) {
    found = rows_in(*std::move(result));
    if (found.size() < most || keys.size() == 1) {
      const std::set<std::string_view> asked(keys.begin(), keys.end());
      std::erase_if(found, [&](const mapping::Row& row) { return !asked.contains(row.key); });
      return found;
    }
  }
  found = read_keys(part_of(keys, 0, keys.size() / 2), window, large);
  auto others = read_keys(part_of(keys, keys.size() / 2, keys.size()), window, large);
  std::move(others.begin(), others.end(), std::back_inserter(found));
  return found;
}

Source::Whole Source::whole_rows(const std::vector<std::string>& keys,
                                 const std::optional<Window>& window, std::size_t bytes) {
  Whole whole{{columns(), {}, {}, {}}};
  const bool files = std::ranges::any_of(columns_, [&](const Column& column) {
    return column.kind == ColumnKind::bytes && is_read(column);
  });
  const std::size_t at_once = files ? kKeysAtFirst : kKeysAtOnce;
  for (std::size_t weight = 0; whole.keys < keys.size() && weight < bytes;) {
    const std::size_t most = row_bytes_ == 0 ? kKeysAtFirst : (bytes - weight) / row_bytes_;
    const auto some = part_of(keys, whole.keys, std::clamp<std::size_t>(most, 1, at_once));
    auto found = read_keys(some, window, whole.rows.large_keys);
    const std::size_t read = bytes_of(found);
    if (!found.empty()) row_bytes_ = std::max<std::size_t>(1, read / found.size());
    sort_as(found, some);
    sort_out_twins(std::move(found), whole.rows);
    weight += read;
    whole.keys += some.size();
  }
  return whole;
}

Source::Pending Source::pending(int limit, std::size_t bytes) {
  std::vector<std::string> keys;
  for (const auto& row :
       store_.query(pending_keys(store_.dialect(), query_.push, store_.now(), limit)).rows) {
    keys.push_back(text_in(row.at(0)));
  }
  Whole whole = whole_rows(keys, std::nullopt, bytes);
  const bool more = whole.keys < keys.size() || keys.size() >= static_cast<std::size_t>(limit);
  Pending pending{std::move(whole.rows), {}, whole.keys, more};
  keys.resize(whole.keys);
  std::set<std::string> there(pending.rows.duplicate_keys.begin(),
                              pending.rows.duplicate_keys.end());
  there.insert(pending.rows.large_keys.begin(), pending.rows.large_keys.end());
  for (const mapping::Row& row : pending.rows.rows)
    there.insert(row.key);
  for (std::string& key : keys) {
    if (!there.contains(key)) pending.gone.push_back(std::move(key));
  }
  return pending;
}

Rows Source::by_key(const std::vector<std::string>& keys) {
  const std::set<std::string> asked(keys.begin(), keys.end());
  return whole_rows({asked.begin(), asked.end()}, std::nullopt, SIZE_MAX).rows;
}

}  // namespace surveybridge::crm
