// How the window of a walk is read, page after page, and around what the service does not answer.
// Pure. Follows docs/SERVICE.md 4.5.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "connectors/service/outcome.hpp"
#include "connectors/service/query.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

inline bool is_open(const crm::StoredWalk& walk) {
  return walk.window_to.has_value();
}

// Begins the window with its first page.
crm::StoredWalk first_page(crm::StoredWalk walk, TimePoint db_now);

// The state of the walk after a page. After the last page, which has no next cursor, the window, or
// the part of it that is open, is closed and the watermark moved.
crm::StoredWalk after_page(crm::StoredWalk walk, const std::string& next_cursor, TimePoint db_now);

// Begins the window again with its first page.
crm::StoredWalk start_again(crm::StoredWalk walk);

// No part of a window is shorter: a second, or a day where dates are written without their time.
Duration shortest_part(const config::ServiceDialect& dialect);
// Divides the open window into parts and begins with the first; nullopt if it is not longer than
// the shortest part. After each part the next one is twice as long.
// Can the open part of this window be divided?
bool is_divisible(const crm::StoredWalk& walk, Duration shortest);
std::optional<crm::StoredWalk> divided(crm::StoredWalk walk, std::int64_t parts, TimePoint db_now,
                                       Duration shortest = std::chrono::seconds{1});
// So many parts of a window whose pages fail or whose cursor expires.
inline constexpr std::int64_t kPartsOfTrouble = 8;

// After so many such failures of one request in a row what it asks for may be the cause: one record
// that the service cannot show (5xx, a time-out), or an answer that cannot be read. nullopt: it is
// not, or the service says how long to wait.
std::optional<int> failures_max(const service::Trouble& trouble);

// A page that fails again and again may hold one record that is the cause. Where the list answers
// otherwise, its window is divided, down to the part that is not answered. Where one part after the
// other is left out, it is not one record: nothing more is left out.
class ReadAround {
 public:
  // So many parts in a row that are not answered are the service's trouble.
  static constexpr int kLeftOutInARow = 3;
  enum class Next {
    wait,        // ask for the page again, later
    ask_before,  // ask for second_before(), to learn whether the list answers at all
    divide,      // the window; where that cannot be, leave it out
  };
  // `divisible`: the part of the window can be divided. A neighbour that was read is enough to do
  // that, and not to leave the part out.
  Next after(const service::Trouble& trouble, bool divisible);
  // The list has answered for second_before(): the page is asked for once more.
  void answered() { alone_ = Alone::asked; }
  // It has not, for this one: another such record may be there. The next one lies further back.
  void unanswered() { before_ = std::min<Duration>(2 * before_, std::chrono::days{1}); }
  // How far before the window the second lies in which little or nothing is listed.
  Duration before() const { return before_; }
  // A page was read. While the window is divided that is enough to know that the list answers.
  void succeeded() { failures_ = 0, alone_ = divided_ ? Alone::by_neighbour : Alone::unknown; }
  // The open part of the window was left out, or read to its end.
  void left_out() { ++left_out_; }
  // One part after the other was left out.
  bool gave_up() const { return left_out_ == kLeftOutInARow; }
  void read_part() { left_out_ = 0; }

 private:
  int failures_ = 0;  // of one page, in a row
  // Does the list answer, but for this page?
  enum class Alone { unknown, by_neighbour, asked } alone_ = Alone::unknown;
  bool divided_ = false;
  int left_out_ = 0;  // parts in a row
  Duration before_ = std::chrono::seconds{1};
};

// A second in which little or nothing is listed, so far before the window.
service::DateFilter second_before(const crm::StoredWalk& walk, Duration far);

// That the open window is left out, and why; `by`: the date of its records.
std::string left_out(const crm::StoredWalk& walk, const std::string& by,
                     const service::Trouble& trouble);

}  // namespace surveybridge::daemon
