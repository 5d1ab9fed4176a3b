// The state of the walks through the service's lists (table survey_cursor).
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// The state of a walk (table survey_cursor, key list, walk).
struct StoredWalk {
  std::string list;                               // "customers"
  std::string walk;                               // "LastActivityDate"
  std::optional<Instant> window_from, window_to;  // the open window; none between walks
  std::string cursor;                             // the service's; empty: the first page
  std::optional<Instant> watermark;               // all before it was read; the next window's begin
  std::int64_t pages = 0;                         // of this window, so far
  std::int64_t restarts = 0;                      // of this window, because its cursor had expired
  std::optional<Instant> finished_at;             // when the last window was read to its end
  std::string ignored;  // parameters that the service ignores, with commas; empty: none
  std::optional<Instant> begun_at = {};  // when the open window's first page was asked for
  // The open window is a part of one that ends here; none: it is not divided.
  std::optional<Instant> whole_to = {};
  // What it was begun with: `from`, and the service and account that it reads.
  std::optional<Instant> read_from = {};
  std::string service = {};

  static auto cells(auto& of) {
    return std::tie(of.list, of.walk, of.window_from, of.window_to, of.cursor, of.watermark,
                    of.pages, of.restarts, of.finished_at, of.ignored, of.begun_at, of.whole_to,
                    of.read_from, of.service);
  }
  bool operator==(const StoredWalk&) const = default;
};

// The walk of a list that is read as a whole.
inline const std::string kWholeListWalk = "all";
// What a push remembers of the service's list (daemon/push/restore_check); the walk is the push.
inline const std::string kRestoreCheckList = "restore check";

// A walk that is not stored has only its names.
StoredWalk load_walk(Database& database, const std::string& list, const std::string& walk);
// Within the caller's transaction if there is one.
void save_walk(Database& database, const StoredWalk& walk);

// Ordered by list and name.
std::vector<StoredWalk> all_walks(Database& database);
// The names of a list's walks that have a stored state.
std::vector<std::string> walks_of(Database& database, const std::string& list);
// Removes the state of a walk, as if it had never been read.
void drop_walk(Database& database, const std::string& list, const std::string& walk);

}  // namespace surveybridge::crm
