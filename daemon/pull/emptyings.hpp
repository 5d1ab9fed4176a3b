// What empties the columns of write-backs with `forget = true`: for `forget`, and for a page that
// shows a forgotten person who is stored.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"
#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/leases/lease.hpp"

namespace surveybridge::daemon {

// Every [[pull.LIST.write]] with `forget = true`, checked against its table.
struct Emptyings {
  std::vector<crm::Emptying> all;
  std::vector<config::Problem> problems;
};
// `crm` is called where there is one.
Emptyings emptyings_of(const config::Settings& settings,
                       const std::function<crm::Database&()>& crm);

// The right to write into the CRM where that is another database: a write-back that is under way
// must not bring back what is emptied.
class WriteTurns {
 public:
  WriteTurns(crm::Database& store, const config::Settings& settings, std::string owner)
      : leases_(store), settings_(settings), owner_(std::move(owner)) {}
  ~WriteTurns();
  WriteTurns(const WriteTurns&) = delete;
  WriteTurns& operator=(const WriteTurns&) = delete;

  // The daemon's turns are short: `wait` waits a little; false: no longer. False: one is not free.
  bool take(const std::function<bool()>& wait);

 private:
  crm::Leases leases_;
  const config::Settings& settings_;
  std::string owner_;
  std::vector<crm::Lease> taken_;
};

}  // namespace surveybridge::daemon
