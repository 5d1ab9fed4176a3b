#include "tests/simulation/control.hpp"

namespace simulation {

namespace {

std::string person(std::size_t number) {
  return "person" + std::to_string(number) + "@example.test";
}

// Two daemons judge two orders of one person at the same time.
void race_for_people(Drawn& drawn) {
  drawn.daemons = 2;
  drawn.contact = true;
  drawn.extras.insert(Extra::delay);  // the other order waits; it is not suppressed
  drawn.batch_size = 1;
  drawn.every_seconds = 20;
  drawn.crash = drawn.wire = drawn.database = drawn.forget_share = 0;
  // Between the check of a person's contacts and the claim, and short enough that the claim is not
  // too old.
  drawn.pause = 0.3;
  drawn.pause_shortest = std::chrono::seconds{5};
  drawn.pause_longest = std::chrono::seconds{25};
  // Of each person's two orders the later one happened earlier and goes first: two daemons that
  // look before and after it appears choose different ones.
  for (std::size_t i = 0; i < drawn.orders.size(); ++i) {
    Order& order = drawn.orders[i];
    const std::chrono::seconds later{60 * (i / 2) + 3 * (i % 2)};
    order.committed_at = kBegin + later;
    order.delivered_at = kBegin - later;
    if (!order.unmappable) order.email = person(i / 2);
  }
}

}  // namespace

Drawn fit_for(Drawn drawn, Broken broken) {
  if (broken == Broken::send_before_claim) {
    drawn.daemons = 1;
    drawn.pause = 0;
    drawn.crash = 0.005;
    for (auto& order : drawn.orders)
      order.committed_at = kBegin;
    for (auto& order : drawn.orders)
      order.delivered_at = kBegin;
  }
  if (broken == Broken::steal_by_time) {
    drawn.daemons = 2;
    drawn.pause = 0.3;
    drawn.pause_adds_only = true;  // between the claim, which is then stolen, and its add
  }
  if (broken == Broken::cursor_before_page) {
    drawn.crash = 0.005;
    drawn.wire = drawn.database = 0;
    drawn.lives_speed = 0;  // a later activity would hide a page that was lost
    drawn.visible_after = Duration{0};
  }
  if (broken == Broken::lose_the_forgotten) drawn.forget_share = 0.02;
  if (broken == Broken::contact_one_by_one) drawn.contact = true;
  if (broken == Broken::mail_the_opted_out) {
    drawn.contact = false;
    drawn.opted_out = true;
    drawn.lives_speed = 2000;
    drawn.crash = drawn.wire = drawn.database = drawn.forget_share = 0;
    drawn.visible_after = Duration{0};  // who opts out is known before the person's next order goes
    for (std::size_t i = 0; i < drawn.orders.size(); ++i)
      if (!drawn.orders[i].unmappable) drawn.orders[i].email = person(i % 4);
  }
  if (broken == Broken::every_turn_is_free) race_for_people(drawn);
  if (broken == Broken::no_fence) {
    drawn.daemons = 2;
    drawn.pause = 0.1;
    drawn.pause_shortest = std::chrono::minutes{6};
    drawn.pause_longest = std::chrono::minutes{32};
    drawn.extras.insert({Extra::lists, Extra::walks});  // more pages
  }
  if (broken == Broken::send_old_claims) {
    drawn.daemons = 2;
    drawn.resend = true;
    drawn.crash = drawn.database = 0;
    // Long enough for the other daemon to look the claim up and to send its rows again.
    drawn.pause = 0.3;
    drawn.pause_shortest = std::chrono::minutes{50};
    drawn.pause_adds_only = true;
  }
  if (broken == Broken::no_settle) {
    drawn.resend = true;
    drawn.wire = 0.5;
    drawn.visible_after = std::chrono::minutes{10};
  }
  if (broken == Broken::no_control_search) {
    drawn.resend = true;
    drawn.extras.insert(Extra::blind_search);
    drawn.wire = 0.25;  // with more the service seems away, and no absence is believed
    drawn.crash = drawn.pause = drawn.database = 0;
    drawn.extras.insert(Extra::undated);  // a list that names the customer would end the doubt
    drawn.lives_speed = 0;
  }
  if (broken == Broken::no_move_check) {
    drawn.extras.insert(Extra::offset_paging);
    drawn.list_takes = std::chrono::seconds{30};
    drawn.lives_speed = 150;
    drawn.crash = drawn.wire = drawn.database = drawn.forget_share = 0;
    drawn.visible_after = Duration{0};
  }
  if (broken == Broken::early_end) {
    drawn.extras.insert(Extra::late_ends);
    drawn.crash = drawn.wire = drawn.database = drawn.forget_share = 0;
    drawn.lives_speed = 0;  // a later activity would list whom the walk has missed
    drawn.visible_after = Duration{0};
  }
  if (broken == Broken::mail_the_past) {
    drawn.extras.insert(Extra::sample);
    drawn.sample = 0.3;
    drawn.last_sample = 1;
  }
  if (broken == Broken::count_the_sent) {
    drawn.extras.insert(Extra::quota);
    drawn.quota = 2;
    drawn.batch_size = 2;
    drawn.wire = 0.5;
    drawn.forget_share = 0;
    drawn.contact = drawn.opted_out = false;
    for (auto& order : drawn.orders)
      order.committed_at = order.delivered_at = kBegin;
  }
  if (broken == Broken::mail_when_closed) {
    drawn.extras.insert(Extra::closed_days);
    drawn.closes_late = false;
  }
  if (broken == Broken::tell_unclaimed || broken == Broken::count_claimed) {
    drawn.extras.insert(Extra::follow_ups);
    drawn.crash = drawn.wire = drawn.database = drawn.forget_share = 0;
    drawn.lives_speed = 2000;
    drawn.visible_after = Duration{0};  // all answers come while messages get lost
  }
  if (broken == Broken::resend_doubts || broken == Broken::reuse_connection) drawn.wire = 0.5;
  return drawn;
}

const char* to_string(Broken broken) {
  switch (broken) {
    case Broken::nothing:
      return "nothing";
    case Broken::send_before_claim:
      return "send before claim";
    case Broken::resend_doubts:
      return "resend doubts";
    case Broken::high_water_mark:
      return "trust the high-water mark";
    case Broken::cursor_before_page:
      return "advance the cursor before the page";
    case Broken::steal_by_time:
      return "steal by time";
    case Broken::reuse_connection:
      return "reuse the connection for an add";
    case Broken::lose_the_forgotten:
      return "lose the mark of the forgotten";
    case Broken::contact_one_by_one:
      return "contact one by one";
    case Broken::mail_the_opted_out:
      return "mail the opted out";
    case Broken::every_turn_is_free:
      return "let everybody take the turn";
    case Broken::no_fence:
      return "write without the lease";
    case Broken::send_old_claims:
      return "send however old the claim is";
    case Broken::no_settle:
      return "believe absence at once";
    case Broken::no_control_search:
      return "believe absence without a control search";
    case Broken::no_move_check:
      return "read a window once";
    case Broken::early_end:
      return "believe an early end";
    case Broken::mail_the_past:
      return "mail the past after a raised share";
    case Broken::count_the_sent:
      return "count the quota by what is sent";
    case Broken::mail_when_closed:
      return "mail on closed days";
    case Broken::tell_unclaimed:
      return "tell answer without claim";
    case Broken::count_claimed:
      return "count claimed as told";
  }
  return "";
}

}  // namespace simulation
