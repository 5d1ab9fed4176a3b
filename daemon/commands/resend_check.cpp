#include "daemon/commands/resend_check.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/commands/service_job.hpp"

namespace surveybridge::daemon {

std::optional<LookUpJob::Found> ResendCheck::listed(crm::Ledger& ledger, const std::string& push,
                                                    const std::vector<std::string>& keys) {
  const auto& pushes = command_.settings.pushes;
  const auto& settings = *std::ranges::find(pushes, push, &config::Push::name);
  std::vector<std::string> held;
  for (const auto& key : keys) {
    const auto entry = ledger.find(push, key);
    if (entry && entry->state == crm::State::held) held.push_back(key);
  }
  if (settings.correlate.empty() || held.empty()) return LookUpJob::Found{};
  ServiceJob service(command_, interruption_);
  auto job = std::make_unique<LookUpJob>(settings, held, service.shared(), service.seed());
  const LookUpJob& look_up = *job;
  if (service.run(std::move(job), static_cast<std::int64_t>(held.size()),
                  "resend: stopped before the service was asked for every row"))
    return look_up.found();
  code_ = service.code();
  report_error(
      "resend: the rows stay held, because the service could not be asked whether they have "
      "arrived; --force sends them without asking");
  return std::nullopt;
}

std::string listed_text(const std::vector<std::int64_t>& customers, const Invocation& invocation,
                        const std::string& key) {
  return fmt::format(
      "stays held, because the service lists it: customer {}. It has arrived: type `{}`; if that "
      "customer is another transaction, `{}` sends it all the same",
      fmt::join(customers, ", "), one_line(doubt_command("sent", key, invocation.config)),
      one_line(doubt_command("resend --force", key, invocation.config)));
}

}  // namespace surveybridge::daemon
