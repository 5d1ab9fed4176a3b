#include "daemon/push/posts.hpp"

#include <algorithm>
#include <utility>

namespace surveybridge::daemon {

void Posts::begin(ClaimedBatch batch, Send send) {
  Line line;
  if (free_lines_.empty()) {
    line = {context_.make_line(), context_.environment().open_database()};
  } else {
    line = std::move(free_lines_.back());
    free_lines_.pop_back();
  }
  auto& post = *posts_.emplace_back(std::make_unique<Post>(std::move(batch)));
  post.line = std::move(line);
  const auto task = std::make_shared<std::packaged_task<service::AddOutcome()>>(
      [send = std::move(send), &used = post.line] { return send(used); });
  auto answer = task->get_future();
  const auto& run_beside = context_.environment().run_beside;
  // From here on the batch may arrive, unless the request cannot even begin.
  const PushDecision not_begun = post.batch.decision();
  post.batch.decide(after_push(
      keys_of(post.batch.items()),
      service::Unknown{
          {service::Trouble::Kind::unavailable, 0, {}, "the step ended without an answer"}}));
  try {
    if (run_beside)
      post.running = run_beside([task] { (*task)(); });
    else
      (*task)();
  } catch (...) {
    post.batch.decide(not_begun);
    throw;
  }
  post.answer = std::move(answer);
}

bool Posts::has_answer(const Post& post) {
  return !post.running || post.running->has_ended();
}

// Waits for the answer where it is not there yet.
void Posts::take(Post& post) {
  if (post.running) post.running->wait();
  if (post.answer.valid()) post.outcome = post.answer.get();
}

Posts::Post* Posts::answered() {
  const auto accepted = [&]() -> Post* {
    for (const auto& post : posts_) {
      if (post->outcome && std::holds_alternative<service::Accepted>(*post->outcome))
        return post.get();
    }
    return nullptr;
  };
  bool some = false;
  for (const auto& post : posts_) {
    if (!has_answer(*post)) continue;
    take(*post);
    some = true;
  }
  if (!some) return nullptr;
  if (Post* post = accepted()) return post;
  for (const auto& post : posts_)
    take(*post);
  Post* post = accepted();
  return post != nullptr ? post : posts_.front().get();
}

Posts::Post* Posts::first_answered() {
  take(*posts_.front());
  return answered();
}

void Posts::remove(Post* post) {
  const auto at = std::ranges::find(posts_, post, &std::unique_ptr<Post>::get);
  if (post->line.service.api) free_lines_.push_back(std::move(post->line));
  posts_.erase(at);
}

}  // namespace surveybridge::daemon
