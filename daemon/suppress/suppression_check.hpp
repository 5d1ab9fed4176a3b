// Asks before a batch goes out: may these people be mailed? Holds what that takes: the key of the
// hash, the facts, the operator's own lists, and how fresh all of it is. Belongs to a push.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/daemon_state/list_reading.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "daemon/suppress/batch_item.hpp"
#include "daemon/suppress/suppression_rules.hpp"

namespace surveybridge::daemon {

// A walk of a pull that must be fresh for [suppress] to know whom not to mail.
struct FeedingWalk {
  std::string list, name, by;  // `name`: as in survey_cursor
  Duration stale_after{0};     // it must have ended within that time
  Duration every{0};           // from its end to its next beginning
};

// The walks of the pulls themselves, and of their [[walk]]s those by a date that a rule of
// [suppress] rests on: an OptedOutDate walk brings who opted out. A [[walk]] that is made less
// often than `stale_after` may take its own interval longer. Empty without [suppress].
std::vector<FeedingWalk> feeding_walks(const config::Settings& settings);

class SuppressionCheck {
 public:
  // `uptime` tells how old what was read of the operator's own lists is.
  SuppressionCheck(const config::Push& push, const config::Settings& settings,
                   std::function<Duration()> uptime)
      : push_(push), settings_(settings), uptime_(std::move(uptime)) {}

  // Why nobody may be mailed at all: a pull that feeds this has not come to its end lately, or
  // never, or was due at `start`, since when it is read (`is_coming`, where it is on its way).
  // Empty: ask about each. `start`: when the jobs of this program began, by the database's clock,
  // where the pulls are among them.
  struct Stale {
    std::string why;
    bool is_coming = false;
  };
  std::optional<Stale> stale(crm::Database& database, TimePoint db_now,
                             std::optional<TimePoint> start = std::nullopt);

  struct Screened {
    std::vector<BatchItem> go;
    std::vector<crm::Ledger::SetAside> suppressed;
    std::vector<crm::Ledger::Delay> delayed;
    std::vector<std::string> behind = {};  // keys: others go first that take the rest of the quota
  };
  // Judges as it is now, or as it will be once another transaction of each person has been sent by
  // this push. Also tells each invitation's claim whose it is.
  enum class When { now, after_another };
  Screened rule(crm::Database& database, crm::Database& crm, std::vector<BatchItem> items,
                TimePoint db_now, When when = When::now);
  // These would be claimed before the rows that are judged next: they take their part of a quota.
  void foresee(const std::vector<BatchItem>& go);

  // The operator's own lists, as they were read last.
  crm::ListReadings own_lists() const;
  // Which of them is not believed, because it has lost addresses since rows were last judged by it:
  // lost_text.
  std::optional<std::string> lost(crm::Database& database) const;
  // The same, unless a person has let rows go since it was noted: that is the word of one who knew.
  std::optional<std::string> lost_unreleased(crm::Database& database) const;
  void note_lost(crm::Database& database) const;
  bool is_loss_noted(crm::Database& database) const;
  void read_own_lists(crm::Database& crm) { read_lists(crm); }

 private:
  QuotaLeft quota_left(crm::Database& database, const std::vector<BatchItem>& items,
                       TimePoint db_now) const;

  // A list of the operator's own, by its place in the configuration.
  struct OwnList {
    std::optional<crm::Blocklist> addresses;
    Duration read_at{0}, took{0};
  };
  // It is read anew where it is older than kReadingShare times the time that the last reading took:
  // a short one for each batch, a long one in a twentieth of the time at most.
  const crm::Blocklist& read_list(const config::Suppress::List& list, crm::Database& crm);
  // Those of this push, by the section that describes them. Valid until the next call.
  std::map<std::string, const crm::Blocklist*> read_lists(crm::Database& crm);
  static constexpr int kReadingShare = 20;

  const config::Push& push_;
  const config::Settings& settings_;
  std::function<Duration()> uptime_;
  std::map<std::string, OwnList> own_lists_;      // by section
  std::map<std::string, std::int64_t> foreseen_;  // rows by value of the quota
};

// Of a list that has so many addresses now: how many it listed before, as a reason for the brake. A
// list that is loaded anew, a right that was lost or a replica that lags looks so. Empty: it is
// believed, for it lists somebody, and at least half of twenty and more that it listed before; one
// whose loss is noted for this push, nine tenths of what it listed before. What this push has not
// read is compared with what others read.
inline constexpr std::string_view kListLost = "a list of [suppress] has lost its addresses: ";
std::optional<std::string> lost_text(crm::Database& database, const std::string& push,
                                     const std::string& section, std::int64_t addresses);

// The key of the hash, made the first time.
std::string person_key(crm::Database& database);

}  // namespace surveybridge::daemon
