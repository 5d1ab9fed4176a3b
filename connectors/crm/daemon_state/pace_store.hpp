// The learned rate of each instance (table survey_pace): for its next start, and for the other
// instances on this database, which share the limit. Times are the database's.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct PaceRow {
  std::string owner;
  struct Rate {
    double per_second = 0, edge = 0;  // requests; edge 0: nothing was ever refused
  };
  Rate all;
  std::optional<Rate> read;  // if reading has its own limit; `all` is then writing's
  std::int64_t share = 1;    // the number of instances that shared the limit
  std::optional<Instant> refused_at, held_until;
  Instant seen_at{}, live_until{};
  std::string waiting;  // names of its jobs that waited for the pace, with ", " between them
};

class PaceStore {
 public:
  explicit PaceStore(Database& database) : database_(database) {}

  // The rows of a service, the latest first: of running instances and of some that ended.
  std::vector<PaceRow> load(const std::string& service);
  // Stores that `row.owner` runs for this long from now; sets `seen_at` and `live_until`. Rows of
  // instances that ended more than a day ago are removed.
  void save(const std::string& service, PaceRow row, std::chrono::seconds lives);
  // This instance has ended: it shares the limit no longer.
  void end(const std::string& service, const std::string& owner);

 private:
  Database& database_;
};

}  // namespace surveybridge::crm
