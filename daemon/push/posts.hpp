// The batches of a push that are on their way, each with the request that carries it. A request
// runs beside the job's thread; its batch belongs to the job, which settles it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "connectors/service/outcome.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/push/batch.hpp"

namespace surveybridge::daemon {

class Posts {
 public:
  explicit Posts(JobContext& context) : context_(context) {}

  // What sends the batch.
  using Send = std::function<service::AddOutcome(Batch::Line&)>;
  // The request leaves now; without `run_beside` the answer is there when this returns.
  void begin(std::unique_ptr<Batch> claimed, Send send);

  bool empty() const { return posts_.empty(); }
  std::size_t size() const { return posts_.size(); }
  // The next one to settle, or none: no answer is there. An answer that is no acceptance waits for
  // the answers of all others, which are settled before it: what it says about the service then
  // stands last. Throws what a request has thrown; the batch is then as one without an outcome.
  Batch* answered();
  // Waits for the answer of the oldest one. Not while it is empty.
  Batch* first_answered();
  // Takes out a batch that is settled.
  std::unique_ptr<Batch> remove(Batch* settled);

 private:
  static void take_answer(Batch& batch);

  JobContext& context_;
  std::deque<std::unique_ptr<Batch>> posts_;  // the oldest first
  std::vector<Batch::Line> free_lines_;
};

}  // namespace surveybridge::daemon
