#include "daemon/pull/fetch_ahead.hpp"

#include <memory>
#include <utility>

namespace surveybridge::daemon {

namespace {

constexpr Duration kStaysFresh = std::chrono::minutes{1};

}  // namespace

PagePersons& PulledPage::persons_by(const std::string& hash_key) {
  if (!persons || persons->hash_key() != hash_key)
    persons = std::make_unique<PagePersons>(hash_key);
  return *persons;
}

std::variant<PulledPage, service::Trouble> with_persons(
    std::variant<mapping::Page, service::Trouble> answer,
    const std::optional<std::string>& hash_key) {
  if (auto* trouble = std::get_if<service::Trouble>(&answer)) return std::move(*trouble);
  PulledPage pulled{std::get<mapping::Page>(std::move(answer))};
  if (!hash_key) return pulled;
  for (const auto& record : pulled.page.records) {
    if (record.resource->find("Email") != nullptr) pulled.persons_by(*hash_key).of(record);
  }
  return pulled;
}

void FetchAhead::begin(const RunBeside& run_beside, const crm::StoredWalk& walk, TimePoint now,
                       std::function<Answer()> fetch) {
  if (!run_beside) return;
  const auto task = std::make_shared<std::packaged_task<Answer()>>(std::move(fetch));
  auto answer = task->get_future();
  begun_.reset();
  begun_.emplace(Begun{walk.window_from, walk.window_to, walk.cursor, now, std::move(answer),
                       run_beside([task] { (*task)(); })});
}

void FetchAhead::keep(const crm::StoredWalk& walk, Fetched fetched) {
  std::promise<Answer> promise;
  promise.set_value(std::move(fetched.answer));
  begun_.reset();
  begun_.emplace(
      Begun{walk.window_from, walk.window_to, walk.cursor, fetched.at, promise.get_future(), {}});
}

std::optional<FetchAhead::Fetched> FetchAhead::take(const crm::StoredWalk& walk, TimePoint now) {
  if (!begun_) return std::nullopt;
  Begun begun = std::move(*begun_);
  begun_.reset();
  if (begun.running) begun.running->wait();
  const bool same = begun.window_from == walk.window_from && begun.window_to == walk.window_to &&
                    begun.cursor == walk.cursor;
  const bool fresh = begun.at <= now && now - begun.at <= kStaysFresh;
  if (!same || !fresh) return std::nullopt;
  return Fetched{begun.answer.get(), begun.at};
}

}  // namespace surveybridge::daemon
