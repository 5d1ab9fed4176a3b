// The sweep over a window in chunks: keys first, then what the ledger knows of them.
#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/schema/ledger_words.hpp"
#include "connectors/crm/source/source.hpp"

namespace surveybridge::crm {
namespace {

constexpr int kCountedAtOnce = 20'000;

struct Seen {
  std::string key;  // empty: the row has none, or one that the ledger cannot store
  Value when;
  std::string position;  // the key as the database orders it
};

std::vector<Seen> seen_in(Result result) {
  std::vector<Seen> rows;
  rows.reserve(result.rows.size());
  for (auto& cells : result.rows) {
    std::string key = text_in(cells.at(0));
    rows.push_back({fits_as_key(key) ? key : "", std::move(cells.at(1)), std::move(key)});
  }
  return rows;
}

// Rows of one `when` by their keys: the database was asked for the order of `when` alone, which an
// index on it serves.
void sort_by_key_within_when(std::vector<Seen>& rows) {
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last =
        std::find_if(first, rows.end(), [&](const Seen& row) { return row.when != first->when; });
    std::sort(first, last, [](const Seen& a, const Seen& b) { return a.key < b.key; });
    first = last;
  }
}

// Where the sweep goes on behind a chunk that is full. The rows of its last `when` may not all be
// there: they are left for the next chunk. Where they fill a chunk alone, they are read by key.
Position go_on(std::vector<Seen>& rows) {
  const Value last = rows.back().when;
  if (rows.front().when == last) {
    rows.clear();
    return {last, ""};
  }
  while (rows.back().when == last)
    rows.pop_back();
  return {last};
}

// Rows whose key stands in front of them with another `when`.
std::int64_t sharing(const std::vector<Seen>& rows) {
  std::unordered_map<std::string_view, const Value*> first;
  std::int64_t count = 0;
  for (const auto& row : rows) {
    if (row.key.empty()) continue;
    const auto [met, is_new] = first.emplace(row.key, &row.when);
    if (!is_new && *met->second != row.when) ++count;
  }
  return count;
}

// Counts the rows that have none.
std::vector<std::string> keys_of(std::vector<Seen>& rows, std::int64_t& without_key) {
  std::vector<std::string> keys;
  keys.reserve(rows.size());
  for (auto& row : rows) {
    if (row.key.empty()) {
      ++without_key;
    } else {
      keys.push_back(std::move(row.key));
    }
  }
  return keys;
}

}  // namespace

void keep_set_aside(Database& store, const std::string& push) {
  constexpr std::string_view kKept =
      "the query that did not find this transaction, or the CRM, was changed: `surveybridge "
      "quarantine retry` lets it go";
  const std::string update =
      R"(UPDATE "survey_push" SET "reason" = {text} WHERE "push" = {key} AND)"
      R"( "state" = 'quarantined' AND ("reason" LIKE ')" +
      std::string(kUndated) + R"(%' OR "reason" LIKE ')" + std::string(kGone) + "%')";
  run_statement(store, update, {std::string(kKept), push});
}

Source::Known Source::stored(const std::vector<Value>& names, LedgerCell cell) {
  Known known;
  for (auto& run : key_chunks(store_.dialect(), names)) {
    const std::string sql = known_keys(store_.dialect(), run.size(), cell);
    run.emplace_back(query_.push);
    for (const auto& row : store_.query({sql, std::move(run)}).rows)
      known[text_in(row.at(0))] = text_in(row.at(1));
  }
  return known;
}

// A pending row is read by its key, which an erased one does not tell: when it is due, it is found
// like a new one.
bool Source::is_due(const std::string& name) {
  const auto found = query_rows(store_,
                                R"(SELECT "not_before" FROM "survey_push" WHERE "push" = {key})"
                                R"( AND "key" = {key} AND "state" = 'pending')",
                                {query_.push, name});
  if (found.empty()) return false;
  const auto at = instant_in(found.front().front());
  return !at || *at <= store_.now();
}

bool Source::has_erased_keys() {
  return has_keys_like(std::string(kErasedKey) + "%");
}

bool Source::has_keys_like(const std::string& pattern) {
  return has_row(store_,
                 R"(SELECT "key" FROM "survey_push" WHERE "push" = {key} AND "key" LIKE {key})"
                 R"( ORDER BY "key")",
                 {query_.push, pattern});
}

// The ledger is of sessions in which a CHAR had blanks at its end: it knows no row of now.
void Source::refuse_padded_ledger() {
  if (may_be_padded_ && has_keys_like("% "))
    throw DatabaseError(DatabaseError::Kind::other,
                        "column \"" + query_.key +
                            "\": the ledger knows its keys with blanks at their end"
                            " (PAD_CHAR_TO_FULL_LENGTH), and would send their rows again: write"
                            " RPAD(x, n, ' ') in the query, where x is a CHAR(n)");
  may_be_padded_ = false;
}

Source::Known Source::known(const std::vector<std::string>& keys, LedgerCell cell) {
  Known known = stored({keys.begin(), keys.end()}, cell);
  const auto erased = erased_keys(store_, keys);
  if (erased.empty()) return known;
  std::vector<Value> names;
  for (const auto& [key, name] : erased)
    names.emplace_back(name);
  const Known cells = stored(names, cell), states = stored(names, LedgerCell::state);
  for (const auto& [key, name] : erased) {
    const auto found = cells.find(name);
    if (found == cells.end()) continue;
    const bool pending = states.contains(name) && states.at(name) == to_string(State::pending);
    if (cell == LedgerCell::state || !pending || !is_due(name)) known[key] = found->second;
  }
  return known;
}

Chunk Source::chunk(const Window& window, const Position& from, int limit, bool again) {
  std::vector<std::string> keys;
  Chunk chunk = read_keys(window, from, limit, keys);
  look_up(keys, again, chunk);
  return chunk;
}

// What the CRM has, without the ledger.
Chunk Source::read_keys(const Window& window, const Position& from, int limit,
                        std::vector<std::string>& keys) {
  const Dialect dialect = crm_.dialect();
  const auto& [since, until] = window;
  const Windowed source = windowed();
  Result result = query(window_keys(dialect, source, since, until, from, limit));
  const bool texts = traits(dialect).text_window != nullptr;
  if (!texts && result.columns.at(1).kind != source.when.kind)
    changed("a \"" + source.when.name + "\" of another type");
  auto rows = seen_in(std::move(result));
  const bool full = rows.size() == static_cast<std::size_t>(limit);
  Chunk chunk;
  if (from.key) {
    chunk.next =
        full ? Position{from.when, rows.back().position} : behind(dialect, source, from.when);
    if (from.key->empty()) chunk.without_key = keyless_at(window, from.when);
  } else if (full) {
    chunk.next = go_on(rows);
  } else {
    chunk.end = true;
  }
  sort_by_key_within_when(rows);
  chunk.rows = static_cast<std::int64_t>(rows.size());
  chunk.sharing = sharing(rows);
  keys = keys_of(rows, chunk.without_key);
  return chunk;
}

std::int64_t Source::keyless_at(const Window& window, const Value& when) {
  const auto statement =
      count_keyless(crm_.dialect(), windowed(), window.since, window.until, when);
  return integer_in(crm_.query(statement).rows.at(0).at(0));
}

void Source::look_up(const std::vector<std::string>& keys, bool again, Chunk& chunk) {
  const Known known = this->known(keys, again ? LedgerCell::set_aside : LedgerCell::none);
  std::set<std::string_view> met;
  for (const std::string& key : keys) {
    const auto found = known.find(key);
    if (found == known.end()) ++chunk.unknown;
    if (!met.insert(key).second) continue;
    if (found == known.end()) {
      chunk.keys.push_back(key);
    } else if (found->second.starts_with(kUndated) || found->second == kGone) {
      chunk.found_again.push_back(key);
    } else if (!found->second.empty()) {
      chunk.mendable.push_back(key);
    }
  }
  if (chunk.unknown > 0) refuse_padded_ledger();
}

// A key that stands in several chunks counts once: of each a hash of 64 bits is kept. Among ten
// million keys two of them are taken for one with a probability of three in a million.
Source::Tally Source::tally_in_chunks(const Window& window) {
  Tally tally;
  std::unordered_set<std::size_t> met;
  std::vector<std::string> keys;
  for (Chunk chunk; !chunk.end;) {
    chunk = read_keys(window, chunk.next, kCountedAtOnce, keys);
    std::erase_if(keys, [&](const std::string& key) {
      return !met.insert(std::hash<std::string>()(key)).second;
    });
    tally.keys += static_cast<std::int64_t>(keys.size());
    for (const auto& [key, state] : known(keys, LedgerCell::state))
      ++tally.by_state[state];
  }
  return tally;
}

std::vector<std::string> Source::unknown(const std::vector<std::string>& keys) {
  const Known known = this->known(keys, LedgerCell::none);
  std::vector<std::string> others;
  std::ranges::copy_if(keys, std::back_inserter(others),
                       [&](const std::string& key) { return !known.contains(key); });
  return others;
}

Rows Source::next(Instant since, Instant until, int limit, std::size_t bytes) {
  const Window window{since, until};
  std::vector<std::string> keys;
  Chunk chunk;
  while (!chunk.end && keys.size() < static_cast<std::size_t>(limit)) {
    chunk = this->chunk(window, chunk.next, kCountedAtOnce);
    keys.insert(keys.end(), chunk.keys.begin(), chunk.keys.end());
  }
  keys.resize(std::min(keys.size(), static_cast<std::size_t>(limit)));
  return whole_rows(keys, window, bytes).rows;
}

std::int64_t Source::count(Instant since, Instant until) {
  return count_from({since, until}, {});
}

std::int64_t Source::count_from(const Window& window, Position from) {
  std::int64_t rows = 0;
  for (bool end = false; !end;) {
    const Chunk chunk = this->chunk(window, from, kCountedAtOnce);
    rows += std::ssize(chunk.keys);
    from = chunk.next;
    end = chunk.end;
  }
  return rows;
}

}  // namespace surveybridge::crm
