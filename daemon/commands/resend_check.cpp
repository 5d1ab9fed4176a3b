#include "daemon/commands/resend_check.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/schema/erased_keys.hpp"
#include "daemon/commands/service_job.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/suppress/brake_rule.hpp"

namespace surveybridge::daemon {

std::optional<ResendCheck::Verdict> ResendCheck::judge(const std::string& push,
                                                       const std::vector<std::string>& keys) {
  const auto& settings = command_.settings;
  const auto here = services_of(settings);
  const auto configured = std::ranges::find(settings.pushes, push, &config::Push::name);
  if (configured == settings.pushes.end())
    throw std::logic_error("a push that is not configured sends nothing again");
  const TimePoint now = database_.now();
  crm::Ledger ledger(database_);
  Verdict verdict;
  auto& stay = verdict.stay;
  auto doubts = ledger.held(push, keys);
  std::erase_if(doubts, [&](const crm::Doubt& doubt) {
    if (crm::is_erased_key(doubt.key)) {
      for (const auto& key : keys)
        if (crm::stored_key(database_, key) == doubt.key) stay[key] = {Stays::Why::erased};
      return true;
    }
    const bool is_here =
        doubt.service.empty() || std::ranges::find(here, doubt.service) != here.end();
    if (!is_here) {
      stay[doubt.key] = {Stays::Why::elsewhere};
    } else if (now - doubt.since < configured->settle) {
      stay[doubt.key] = {Stays::Why::young};
    } else {
      verdict.go.insert(doubt.key);
      return false;
    }
    return true;
  });
  if (doubts.empty()) return verdict;
  for (const auto& group :
       grouped_as_sent(std::move(doubts), *configured, settings, database_, now)) {
    if (group.column.empty()) continue;
    auto found = look_up(push, group);
    if (!found) return std::nullopt;
    for (const auto& doubt : group.doubts)
      if (!found->proven) stay[doubt.key] = {Stays::Why::unproven};
    for (auto& search : found->alike) {
      drop_known(search, ledger, names_of(settings.pushes));
      for (const auto& [key, alike] : search.alike) {
        if (alike.empty()) continue;
        stay[key] = {Stays::Why::alike};
        for (const auto& match : alike)
          stay[key].customers.push_back(match.id);
      }
    }
    for (auto& [key, customers] : found->listed)
      stay[key] = {Stays::Why::listed, std::move(customers)};
  }
  std::erase_if(verdict.go, [&](const std::string& key) { return stay.contains(key); });
  return verdict;
}

std::optional<LookUpJob::Found> ResendCheck::look_up(const std::string& push,
                                                     const DoubtGroup& group) {
  const auto log = open_log();
  Progress progress(*log);
  ServiceJob service(command_, interruption_, progress);
  auto job =
      std::make_unique<LookUpJob>("look-up." + push, group, service.shared(), service.seed());
  const LookUpJob& look_up = *job;
  if (service.run(std::move(job), static_cast<std::int64_t>(group.doubts.size()),
                  "resend: stopped before the service was asked for every row"))
    return look_up.found();
  code_ = service.code();
  report_error(
      "resend: the rows stay held, because the service could not be asked whether they have "
      "arrived; --force sends them without asking");
  return std::nullopt;
}

std::string why_they_stay(ResendCheck::Stays::Why why) {
  switch (why) {
    case ResendCheck::Stays::Why::listed:
      return "the service lists them: they have arrived";
    case ResendCheck::Stays::Why::alike:
      return "the service lists their addresses and dates under keys that no transaction has";
    case ResendCheck::Stays::Why::unproven:
      return "no key of their form is known to be listed as it was sent";
    case ResendCheck::Stays::Why::erased:
      return "their keys are erased, and cannot be asked for";
    case ResendCheck::Stays::Why::elsewhere:
      return "they were sent to another service, or by another account";
    case ResendCheck::Stays::Why::young:
      return "the service may still list them: `settle` is not over";
  }
  throw std::logic_error("a row stays held for no reason");
}

namespace {

// After "stays held", of one row.
std::string reason_of(const ResendCheck::Stays& stays) {
  const std::string customers = fmt::format("customer {}", fmt::join(stays.customers, ", "));
  switch (stays.why) {
    case ResendCheck::Stays::Why::listed:
      return ", because the service lists it: " + customers;
    case ResendCheck::Stays::Why::alike:
      return ", because the service lists its address and transaction date under a key that no "
             "transaction has: " +
             customers;
    case ResendCheck::Stays::Why::unproven:
      return ": the service does not list it, but no key of its form (length, case, characters) is "
             "known to be listed as it was sent; look at the service for it. ";
    case ResendCheck::Stays::Why::erased:
      return ", because its key held the address of a person who was forgotten: it is erased, and "
             "the service cannot be asked for it; ";
    case ResendCheck::Stays::Why::elsewhere:
      return ", because it was sent to another service or by another account than the "
             "configuration "
             "names now, which cannot be asked here whether it has arrived; ";
    case ResendCheck::Stays::Why::young:
      return ", because the service may still list it: `settle` is not over since it came into "
             "doubt; type it again then. ";
  }
  throw std::logic_error("a row stays held for no reason");
}

}  // namespace

std::string stays_text(const ResendCheck::Stays& stays, const Invocation& invocation,
                       const std::string& key) {
  const auto typed = [&](const char* action) {
    return "`" + one_line(doubt_command(action, key, invocation.config)) + "`";
  };
  std::string step;
  if (stays.why == ResendCheck::Stays::Why::listed)
    step = fmt::format(". It has arrived: type {}; if that customer is another transaction, ",
                       typed("sent"));
  if (stays.why == ResendCheck::Stays::Why::alike)
    step = fmt::format(". If that is this transaction, type {}; if not, ", typed("sent"));
  return "stays held" + reason_of(stays) + step + typed("resend --force") +
         " sends it all the same";
}

}  // namespace surveybridge::daemon
