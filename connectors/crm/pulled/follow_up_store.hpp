// Which answers receivers are told of ([pull.LIST.follow_up.NAME], table survey_follow_up), for
// every daemon on this store. A row holds nothing of the record but its key, and goes with it.
// Times are the database's.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct FollowUp {
  std::string list, name;  // of the configuration
  std::string record;      // its key
  std::string receiver;
  Instant found_at;
  std::optional<Instant> claimed_at = {};  // by whoever sends it
  std::optional<Instant> told_at = {};
  static auto cells(auto& of) {
    return std::tie(of.list, of.record, of.name, of.receiver, of.found_at, of.claimed_at,
                    of.told_at);
  }
  bool operator==(const FollowUp&) const = default;
};

class FollowUpStore {
 public:
  explicit FollowUpStore(Database& database) : database_(database) {}

  // Since when there is this follow-up: since the first call.
  Instant since(const std::string& list, const std::string& name);
  // Within the transaction that stores the records. What a follow-up has found before, for
  // whichever receiver, is not added again.
  void add(const std::vector<FollowUp>& found);
  // What a receiver is to be told of, found at or after this time: the first of these.
  static constexpr int kWaiting = 100;
  std::vector<FollowUp> waiting(const std::string& list, const std::string& name,
                                const std::string& receiver, Instant from, int most = kWaiting);
  // How many these are in all, and when the oldest was found; empty: there is none.
  struct Backlog {
    std::int64_t messages = 0;
    Instant oldest;
  };
  std::optional<Backlog> backlog(const std::string& list, const std::string& name,
                                 const std::string& receiver, Instant from);
  // Of how many records some of these receivers were not told, found in this time.
  std::int64_t untold(const std::string& list, const std::string& name,
                      const std::vector<std::string>& receivers, Instant from, Instant until);
  // The same of what was found before this time: nobody is told any more. Each counts once, and
  // none before the first since().
  std::int64_t give_up(const std::string& list, const std::string& name,
                       const std::vector<std::string>& receivers, Instant before);
  // Stores when it was claimed and told. False: it is gone, with its record.
  bool mark(const FollowUp& follow_up);
  void remove(const FollowUp& follow_up);

 private:
  Database& database_;
};

}  // namespace surveybridge::crm
