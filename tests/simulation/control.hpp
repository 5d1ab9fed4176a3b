// The negative controls: rules of the bridge that are broken on purpose, to see that the simulator
// notices.
#pragma once

#include "tests/simulation/draw.hpp"

namespace simulation {

// A rule that is broken from outside.
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
  early_end,           // an empty page counts as the end of its list
  mail_the_past,       // a larger share is drawn among the rows of before, too
  count_the_sent,      // a quota counts what is known as sent, not what may have been
  mail_when_closed,    // nobody looks at the calendar
  tell_unclaimed,      // a message is sent without its claim in the store
  count_claimed,       // a message that somebody has claimed counts as told
};
inline constexpr Broken kAllBroken[] = {
    Broken::send_before_claim,  Broken::resend_doubts,      Broken::high_water_mark,
    Broken::cursor_before_page, Broken::steal_by_time,      Broken::reuse_connection,
    Broken::lose_the_forgotten, Broken::contact_one_by_one, Broken::mail_the_opted_out,
    Broken::every_turn_is_free, Broken::no_fence,           Broken::send_old_claims,
    Broken::no_settle,          Broken::no_control_search,  Broken::no_move_check,
    Broken::early_end,          Broken::mail_the_past,      Broken::count_the_sent,
    Broken::mail_when_closed,   Broken::tell_unclaimed,     Broken::count_claimed};
const char* to_string(Broken broken);

// The schedule, changed so that the broken rule can show.
Drawn fit_for(Drawn drawn, Broken broken);

}  // namespace simulation
