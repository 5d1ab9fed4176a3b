#include "daemon/push/posts.hpp"

#include <algorithm>
#include <utility>

namespace surveybridge::daemon {

void Posts::begin(std::unique_ptr<Batch> claimed, Send send) {
  if (free_lines_.empty()) {
    claimed->line = {context_.make_line(), context_.environment().open_database()};
  } else {
    claimed->line = std::move(free_lines_.back());
    free_lines_.pop_back();
  }
  Batch& batch = *posts_.emplace_back(std::move(claimed));
  const auto task = std::make_shared<std::packaged_task<service::AddOutcome()>>(
      [send = std::move(send), &used = batch.line] { return send(used); });
  auto answer = task->get_future();
  const auto& run_beside = context_.environment().run_beside;
  // From here on the batch may arrive, unless the request cannot even begin.
  const PushDecision not_begun = batch.decision();
  batch.decide(after_push(
      keys_of(batch.items),
      service::Unknown{
          {service::Trouble::Kind::unavailable, 0, {}, "the step ended without an answer"}}));
  try {
    if (run_beside)
      batch.running = run_beside([task] { (*task)(); });
    else
      (*task)();
  } catch (...) {
    batch.decide(not_begun);
    throw;
  }
  batch.answer = std::move(answer);
}

// Waits for the answer where it is not there yet.
void Posts::take_answer(Batch& batch) {
  if (batch.running) batch.running->wait();
  if (batch.answer.valid()) batch.outcome = batch.answer.get();
}

Batch* Posts::answered() {
  const auto accepted = [&]() -> Batch* {
    for (const auto& batch : posts_) {
      if (batch->outcome && std::holds_alternative<service::Accepted>(*batch->outcome))
        return batch.get();
    }
    return nullptr;
  };
  bool some = false;
  for (const auto& batch : posts_) {
    if (batch->running && !batch->running->has_ended()) continue;
    take_answer(*batch);
    some = true;
  }
  if (!some) return nullptr;
  if (Batch* batch = accepted()) return batch;
  for (const auto& batch : posts_)
    take_answer(*batch);
  Batch* batch = accepted();
  return batch != nullptr ? batch : posts_.front().get();
}

Batch* Posts::first_answered() {
  take_answer(*posts_.front());
  return answered();
}

std::unique_ptr<Batch> Posts::remove(Batch* settled) {
  const auto at = std::ranges::find(posts_, settled, &std::unique_ptr<Batch>::get);
  auto batch = std::move(*at);
  posts_.erase(at);
  if (batch->line.service.api) free_lines_.push_back(std::move(batch->line));
  return batch;
}

}  // namespace surveybridge::daemon
