// Leases with a fencing number (table survey_lease). The database's clock is used, so all instances
// agree. An instance that lost a lease cannot write any more: confirm() is part of the transaction
// that writes, and keeps the lease from changing hands until it ends.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct Lease {
  std::string name, owner;
  std::int64_t fence = 0;
  Instant expires_at;
  static auto cells(auto& of) { return std::tie(of.name, of.owner, of.fence, of.expires_at); }
};

// A lease never ends further ahead than this. One that does was given while the database's clock
// was ahead, before a failover say, and holds nothing.
inline constexpr std::chrono::hours kLeaseAhead{1};

struct LeaseLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Leases {
 public:
  explicit Leases(Database& database) : database_(database) {}
  // Takes the lease if it is free, expired or ours. Our own lease is renewed and keeps its number;
  // any other gets the next number. Empty: another owner holds it. A transaction of its own.
  std::optional<Lease> take(const std::string& name, const std::string& owner,
                            std::chrono::seconds duration);
  // Frees the lease at once; its number is kept. Nothing happens if it was lost already.
  void release(const Lease& lease);
  // Within the caller's transaction: throws LeaseLost unless owner and number are unchanged and it
  // has not expired. Returns the database's time.
  Instant confirm(const Lease& lease);

  // Every valid lease whose owner has ended, as the caller knows, is free from now on. How many.
  std::int64_t end_those_of(const std::function<bool(const std::string& owner)>& has_ended);

  // Where the database tells which sessions there are (PostgreSQL): every lease whose session has
  // ended is free from now on, wherever its owner ran. How many. An instance may have lost its
  // session and live: its own lease, "instance:…", has lasted at least for `sends` before, so that
  // no claim under it can be sent any more. `lasts`: how long such a lease is taken for.
  std::int64_t end_those_without_session(std::chrono::seconds lasts, std::chrono::seconds sends);

  // Removes the leases of instances that ended a day ago or earlier: each start makes one of its
  // own for each push. How many.
  std::int64_t remove_ended();

 private:
  std::int64_t end_where(
      const std::function<bool(const Lease& lease, const std::string& session)>& is_over);

  Database& database_;
};

}  // namespace surveybridge::crm
