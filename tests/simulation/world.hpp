// What a schedule may draw beyond rows, crashes and lost answers. Each can be switched off, so that
// a run can say which world it tested.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace simulation {

enum class Extra {
  lies,              // answers that are not true: a 503 with a wait after storing, HTML with 200
  rejected_rows,     // rows for which an add is answered 403 or 500
  column_order,      // a view whose columns change their order while the daemon runs
  lists,             // ratings and bouncers
  write_back,        // statuses written into the CRM's own rows
  walks,             // a second walk with a filter
  keep,              // records that are removed when they are old
  delay,             // `contact` with `then = "delay"`
  brake,             // the brake, and a person who releases it now and then
  fetch_ahead,       // the next page of a list is fetched before this one is stored
  blind_search,      // searches that find nothing although the customer is there
  offset_paging,     // a service whose cursors count rows
  bad_records,       // customers that a list shows in a way that cannot be read
  restore,           // the database is restored from a backup; rows come back at once or later
  slow_sweep,        // a sweep of the window takes long, so that the whole is swept seldom
  apart,             // the CRM in a database of its own; each of the two may be away for a while
  in_flight,         // a push prepares batches while others are on their way, up to four of them
  frozen,            // a service away for longer than `settle`, which then works on what it got
  late_ends,         // lists whose pages are short or empty though more follow
  null_lists,        // a service that answers null where it has nothing to list
  cut_keys,          // a service that stores ten bytes of a key, and keys that are longer
  upper_keys,        // a service that stores keys in capitals, and keys with small letters
  second_push,       // a second push, of rows of its own and of the same people
  own_list,          // `[suppress] query`, and people who are put on that list
  bounces,           // `[suppress.bounced]`
  changed_settings,  // the daemons get another configuration while they run
  statuses,          // 401, 403, 408 and 413
  lying_lists,       // pages that are no list, and cursors that come again
  poisoned_record,   // a customer with whom each page of a list is answered 500
  unread_opt_outs,   // customers that cannot be read where an opt-out would stand
  undated,           // neither a new customer nor an opt-out has a date of activity
  move,              // the bridge's tables are moved to another database, by `move`
  clock_steps,       // the clock of the database steps back, and is brought forward slowly
  // Those from here on are drawn by a stream of their own.
  sample,        // `sample`, raised and lowered while the daemons run
  quota,         // `quota` a day for each value of a column; a day ends while faults happen
  skipped_rows,  // rows that the map leaves out; the CRM mends half of them
  closed_days,   // the push sends nothing before that midnight, or nothing for a day after it
  named_list,    // `[suppress.lists]` for the first push, and people who are put on that list
  // And those from here on by another one.
  follow_ups,  // receivers of low scores, which refuse or lose messages; scores that change
};

struct NamedExtra {
  Extra extra;
  const char* name;
};
inline constexpr NamedExtra kAllExtras[] = {
    {Extra::lies, "lies"},
    {Extra::rejected_rows, "rejected rows"},
    {Extra::column_order, "column order"},
    {Extra::lists, "lists"},
    {Extra::write_back, "write-back"},
    {Extra::walks, "walks"},
    {Extra::keep, "keep"},
    {Extra::delay, "delay"},
    {Extra::brake, "brake"},
    {Extra::fetch_ahead, "fetch ahead"},
    {Extra::blind_search, "blind search"},
    {Extra::offset_paging, "offset paging"},
    {Extra::bad_records, "bad records"},
    {Extra::restore, "restore"},
    {Extra::slow_sweep, "slow sweep"},
    {Extra::apart, "apart"},
    {Extra::in_flight, "in flight"},
    {Extra::frozen, "frozen service"},
    {Extra::late_ends, "late ends"},
    {Extra::null_lists, "null lists"},
    {Extra::cut_keys, "cut keys"},
    {Extra::upper_keys, "upper keys"},
    {Extra::second_push, "second push"},
    {Extra::own_list, "own list"},
    {Extra::bounces, "bounces"},
    {Extra::changed_settings, "changed settings"},
    {Extra::statuses, "statuses"},
    {Extra::lying_lists, "lying lists"},
    {Extra::poisoned_record, "poisoned record"},
    {Extra::unread_opt_outs, "unread opt-outs"},
    {Extra::undated, "undated"},
    {Extra::move, "move"},
    {Extra::clock_steps, "clock steps"},
    {Extra::sample, "sample"},
    {Extra::quota, "quota"},
    {Extra::skipped_rows, "skipped rows"},
    {Extra::closed_days, "closed days"},
    {Extra::named_list, "named list"},
    {Extra::follow_ups, "follow-ups"},
};

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
