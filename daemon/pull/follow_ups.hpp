// [pull.LIST.follow_up.NAME]: which answers of a list receivers are told of, and what a message
// shows of one.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/pulled/conditions.hpp"
#include "connectors/crm/pulled/follow_up_store.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

class FollowUps {
 public:
  // Notes in the store since when each is there. Throws std::invalid_argument with a path that is
  // wrong.
  FollowUps(const config::Pull& pull, const std::string& time_zone, crm::Database& store);

  // What these records give, for each receiver. `db_now`: the database's time.
  std::vector<crm::FollowUp> of(std::span<const mapping::Record> records, TimePoint db_now) const;

 private:
  struct Compiled {
    const config::FollowUp* of;
    TimePoint since;
    std::vector<std::vector<crm::Condition>> when;
  };
  bool is_told(const Compiled& follow_up, const mapping::Record& record, TimePoint db_now) const;

  const config::Pull& pull_;
  std::string time_zone_;
  std::vector<Compiled> all_;
};

// Paths that the list's records do not have.
std::vector<config::Problem> follow_up_problems(const config::Pull& pull);

// Labels and texts of one line each: the record's number, the transaction's key, the values at
// ranges of `when`, the fields that the configuration names, and the link.
using ShownFields = std::vector<std::pair<std::string, std::string>>;
ShownFields shown_of(const config::Settings& settings, const config::Pull& pull,
                     const config::FollowUp& follow_up, const mapping::Record& record);

}  // namespace surveybridge::daemon
