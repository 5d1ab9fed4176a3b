#include "daemon/init/zone_note.hpp"

#include <fmt/format.h>

#include "daemon/job/length_text.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

std::string zone_note(const ZoneFacts& facts) {
  const auto read = mapping::to_zone(facts.now, facts.zone);
  const mapping::LocalTime own((facts.now + facts.own.east).time_since_epoch());
  if (read == own) return "";
  const auto clock = [](mapping::LocalTime at) { return mapping::write_local(at).substr(11, 5); };
  const std::string later = facts.later == 0 ? ""
                                             : fmt::format(", and {} would lie in the future",
                                                           counted(facts.later, "row"));
  return fmt::format(
      "\"{}\" is read in {}, where it is {}; the database itself is set to {}, where it is {}{}."
      " Compare a new row with a clock: --time-zone, or time_zone in the file, sets another zone",
      facts.when, facts.zone, clock(read), facts.own.name, clock(own), later);
}

}  // namespace surveybridge::daemon
