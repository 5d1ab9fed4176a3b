// One simulated life of the bridge: a seed draws rows, faults, crashes and pauses; the real daemon
// runs through them on a clock that is turned; then the faults stop, and everything must add up.
// The same seed gives the same run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulation/world.hpp"

namespace simulation {

// A rule of the bridge's, broken from outside, to see that the simulator notices.
enum class Broken {
  nothing,
  send_before_claim,   // a claim is not durable until the answer is there
  resend_doubts,       // a lost answer counts as "not sent"
  high_water_mark,     // no looking back
  cursor_before_page,  // the cursor is durable before its page
  steal_by_time,       // an old claim is taken from its owner
  reuse_connection,    // the transport repeats a POST whose connection died
  lose_the_forgotten,  // nobody knows any more who asked to be forgotten
  contact_one_by_one,  // of two transactions of a person neither knows of the other
  mail_the_opted_out,  // nobody asks who opted out
  every_turn_is_free,  // the lease of the turn is everybody's
  no_fence,            // a walk's lease counts as held until its holder gives it back
  send_old_claims,     // nobody checks a claim's age before the first byte
  no_settle,           // absence is believed after a second
  no_control_search,   // absence is believed though the search proves nothing
  no_move_check,       // nobody asks which customers moved while a window was read
};
inline constexpr Broken kAllBroken[] = {
    Broken::send_before_claim,  Broken::resend_doubts,      Broken::high_water_mark,
    Broken::cursor_before_page, Broken::steal_by_time,      Broken::reuse_connection,
    Broken::lose_the_forgotten, Broken::contact_one_by_one, Broken::mail_the_opted_out,
    Broken::every_turn_is_free, Broken::no_fence,           Broken::send_old_claims,
    Broken::no_settle,          Broken::no_control_search,  Broken::no_move_check};
const char* to_string(Broken broken);

struct Report {
  std::uint64_t seed = 0;
  std::vector<std::string> faults;  // what does not add up; empty: all is well
  // What the run went through, to see that it was worth running.
  int rows = 0, sent = 0, in_doubt = 0, held = 0, forgotten = 0, crashes = 0, pauses = 0,
      wire_faults = 0, lies = 0, database_faults = 0, releases = 0, requests = 0;
};

// `template_database`: an SQLite file with the CRM's table and the bridge's schema, copied.
Report run_schedule(std::uint64_t seed, Broken broken, const World& world,
                    const std::string& folder);

}  // namespace simulation
