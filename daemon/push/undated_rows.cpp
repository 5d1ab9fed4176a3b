#include "daemon/push/undated_rows.hpp"

namespace surveybridge::daemon {
namespace {

constexpr Duration kEvery = std::chrono::hours{1};
constexpr int kAtOnce = 1000;

// A query that takes too long without its window must not stop the rows that have a date.
std::vector<std::string> undated_keys(crm::Source& source) {
  try {
    return source.undated(kAtOnce);
  } catch (const crm::ColumnsChanged&) {
    throw;
  } catch (const crm::DatabaseError& error) {
    if (error.kind != crm::DatabaseError::Kind::busy) throw;
    return {};
  }
}

}  // namespace

std::int64_t UndatedRows::look(crm::Source& source, crm::Ledger& ledger, TimePoint since,
                               TimePoint db_now) {
  std::int64_t found = 0;
  if (db_now >= next_look_) {
    next_look_ = db_now + kEvery;
    found = set_aside(source, ledger);
    some_ = found > 0 || !ledger.none_set_aside(push_.name, std::string(crm::kUndated));
    if (found == kAtOnce) next_look_ = db_now;
  }
  if (!some_) return found;
  const auto dated = source.dated_again(since, db_now, kAtOnce);
  if (!dated.empty()) ledger.retry(push_.name, dated, "its date can be read now");
  return found;
}

std::int64_t UndatedRows::set_aside(crm::Source& source, crm::Ledger& ledger) {
  const std::string reason = std::string(crm::kUndated) + " in the column \"" + push_.when +
                             "\" (NULL, a zero date, or text in another form): never sent unless "
                             "it gets one";
  std::vector<std::pair<std::string, std::string>> rows;
  for (auto& key : undated_keys(source))
    rows.emplace_back(std::move(key), reason);
  if (!rows.empty()) ledger.set_aside(push_.name, crm::State::quarantined, rows);
  return static_cast<std::int64_t>(rows.size());
}

}  // namespace surveybridge::daemon
