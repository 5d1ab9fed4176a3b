#include "connectors/crm/source/narrowing.hpp"

#include <algorithm>

#include "connectors/crm/source/query_parts.hpp"

namespace surveybridge::crm {
namespace {

// Each costs a statement.
constexpr std::size_t kConditionsMost = 12;
constexpr std::chrono::days kBefore{28};
constexpr std::chrono::days kLatestWithin{7 * 13};

std::vector<std::string> empty_columns(Source& source, const std::string& query,
                                       const Window& window, const Source::Cells& found) {
  const auto is_empty = [](std::int64_t filled) { return filled == 0; };
  if (found.rows == 0 || std::ranges::none_of(found.filled, is_empty)) return {};
  const auto before =
      source.count_cells(query, {window.since - kBefore, window.since}, kNarrowingMost);
  const auto names = source.names_read();
  std::vector<std::string> empty;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (is_empty(found.filled.at(i)) && !is_empty(before.filled.at(i))) empty.push_back(names[i]);
  return empty;
}

}  // namespace

Narrowing narrowing(Database& crm, const SourceQuery& query, const Window& window,
                    std::chrono::seconds time) {
  Source source(crm, query);
  // What takes too long, or fails at a value that a condition leaves out, is not told.
  const auto tried = [&](const auto& read) -> std::optional<decltype(read())> {
    try {
      if (crm.now() < window.until + time) return read();
    } catch (const DatabaseError& error) {
      if (error.kind == DatabaseError::Kind::connection) throw;
    }
    return std::nullopt;
  };
  const auto count = [&](const std::string& of) {
    return tried([&] { return source.count_cells(of, window, kNarrowingMost); });
  };
  const auto whole = source.count_cells(query.query, window, kNarrowingMost);
  Narrowing found{whole.rows};
  const auto parts = parts_of(crm.dialect(), query.query);
  const auto all = parts ? count(parts->unconditional) : std::nullopt;
  if (all) found.unconditional = all->rows;
  const bool narrows = all && all->rows > whole.rows;
  const std::size_t conditions = narrows ? parts->conditions.size() : 0;
  for (std::size_t i = 0; i < conditions && conditions <= kConditionsMost; ++i) {
    // Without its only condition the query is known.
    const auto others = conditions == 1 ? all : count(without_condition(*parts, i));
    if (others && others->rows > whole.rows)
      found.conditions.push_back({parts->conditions[i], i + 1, others->rows});
  }
  std::ranges::stable_sort(found.conditions, std::ranges::greater{}, &Narrowing::Condition::rows);
  const auto empty = tried([&] {
    return all ? empty_columns(source, parts->unconditional, window, *all)
               : empty_columns(source, query.query, window, whole);
  });
  if (empty) found.empty_columns = *empty;
  const auto latest = tried([&] {
    return source.latest_when({window.until - kLatestWithin, window.until});
  });
  if (latest) found.latest = *latest;
  return found;
}

}  // namespace surveybridge::crm
