// What leaves out rows of a push: counts of the query with and without its conditions, for whoever
// looks why too few come.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/source/source.hpp"

namespace surveybridge::crm {

// More rows than these are not counted.
inline constexpr int kNarrowingMost = 10'000;

struct Narrowing {
  std::int64_t rows = 0;  // that the query returns
  // Without its conditions; empty: the query cannot be taken apart with certainty.
  std::optional<std::int64_t> unconditional = {};
  struct Condition {
    std::string text;
    std::size_t place = 0;  // among the conditions, from 1
    std::int64_t rows = 0;  // that the query returns without it
  };
  // Those without which alone there are more rows, the most first.
  std::vector<Condition> conditions = {};
  // Columns that are null in each of these rows and were not before, the rows without conditions
  // where they are known.
  std::vector<std::string> empty_columns = {};
  std::optional<Instant> latest = {};  // `when` of the query's latest row, within 13 weeks
};

// Of a window that ends now, by the CRM's clock. Within about `time`: what is not looked at then is
// not told. Throws DatabaseError where the query itself fails.
Narrowing narrowing(Database& crm, const SourceQuery& query, const Window& window,
                    std::chrono::seconds time);

}  // namespace surveybridge::crm
