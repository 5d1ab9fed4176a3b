// Finds out whether records left a window while it was read. A service that counts rows in its
// cursor skips a row for each one that was read and left the window before the next page. Where the
// question fails again and again or behind a cursor, or its list does not end, some may have left.
// Follows docs/SERVICE.md 4.5; what becomes of such a window: pull_plan.hpp. A step is one page.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "daemon/lists/page_walk.hpp"
#include "daemon/pull/pull_plan.hpp"

namespace surveybridge::daemon {

class MoveCheck {
 public:
  MoveCheck(const config::Pull& pull, const WalkPlan& plan, std::string name, JobContext& context)
      : pull_(pull), plan_(plan), name_(std::move(name)), context_(context) {}

  // After a page was read, before it is stored: it is the last one of several, and the question has
  // not been answered for this window.
  bool is_due(const crm::StoredWalk& walk, const mapping::Page& page) const;

  struct Done {};
  struct Later {  // the pace says: not before
    TimePoint at;
  };
  struct NextPage {};
  using Answer = std::variant<Done, NextPage, Later, service::Trouble>;
  // Asks who has moved since the window was begun. `filters`: the walk's.
  Answer step(const crm::StoredWalk& walk, const std::vector<service::Parameter>& filters,
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
  std::string name_;
  JobContext& context_;
  Question state_;
};

}  // namespace surveybridge::daemon
