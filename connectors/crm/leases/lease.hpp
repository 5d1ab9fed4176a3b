// The right to work on something, with a fencing number (table survey_lease). Time is the
// database's, so no two instances argue about it. Who lost a lease cannot write any more: confirm()
// stands in the transaction that writes, and keeps the lease from changing hands until it ends.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct Lease {
  std::string name, owner;
  std::int64_t fence = 0;
  Instant expires_at;
};

struct LeaseLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Leases {
 public:
  explicit Leases(Database& database) : database_(database) {}
  // Takes the lease if it is free, expired or ours (then it is renewed and keeps its number; a
  // taken one gets the next number). Empty: somebody else holds it. A transaction of its own.
  std::optional<Lease> take(const std::string& name, const std::string& owner,
                            std::chrono::seconds duration);
  // Free for anybody at once; the number is kept for the next. Nothing, if it was lost already.
  void release(const Lease& lease);
  // Within the caller's transaction: throws LeaseLost unless owner and number still stand and it
  // has not expired.
  void confirm(const Lease& lease);

 private:
  Database& database_;
};

}  // namespace surveybridge::crm
