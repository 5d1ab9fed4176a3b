// The batches of a push that are on their way, each with the request that carries it. A request
// runs beside the job's thread; its batch belongs to the job, which settles it.
#pragma once

#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "connectors/service/outcome.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/push/claimed_batch.hpp"

namespace surveybridge::daemon {

class Posts {
 public:
  explicit Posts(JobContext& context) : context_(context) {}

  // What a request works with, while the job goes on: a connection to the service that no other
  // request uses, and the ledger's database.
  struct Line {
    ServiceLine service;
    std::unique_ptr<crm::Database> database;
  };
  // A batch on its way. Without an outcome its decision is what holds: it may have arrived.
  struct Post {
    explicit Post(ClaimedBatch claimed) : batch(std::move(claimed)) {}
    ClaimedBatch batch;
    std::optional<service::AddOutcome> outcome;  // once it is there
    Line line;
    std::future<service::AddOutcome> answer;
    std::unique_ptr<RunningWork> running;  // has ended with the request
  };
  // What sends the batch.
  using Send = std::function<service::AddOutcome(Line&)>;

  // The request leaves now; without `run_beside` the answer is there when this returns.
  void begin(ClaimedBatch batch, Send send);

  bool empty() const { return posts_.empty(); }
  std::size_t size() const { return posts_.size(); }
  // The next one to settle, or none: no answer is there. An answer that is no acceptance waits for
  // the answers of all others, which are settled before it: what it says about the service then
  // stands last. Throws what a request has thrown; the batch is then as one without an outcome.
  Post* answered();
  // Waits for the answer of the oldest one. Not while it is empty.
  Post* first_answered();
  // The batch of `post` is settled.
  void remove(Post* post);

 private:
  static bool has_answer(const Post& post);
  static void take(Post& post);

  JobContext& context_;
  std::deque<std::unique_ptr<Post>> posts_;  // the oldest first
  std::vector<Line> free_lines_;
};

}  // namespace surveybridge::daemon
