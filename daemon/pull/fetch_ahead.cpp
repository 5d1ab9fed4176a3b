#include "daemon/pull/fetch_ahead.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <utility>

namespace surveybridge::daemon {

namespace {

constexpr Duration kStaysFresh = std::chrono::minutes{1};

bool is_fresh(TimePoint fetched_at, TimePoint now) {
  return fetched_at <= now && now - fetched_at <= kStaysFresh;
}

}  // namespace

PagePersons& PulledPage::persons_by(const std::string& hash_key) {
  if (!persons || persons->hash_key() != hash_key)
    persons = std::make_unique<PagePersons>(hash_key);
  return *persons;
}

void PulledPage::append(PulledPage next) {
  std::ranges::move(next.page.records, std::back_inserter(page.records));
  std::ranges::move(next.page.unreadable, std::back_inserter(page.unreadable));
  page.next_cursor = std::move(next.page.next_cursor);
  page.finer_than_stored = page.finer_than_stored || next.page.finer_than_stored;
  page.bytes += next.page.bytes;
  if (persons && next.persons && persons->hash_key() == next.persons->hash_key())
    persons->add(*next.persons);
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

// The pages that came, and what the thread that fetches needs to know.
struct FetchAhead::Queue {
  struct Item {
    std::string cursor;
    std::optional<Fetched> fetched = {};
    std::exception_ptr error = {};  // instead of it

    const PulledPage* page() const {
      return fetched ? std::get_if<PulledPage>(&fetched->answer) : nullptr;
    }
    // Empty: no page follows, or it is not known where.
    std::string next() const {
      return page() == nullptr || page()->page.next_cursor == cursor ? ""
                                                                     : page()->page.next_cursor;
    }
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Item> items;
  std::string at;           // the cursor of the page that is being fetched
  bool running = false;     // it is
  bool is_dropped = false;  // nobody will take anything

  bool is_full() const {
    std::size_t bytes = 0;
    for (const auto& item : items)
      bytes += item.page() == nullptr ? 0 : item.page()->page.bytes;
    return items.size() >= kPagesMax || bytes >= kBytesMax;
  }
};

// What a fetch throws is thrown by take(); whatever else goes wrong ends this thread's work, and
// the job fetches the page itself.
void FetchAhead::run(Queue& queue, const Fetch& fetch, const std::string& cursor) {
  try {
    fetch_pages(queue, fetch, cursor);
  } catch (...) {
    const std::lock_guard lock(queue.mutex);
    queue.running = false;
    queue.changed.notify_all();
  }
}

// Fetches one page after the other until there is no room, no next page or no permission.
void FetchAhead::fetch_pages(Queue& queue, const Fetch& fetch, std::string cursor) {
  for (bool more = true; more;) {
    Queue::Item item{cursor};
    try {
      item.fetched = fetch(cursor);
    } catch (...) {
      item.error = std::current_exception();
    }
    const std::lock_guard lock(queue.mutex);
    const bool came = item.fetched || item.error;
    cursor = item.next();
    if (came) queue.items.push_back(std::move(item));
    more = !cursor.empty() && !queue.is_dropped && !queue.is_full();
    queue.at = cursor;
    queue.running = more;
    queue.changed.notify_all();
  }
}

void FetchAhead::make_queue(const crm::StoredWalk& walk) {
  queue_ = std::make_shared<Queue>();
  window_ = {walk.window_from, walk.window_to};
}

void FetchAhead::begin(const RunBeside& run_beside, const crm::StoredWalk& walk, Fetch fetch) {
  if (!run_beside) return;
  std::string cursor = walk.cursor;
  if (queue_) {
    std::unique_lock lock(queue_->mutex);
    const auto& items = queue_->items;
    const std::string& first = items.empty() ? queue_->at : items.front().cursor;
    const bool here = is_of(walk) && first == cursor && (queue_->running || !items.empty());
    if (here) {
      if (queue_->running || queue_->is_full()) return;
      cursor = items.back().next();
      if (cursor.empty()) return;
    } else {
      lock.unlock();
      drop();
    }
  }
  if (!queue_) make_queue(walk);
  running_.reset();
  queue_->at = cursor;
  queue_->running = true;
  try {
    running_ = run_beside(
        [queue = queue_, fetch = std::move(fetch), cursor] { run(*queue, fetch, cursor); });
  } catch (...) {  // no thread can be had
    queue_.reset();
    throw;
  }
}

void FetchAhead::keep(const crm::StoredWalk& walk, Fetched fetched) {
  drop();
  make_queue(walk);
  queue_->items.push_back({walk.cursor, std::move(fetched)});
}

std::optional<FetchAhead::Fetched> FetchAhead::take(const crm::StoredWalk& walk, TimePoint now) {
  if (!queue_) return std::nullopt;
  std::optional<Queue::Item> item;
  if (is_of(walk)) {
    std::unique_lock lock(queue_->mutex);
    queue_->changed.wait(lock, [this] { return !queue_->items.empty() || !queue_->running; });
    if (!queue_->items.empty() && queue_->items.front().cursor == walk.cursor) {
      item = std::move(queue_->items.front());
      queue_->items.pop_front();
    }
  }
  if (item && item->error) {
    drop();
    std::rethrow_exception(item->error);
  }
  if (item && is_fresh(item->fetched->at, now)) return std::move(item->fetched);
  drop();
  return std::nullopt;
}

std::optional<PulledPage> FetchAhead::take_ready(
    const crm::StoredWalk& walk, TimePoint now,
    const std::function<bool(const PulledPage&)>& suits) {
  if (!queue_ || !is_of(walk)) return std::nullopt;
  const std::lock_guard lock(queue_->mutex);
  if (queue_->items.empty() || queue_->items.front().cursor != walk.cursor) return std::nullopt;
  auto& first = queue_->items.front();
  if (first.page() == nullptr || !is_fresh(first.fetched->at, now) || !suits(*first.page()))
    return std::nullopt;
  PulledPage page = std::get<PulledPage>(std::move(first.fetched->answer));
  queue_->items.pop_front();
  return page;
}

void FetchAhead::drop() {
  if (!queue_) return;
  {
    const std::lock_guard lock(queue_->mutex);
    queue_->is_dropped = true;
    lost_ = lost_ || queue_->running || !queue_->items.empty();
  }
  running_.reset();
  queue_.reset();
}

}  // namespace surveybridge::daemon
