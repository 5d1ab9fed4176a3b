// Fetches the next page of a walk while the page before it is stored, so that the service's latency
// and the database's time do not add up. Belongs to a job; nothing is shared while a fetch runs.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/service/api.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/pull/page_effects.hpp"

namespace surveybridge::daemon {

// A page and whose its records are.
struct PulledPage {
  mapping::Page page;
  std::unique_ptr<PagePersons> persons = {};  // empty: not worked out yet

  PagePersons& persons_by(const std::string& hash_key);  // as long as the page
};

// An answer to store; with a key it is worked out at once whose the page's records are.
std::variant<PulledPage, service::Trouble> with_persons(
    std::variant<mapping::Page, service::Trouble> answer,
    const std::optional<std::string>& hash_key = {});

class FetchAhead {
 public:
  using Answer = std::variant<PulledPage, service::Trouble>;
  struct Fetched {
    Answer answer;
    TimePoint at;  // when it was requested, by the host's clock
  };

  // Begins to fetch the page at which `walk` stands. Without `run_beside` nothing happens.
  void begin(const RunBeside& run_beside, const crm::StoredWalk& walk, TimePoint now,
             std::function<Answer()> fetch);
  // Keeps a page that was fetched but cannot be stored yet, for take().
  void keep(const crm::StoredWalk& walk, Fetched fetched);
  // The page at which `walk` stands, if that was begun; waits for it, and throws what the fetch has
  // thrown. A page of another place is dropped, when it has come; also one older than a minute:
  // another walk may have stored later states of its records meanwhile.
  std::optional<Fetched> take(const crm::StoredWalk& walk, TimePoint now);

 private:
  struct Begun {
    std::optional<TimePoint> window_from, window_to;
    std::string cursor;
    TimePoint at;
    std::future<Answer> answer;
    std::unique_ptr<RunningWork> running;
  };
  std::optional<Begun> begun_;
};

}  // namespace surveybridge::daemon
