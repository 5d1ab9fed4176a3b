// A round of searches for rows in doubt that were sent in one way, read page by page. What is
// absent is believed absent only between two control searches, with little time between them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "connectors/service/api.hpp"
#include "daemon/reconcile/reconcile_plan.hpp"

namespace surveybridge::daemon {

// Reads into `column` which data column carries the keys (`correlate`): filters, and some lists,
// name it by its number only. Returns why it cannot be told: a Trouble of the kind `misplaced`,
// with `otherwise` behind it, if the service has no such column.
std::optional<service::Trouble> read_correlate_column(std::optional<mapping::DataColumn>& column,
                                                      service::Api& api,
                                                      const std::string& correlate,
                                                      const std::string& otherwise, TimePoint now);

struct SearchRound {
  std::deque<Search> searches;           // the first one is under way
  std::optional<PageWalk> walk;          // of that one; empty: the next step begins it
  std::optional<Search> control_search;  // as it begins; empty: no known key covers their form
  Control control = Control::none;
  std::optional<TimePoint> control_at;  // when it was made last, by one clock of the caller's
  int unanswered = 0;                   // exact searches in a row

  // Begins with the control search, if there is one. `column`: carries the keys; empty: none does.
  SearchRound(const DoubtGroup& group, const std::optional<mapping::DataColumn>& column,
              TimePoint begun);

  // Asks for a page of the first search.
  PageWalk::Answer ask(service::Api& api, TimePoint now);
  // Takes the first search away, which has ended.
  Search finish();
  // Where a search for several rows was not answered, each is looked for alone, until three such
  // searches in a row are not answered either. Returns those that need not be made then.
  std::vector<Search> given_up_after(const Search& finished, bool is_unanswered);
  // Takes what a control search has found. Returns the time since the one before.
  Duration take_control(const Search& search, TimePoint at);
  // After each search. `unconfirmed`: something was found absent since the last control search.
  void repeat_control(bool unconfirmed, TimePoint at);
};

}  // namespace surveybridge::daemon
