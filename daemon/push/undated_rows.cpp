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

std::int64_t UndatedRows::look(crm::Source& source, crm::Ledger& ledger, TimePoint db_now) {
  const std::string reason = std::string(crm::kUndated) + " in the column \"" + push_.when +
                             "\" (NULL, a zero date, or text in another form): never sent unless "
                             "it gets one";
  std::vector<crm::Ledger::SetAside> rows;
  for (auto& key : undated_keys(source))
    rows.push_back({std::move(key), reason});
  if (!rows.empty()) ledger.set_aside(push_.name, crm::State::quarantined, rows);
  some_ = !ledger.none_set_aside(push_.name, std::string(crm::kUndated)) ||
          !ledger.none_set_aside(push_.name, std::string(crm::kGone));
  const bool all = rows.size() < kAtOnce;
  next_look_ = all ? db_now + kEvery : db_now;
  return static_cast<std::int64_t>(rows.size());
}

}  // namespace surveybridge::daemon
