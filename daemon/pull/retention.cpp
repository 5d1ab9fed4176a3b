#include "daemon/pull/retention.hpp"

#include <algorithm>
#include <iterator>

#include "config/service_list.hpp"

namespace surveybridge::daemon {

std::string age_field(config::Pull::List list) {
  return std::string(config::description_of(list).age);
}

bool is_old(const mapping::Record& record, config::Pull::List list, TimePoint before) {
  const auto* at = std::get_if<mapping::Instant>(&record.value(age_field(list)));
  return at != nullptr && *at < before;
}

std::vector<mapping::Record> take_old(std::vector<mapping::Record>& records,
                                      const config::Pull& pull, TimePoint db_now) {
  if (!pull.keep) return {};
  const auto first_old = std::stable_partition(
      records.begin(), records.end(),
      [&](const auto& record) { return !is_old(record, pull.list, db_now - *pull.keep); });
  std::vector<mapping::Record> old(std::make_move_iterator(first_old),
                                   std::make_move_iterator(records.end()));
  records.erase(first_old, records.end());
  return old;
}

}  // namespace surveybridge::daemon
