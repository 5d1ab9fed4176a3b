// Reads a list from its first page to its end, and around what the service does not answer
// (docs/SERVICE.md 4.5). A step is one page; nothing of it is stored.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "connectors/service/api.hpp"
#include "daemon/lists/page_history.hpp"
#include "daemon/lists/walk_window.hpp"
#include "daemon/pace/retry_state.hpp"

namespace surveybridge::daemon {

struct PageBounds {
  int limit = 100;                                                // records of a page
  std::int64_t pages = std::numeric_limits<std::int64_t>::max();  // a longer list is Endless
  // Refused: an answer without a list is a Trouble, and the third one Unanswered.
  service::Bare bare = service::Bare::taken;
};

class PageWalk {
 public:
  // What has this date from then on.
  struct Since {
    std::string date;  // a field, such as TransactionDate
    TimePoint from;
  };
  // `filters`: all but that of the date. Without `since` nothing is read around.
  PageWalk(const service::ListOperation& list, std::vector<service::Parameter> filters,
           std::optional<Since> since, TimePoint now, const PageBounds& bounds = {});

  struct Read {
    mapping::Page page;
    bool last = false;
    // Records of this date are in the part before, too; empty: there is none.
    std::optional<TimePoint> border = {};
  };
  struct Nothing {          // no page, and the next step may be made at once
    bool answered = false;  // the list answers for other records
  };
  struct Restarted {  // the next step reads the first page again
    bool stuck;       // the walk has come no further than before it was restarted last
    std::string why;
    Duration wait = {};  // before the next step
  };
  struct Endless {
    std::string why;
    mapping::Page page;  // the last one that was read
  };
  struct Unanswered {  // again and again; without `since`, or without a list
    service::Trouble trouble;
  };
  using Answer = std::variant<Read, Nothing, Restarted, Endless, Unanswered, service::Trouble>;
  Answer step(service::Api& api, TimePoint now);

  // The next step reads the first page again.
  void begin_again();
  std::int64_t pages() const { return pages_; }  // read since the walk began, or began again
  bool is_further() const { return restarts_.past(pages_); }
  // One part after the other is not answered: nothing more is read around.
  bool gave_up() const { return around_.gave_up(); }
  // What the service did not answer last, and why; empty: nothing.
  const std::string& left_out() const { return left_out_; }

 private:
  std::vector<service::Parameter> asked(bool before) const;
  Answer after_page(mapping::Page page);
  Answer after_trouble(const service::Api& api, service::Trouble trouble);
  Answer restarted(const std::string& why);
  bool next_part();

  const service::ListOperation* list_;
  std::vector<service::Parameter> filters_;
  std::optional<Since> since_;
  TimePoint begun_;
  PageBounds bounds_;
  crm::StoredWalk walk_;
  PageHistory history_;
  RestartTracker restarts_;
  ReadAround around_;
  bool asks_before_ = false;  // whether the list answers for anything else
  std::string left_out_;
  std::int64_t pages_ = 0;
  BareEnd bare_end_;
  int without_list_ = 0;  // such answers since a page was read
};

// After a step that brought no page: reports what is in its way. Returns when to make the next one;
// empty: the answer is Read or Endless.
std::optional<TimePoint> when_again(const PageWalk::Answer& answer, RetryState& retry,
                                    TimePoint now);

}  // namespace surveybridge::daemon
