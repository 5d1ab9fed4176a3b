// Decides whether an answer without a list (mapping::Page::bare) is a page with nothing on it.
// Follows docs/SERVICE.md 4.5. Two things must be so: the service is one that lists something, or
// nothing of this list has ever been stored; and the page, asked for once more after that, is bare
// again. A step is one request.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "connectors/crm/pulled/walk_store.hpp"
#include "daemon/context/job_context.hpp"

namespace surveybridge::daemon {

class BareAnswer {
 public:
  BareAnswer(const service::ListOperation& list, std::string by, std::string job,
             JobContext& context)
      : list_(list), by_(std::move(by)), job_(std::move(job)), context_(context) {}

  struct Empty {};  // the page counts as one with nothing on it
  struct AskAgain {};
  struct Later {  // the next step, with the same page
    TimePoint at;
  };
  using Answer = std::variant<Empty, AskAgain, Later, service::Trouble>;
  // After the page at which `walk` stands was bare.
  Answer step(const crm::StoredWalk& walk, TimePoint now);

  // After another answer, or when the page is stored.
  void forget() { proved_.reset(); }

 private:
  // One record of a list, from the widest window of this date.
  std::variant<bool, service::Trouble> lists_something(const service::ListOperation& list,
                                                       const std::string& by, TimePoint now);

  const service::ListOperation& list_;
  std::string by_;  // the date of the walk's window, without "Filter"
  std::string job_;
  JobContext& context_;
  // The cursor of the page for which the service has shown that it lists something.
  std::optional<std::string> proved_;
  bool own_is_bare_ = false;  // the widest window of this walk: then customers are asked for
};

}  // namespace surveybridge::daemon
