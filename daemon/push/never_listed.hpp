// Transactions that the service accepted and has never listed: its answer was wrong, or it lost
// them. Nobody was mailed, and the ledger says "sent". [pull.customers] reads what the service
// lists, so they are found without any command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry.hpp"

namespace surveybridge::daemon {

// A customer is missing if it is not listed this long after it was sent (or `settle`, if that is
// longer), by a walk that has come to its end since.
inline constexpr std::chrono::hours kListedWithin{24};

// Their number. Empty: unknown, because the push has no `correlate`, or no walk of [pull.customers]
// lists every new customer (by LastActivityDate or TransactionDate, unfiltered).
std::optional<std::int64_t> count_never_listed(const config::Settings& settings,
                                               const config::Push& push, crm::Database& database);

// The same for a status, which must not take long: the number that NeverListedJob kept of a large
// ledger, otherwise the count.
std::optional<std::int64_t> known_never_listed(const config::Settings& settings,
                                               const config::Push& push, crm::Database& database);

// The message about them; empty for none. `file`: the configuration's.
std::string never_listed_text(std::int64_t rows, const std::string& file);

// Counts them at intervals. A step is one query, whose number is kept where the ledger is large.
class NeverListedJob final : public Job {
 public:
  NeverListedJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

 private:
  const config::Push& push_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
};

}  // namespace surveybridge::daemon
