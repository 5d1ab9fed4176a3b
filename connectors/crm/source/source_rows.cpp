// Whole rows by their keys, as many at a time as their weight allows.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

#include "connectors/crm/driver/error_text.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/source/source.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::size_t kKeysAtOnce = 500;
// While the weight of a row is not known, and where the query has a column of bytes: files differ
// so much in size that those read before do not tell.
constexpr std::size_t kKeysAtFirst = 8;
// How the reason begins where the database fails at a value of a row.
constexpr std::string_view kFails = "the database cannot read the row: ";
// Where so many rows fail so, and none was ever read, the rows cannot be the cause.
constexpr std::size_t kFailTogether = 3;
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

// In the form of the column, so that an index on it serves the statement.
std::string key_of_nobody(const Windowed& source) {
  if (source.key.kind == ColumnKind::integer) return std::to_string(INT64_MIN);
  return source.uuid_key ? "00000000-0000-0000-0000-000000000000" : "\x01";
}

}  // namespace

// Empty: one of the rows cannot be read; `why` says for what reason, where it is asked for alone. A
// row is the cause only where the same statement succeeds for a key that no row has. The database
// may fail before it gives a cell that is too large, with an error that does not tell: it is asked
// for the lengths then.
std::optional<Result> Source::query_unless_unreadable(const std::vector<std::string>& keys,
                                                      const std::optional<Window>& window,
                                                      int limit, std::string& why) {
  const Dialect dialect = crm_.dialect();
  const Windowed source = windowed();
  const auto rows_of = [&](const std::vector<std::string>& these) {
    return crm_.query(
        window ? rows_by_key_within(dialect, source, these, window->since, window->until, limit)
               : rows_by_key(dialect, source, these, limit));
  };
  try {
    return rows_of(keys);
  } catch (const DatabaseError& error) {
    const bool of_a_value = may_be_of_a_value(error);
    why =
        of_a_value ? std::string(kFails) + error.what() : "a cell of the row has more than 64 MiB";
    if (error.kind == DatabaseError::Kind::too_large) return std::nullopt;
    try {
      if (of_a_value) {  // not where it fails whatever is asked for, or the transaction with it
        rows_of({key_of_nobody(source)});
        return std::nullopt;
      }
      const auto lengths = large_cells(dialect, source, keys);
      if (lengths && !crm_.query(*lengths).rows.empty()) return std::nullopt;
    } catch (const DatabaseError&) {
      // It cannot be asked: the first error counts.
    }
    if (error.kind == DatabaseError::Kind::other) doubted_ = true;
    throw;
  }
}

// A key that thousands of rows have must not fill the memory: where a result is full, its keys are
// asked for in halves, and of a single key the first rows tell whether they differ. So is a result
// with a row that cannot be read, until that row is known.
std::vector<mapping::Row> Source::read_keys(const std::vector<std::string>& keys,
                                            const std::optional<Window>& window,
                                            std::vector<Rows::Unreadable>& unreadable) {
  const std::size_t most = 2 * keys.size() + kTwinsRead;
  std::string why;
  auto result = query_unless_unreadable(keys, window, static_cast<int>(most), why);
  if (!result && keys.size() == 1) {
    unreadable.push_back({keys.front(), std::move(why)});
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
  found = read_keys(part_of(keys, 0, keys.size() / 2), window, unreadable);
  auto others = read_keys(part_of(keys, keys.size() / 2, keys.size()), window, unreadable);
  std::move(others.begin(), others.end(), std::back_inserter(found));
  return found;
}

// A query that fails for every row must not empty the table into quarantine, not even slowly.
void Source::refuse_failing(const std::vector<Rows::Unreadable>& rows) {
  std::string why;
  for (const auto& [key, reason] : rows) {
    if (!reason.starts_with(kFails)) continue;
    if (why.empty()) why = reason.substr(kFails.size());
    failing_.insert(key);
  }
  if (why.empty() || failing_.size() < kFailTogether) return;
  doubted_ = true;
  throw DatabaseError(DatabaseError::Kind::other,
                      "none of " + std::to_string(failing_.size()) + " rows can be read: " + why);
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
    auto found = read_keys(some, window, whole.rows.unreadable);
    const std::size_t read = bytes_of(found);
    has_read_ = has_read_ || !found.empty();
    if (!found.empty()) row_bytes_ = std::max<std::size_t>(1, read / found.size());
    sort_as(found, some);
    sort_out_twins(std::move(found), whole.rows);
    weight += read;
    whole.keys += some.size();
  }
  // Without a window they are rows that the ledger knows: they must not stop the new ones.
  if (window && !has_read_) refuse_failing(whole.rows.unreadable);
  return whole;
}

Source::Pending Source::pending(int limit, std::size_t bytes) {
  auto keys =
      texts_in(store_.query(pending_keys(store_.dialect(), query_.push, store_.now(), limit)).rows);
  Whole whole = whole_rows(keys, std::nullopt, bytes);
  const bool more = whole.keys < keys.size() || keys.size() >= static_cast<std::size_t>(limit);
  Pending pending{std::move(whole.rows), {}, whole.keys, more};
  keys.resize(whole.keys);
  std::set<std::string> there(pending.rows.duplicate_keys.begin(),
                              pending.rows.duplicate_keys.end());
  for (const auto& each : pending.rows.unreadable)
    there.insert(each.key);
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
