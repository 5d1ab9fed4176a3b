// What each instance knows of the service's limit (table survey_pace): kept for the next start, and
// for the others on this database, who share the limit with it. Time is the database's.
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
  std::optional<Rate> read;  // where reading is counted apart; `all` is then writing's
  std::int64_t share = 1;    // among so many instances was the limit divided
  std::optional<Instant> refused_at, held_until;
  Instant seen_at{}, live_until{};
  std::string waiting;  // names of its jobs that waited for their turn, ", " between them
};

class PaceStore {
 public:
  explicit PaceStore(Database& database) : database_(database) {}

  // Of a service, the latest first: of those that live and of some that are gone.
  std::vector<PaceRow> load(const std::string& service);
  // Says that `row.owner` lives for so long from now; `seen_at` and `live_until` are set here.
  // Rows of who has been gone for a day are dropped.
  void save(const std::string& service, PaceRow row, std::chrono::seconds lives);

 private:
  Database& database_;
};

}  // namespace surveybridge::crm
