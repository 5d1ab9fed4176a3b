// Finds out, before anything is claimed, whether the ledger is older than the service: restored
// from a backup, or lost in part. Then the service lists customers with the keys of transactions
// that the ledger would send. Each such transaction becomes in doubt, so that the read-back
// compares it with the customer and settles it, and nobody is mailed twice.
//
// The check reads the customers with activity since the last check that this ledger remembers
// (survey_cursor, so that a restored ledger remembers an older one). It runs once in a process, and
// again when the ledger no longer knows the batch that this process claimed last. A step is one
// page. It cannot see customers that the service does not list yet: docs/GUARANTEES.md.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/lists/paging.hpp"
#include "daemon/push/push_plan.hpp"

namespace surveybridge::daemon {

class RestoreCheck {
 public:
  RestoreCheck(const config::Push& push, std::string owner, JobContext& context)
      : push_(push), owner_(std::move(owner)), context_(context) {}

  // Call before a claim; the last batch that this process claimed, empty: none.
  bool is_due(crm::Ledger& ledger, const std::string& last_batch);

  struct Done {
    std::int64_t found = 0;  // transactions that are in doubt now
  };
  struct Later {  // the pace says: not before
    TimePoint at;
  };
  struct NextPage {};
  using Answer = std::variant<Done, NextPage, Later, service::Trouble>;
  // Reads a page, while the check is due. `batch`: an id of its own for the rows in doubt.
  Answer step(crm::Source& source, const mapping::Mapper& mapper, const std::string& batch,
              TimePoint now);

 private:
  struct Idle {};
  struct Walk {
    TimePoint from, begun;
    std::string cursor = {};
    PageHistory history = {};
    std::int64_t found = 0;
  };

  std::optional<TimePoint> remembered();
  void remember(TimePoint begun);
  std::int64_t doubt(const std::vector<mapping::Record>& customers, crm::Source& source,
                     const mapping::Mapper& mapper, const std::string& batch, TimePoint now);

  const config::Push& push_;
  std::string owner_;
  JobContext& context_;
  bool due_ = true;
  std::variant<Idle, Walk> state_;
};

// What the brake says when the check has found something.
std::string restored_text(std::int64_t found);

}  // namespace surveybridge::daemon
