// Fetches the next pages of a walk while those before them are stored, so that the service's
// latency and the database's time do not add up. Belongs to a job; only the queue of the pages that
// came is shared with the thread that fetches.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "connectors/crm/pulled/walk_store.hpp"
#include "connectors/service/api.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/pull/page_effects.hpp"

namespace surveybridge::daemon {

// A page, or several that follow one another, and whose the records are.
struct PulledPage {
  mapping::Page page;
  std::unique_ptr<PagePersons> persons = {};  // empty: not worked out yet

  std::size_t listed() const { return page.records.size() + page.unreadable.size(); }
  PagePersons& persons_by(const std::string& hash_key);  // as long as the page
  // Appends the page that follows.
  void append(PulledPage next);
};

// An answer to store; with a key it is worked out at once whose the page's records are.
std::variant<PulledPage, service::Trouble> with_persons(
    std::variant<mapping::Page, service::Trouble> answer,
    const std::optional<std::string>& hash_key = {});

class FetchAhead {
 public:
  // So many pages wait to be stored at most; after so many bytes no further one is fetched.
  static constexpr std::size_t kPagesMax = 4;
  static constexpr std::size_t kBytesMax = 1 << 20;

  using Answer = std::variant<PulledPage, service::Trouble>;
  struct Fetched {
    Answer answer;
    TimePoint at;  // when it was requested, by the host's clock
  };
  // Fetches the page of a cursor, in a thread of its own. Empty: the pace allows no request now.
  using Fetch = std::function<std::optional<Fetched>(const std::string& cursor)>;

  FetchAhead() = default;
  FetchAhead(const FetchAhead&) = delete;
  FetchAhead& operator=(const FetchAhead&) = delete;
  ~FetchAhead() { drop(); }

  // Begins to fetch the pages from the place at which `walk` stands, or goes on with them. Without
  // `run_beside` nothing happens.
  void begin(const RunBeside& run_beside, const crm::StoredWalk& walk, Fetch fetch);
  // Keeps only a page that was fetched but cannot be stored yet, for take().
  void keep(const crm::StoredWalk& walk, Fetched fetched);
  // The page at which `walk` stands, if that was begun; waits for it, and throws what the fetch has
  // thrown. Pages of another place are dropped, when the last has come; also one older than a
  // minute: another walk may have stored later states of its records meanwhile. Where this returns
  // nothing, nothing is fetched any more.
  std::optional<Fetched> take(const crm::StoredWalk& walk, TimePoint now);
  // The same, if it is there already and suits; else it stays where it is.
  std::optional<PulledPage> take_ready(const crm::StoredWalk& walk, TimePoint now,
                                       const std::function<bool(const PulledPage&)>& suits);
  // Ends fetching, and drops what has come.
  void drop();
  // Was a page dropped that had been asked for? Once: the next time it is asked again.
  bool take_lost() { return std::exchange(lost_, false); }

 private:
  struct Queue;
  static void run(Queue& queue, const Fetch& fetch, const std::string& cursor);
  static void fetch_pages(Queue& queue, const Fetch& fetch, std::string cursor);

  void make_queue(const crm::StoredWalk& walk);
  bool is_of(const crm::StoredWalk& walk) const {
    return window_ == std::pair(walk.window_from, walk.window_to);
  }

  std::shared_ptr<Queue> queue_;  // empty: nothing was begun
  std::pair<std::optional<TimePoint>, std::optional<TimePoint>> window_;  // of its pages
  std::unique_ptr<RunningWork> running_;
  bool lost_ = false;
};

}  // namespace surveybridge::daemon
