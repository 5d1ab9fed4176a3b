// Finds out whether records left a window while it was read. A service that counts rows in its
// cursor skips a row for each one that was read and left the window before the next page. Where the
// question fails again and again or behind a cursor, or its list does not end, some may have left.
// Follows docs/SERVICE.md 4.5. A step is one page.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "daemon/lists/page_walk.hpp"
#include "daemon/lists/pull_filters.hpp"

namespace surveybridge::daemon {

// A service that counts rows in its cursor skips one when another one, already read, leaves the
// window. Whether that may have happened is asked after the last of several pages.
bool needs_move_check(const crm::StoredWalk& walk, const std::string& next_cursor);

// Who has moved since the window was opened: the parameter of that request.
service::Parameter moved_since(const crm::StoredWalk& walk, const WalkPlan& plan);

// The keys of the listed records that are now after the window. A date that is not shown may be.
std::vector<mapping::Value> keys_after(const std::vector<mapping::Record>& listed,
                                       const crm::StoredWalk& walk, const WalkPlan& plan);
// Were some of these, as they are stored, in the window or after it?
bool were_inside(const std::vector<mapping::Record>& stored, const crm::StoredWalk& walk,
                 const WalkPlan& plan);

// What becomes of a window that was read to its end while records left it: one that is not much
// longer than the next one is read again with that one, and the watermark stays. A longer one is
// read again in parts.
bool is_left_to_the_next(const crm::StoredWalk& walk, const WalkPlan& plan);

class MoveCheck {
 public:
  MoveCheck(const config::Pull& pull, const WalkPlan& plan, JobContext& context)
      : pull_(pull), plan_(plan), context_(context) {}

  // After a page was read, before it is stored: it is the last one of several, and the question has
  // not been answered for this window.
  bool is_due(const crm::StoredWalk& walk, const mapping::Page& page) const;

  // Asks for a page of who has moved since the window was begun. `filters`: the walk's. True: it is
  // known whether some have. False: another page follows.
  std::variant<bool, service::Trouble> step(const crm::StoredWalk& walk,
                                            const std::vector<service::Parameter>& filters,
                                            TimePoint now);

  // Did a record leave this window, or may one have? Once: the next time it is asked again.
  bool take_moved(const crm::StoredWalk& walk);

 private:
  struct Question {
    std::optional<TimePoint> window;     // the end of the window in question
    std::optional<PageWalk> pages = {};  // of who has moved; empty: the next step begins it
    std::optional<bool> moved = {};
  };

  const config::Pull& pull_;
  const WalkPlan& plan_;
  JobContext& context_;
  Question state_;
};

}  // namespace surveybridge::daemon
