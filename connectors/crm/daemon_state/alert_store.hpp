// What each receiver of [alert] was told, and the last report of each [report.mail.NAME] (table
// survey_alert), for every daemon on this store and for its next start. Times are the database's.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct Alert {
  std::string receiver;
  std::string subject;             // what it is about: the same as long as that lasts
  std::string what, command;       // the sentence, and what to type; empty: nothing helps
  Instant since, seen_at;          // when it was seen first, and last
  std::optional<Instant> told_at;  // the last time
  std::string cause = {};          // why it is so now; empty: there is one cause only
  std::string told = {};           // causes that were told, each in a line

  static auto cells(auto& of) {
    return std::tie(of.receiver, of.subject, of.what, of.command, of.since, of.seen_at, of.told_at,
                    of.cause, of.told);
  }
  // Was its present cause told? One that begins a told one was; after so many, any was.
  bool is_told() const {
    constexpr std::size_t kToldMost = 500;  // bytes
    return told_at &&
           (told.size() > kToldMost || ("\n" + told).find("\n" + cause) != std::string::npos);
  }
  void tell(Instant at) {
    if (!is_told()) told += cause + "\n";
    told_at = at;
  }
  bool operator==(const Alert&) const = default;
};

class AlertStore {
 public:
  explicit AlertStore(Database& database) : database_(database) {}

  // By subject.
  std::vector<Alert> of(const std::string& receiver);
  // Adds them, or replaces those of the same receiver and subject.
  void put(const std::vector<Alert>& alerts);
  void remove(const Alert& alert);
  // Those that nobody has seen since, of whichever receiver.
  void remove_unseen_since(Instant before);

 private:
  Database& database_;
};

}  // namespace surveybridge::crm
