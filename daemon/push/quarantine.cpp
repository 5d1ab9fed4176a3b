#include "daemon/push/quarantine.hpp"

#include "daemon/job/length_text.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/metrics/recorder.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kApart = std::chrono::minutes{1};

}  // namespace

void Quarantine::add(const std::vector<crm::Ledger::SetAside>& rows) {
  if (rows.empty()) return;
  const auto moved =
      crm::Ledger(context_.database()).set_aside(push_.name, crm::State::quarantined, rows);
  context_.recorder().rows(push_.name, row_outcome::kQuarantined, moved);
  tell(rows.size(), rows.front().key, rows.front().reason);
}

void Quarantine::tell(std::size_t rows, const std::string& key, const std::string& why,
                      const std::string& batch) {
  if (untold_.rows == 0) untold_ = {0, key, why, batch};
  untold_.rows += rows;
  const Duration now = context_.environment().uptime();
  if (told_at_ && now - *told_at_ < kApart) return;
  told_at_ = now;
  tell_rest();
}

void Quarantine::tell_rest() {
  const auto [rows, key, why, batch] = std::exchange(untold_, {});
  if (rows == 0) return;
  context_.log().warn(
      counted(static_cast<std::int64_t>(rows), "row") + " quarantined; the first: " + key + ": " +
          why,
      {.job = "push." + push_.name, .key = key, .batch = batch, .event = &kQuarantined});
}

}  // namespace surveybridge::daemon
