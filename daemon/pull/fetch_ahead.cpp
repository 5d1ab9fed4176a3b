#include "daemon/pull/fetch_ahead.hpp"

#include <memory>
#include <utility>

namespace surveybridge::daemon {

void FetchAhead::begin(const RunBeside& run_beside, const crm::StoredWalk& walk,
                       std::function<Answer()> fetch) {
  if (!run_beside) return;
  const auto task = std::make_shared<std::packaged_task<Answer()>>(std::move(fetch));
  auto answer = task->get_future();
  begun_.reset();
  begun_.emplace(Begun{walk.window_from, walk.window_to, walk.cursor, std::move(answer),
                       run_beside([task] { (*task)(); })});
}

void FetchAhead::keep(const crm::StoredWalk& walk, Answer answer) {
  std::promise<Answer> promise;
  promise.set_value(std::move(answer));
  begun_.reset();
  begun_.emplace(Begun{walk.window_from, walk.window_to, walk.cursor, promise.get_future(), {}});
}

std::optional<FetchAhead::Answer> FetchAhead::take(const crm::StoredWalk& walk) {
  if (!begun_) return std::nullopt;
  Begun begun = std::move(*begun_);
  begun_.reset();
  if (begun.running.valid()) begun.running.get();
  const bool same = begun.window_from == walk.window_from && begun.window_to == walk.window_to &&
                    begun.cursor == walk.cursor;
  if (!same) return std::nullopt;
  return begun.answer.get();
}

}  // namespace surveybridge::daemon
