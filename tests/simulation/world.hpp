// What a schedule may draw beyond rows, crashes and lost answers. Each can be switched off, so that
// a run can say which world it tested.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace simulation {

enum class Extra {
  lies,           // answers that are not true: a 503 with a wait after storing, HTML with 200
  rejected_rows,  // rows for which an add is answered 403 or 500
  column_order,   // a view whose columns change their order while the daemon runs
  lists,          // ratings and bouncers
  write_back,     // statuses written into the CRM's own rows
  walks,          // a second walk with a filter
  keep,           // records that are removed when they are old
  delay,          // `contact` with `then = "delay"`
  brake,          // the brake, and a person who releases it now and then
  fetch_ahead,    // the next page of a list is fetched before this one is stored
  blind_search,   // searches that find nothing although the customer is there
  offset_paging,  // a service whose cursors count rows
  bad_records,    // customers that a list shows in a way that cannot be read
  restore,        // the database is restored from a backup
  slow_sweep,     // a sweep of the window takes long, so that the whole is swept seldom
  apart,          // the CRM in a database of its own; each of the two may be away for a while
  in_flight,      // a push prepares batches while others are on their way, up to four of them
  frozen,         // a service that is away for longer than `settle`, and then works on what it got
  late_ends,      // lists whose pages are short or empty though more follow
  null_lists,     // a service that answers null where it has nothing to list
};
inline constexpr Extra kAllExtras[] = {
    Extra::lies,        Extra::rejected_rows, Extra::column_order, Extra::lists,
    Extra::write_back,  Extra::walks,         Extra::keep,         Extra::delay,
    Extra::brake,       Extra::blind_search,  Extra::fetch_ahead,  Extra::offset_paging,
    Extra::bad_records, Extra::restore,       Extra::slow_sweep,   Extra::apart,
    Extra::in_flight,   Extra::frozen,        Extra::late_ends,    Extra::null_lists};
const char* to_string(Extra extra);

// How often a schedule draws an extra: in half of the schedules, or in each.
enum class Share { half, each };
using World = std::map<Extra, Share>;
// Everything that the bridge must bear.
World whole_world();
// What scripts/test runs: what the bridge bears today.
World tested_world();
// "plain", "tested" and "all" are worlds, and each name is an extra; with commas between them they
// add up. "always NAME": in each schedule. Nullopt: no such world.
std::optional<World> read_world(const std::string& text);

}  // namespace simulation
