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

namespace {

// By Stays::Why: of several rows, and of one after "stays held", with its customers and the command
// that says that it has arrived.
struct StayTexts {
  const char *of_several, *of_one;
};
constexpr StayTexts kStayTexts[] = {
    {"the service lists them: they have arrived",
     ", because the service lists it: customer {0}. It has arrived: type {1}; if that customer is "
     "another transaction, "},
    {"the service lists their addresses and dates under keys that no transaction has",
     ", because the service lists its address and transaction date under a key that no "
     "transaction has: customer {0}. If that is this transaction, type {1}; if not, "},
    {"no key of their form is known to be listed as it was sent",
     ": the service does not list it, but no key of its form (length, case, characters) is known "
     "to be listed as it was sent; look at the service for it. "},
    {"their keys are erased, and cannot be asked for",
     ", because its key held the address of a person who was forgotten: it is erased, and the "
     "service cannot be asked for it; "},
    {"they were sent to another service, or by another account",
     ", because it was sent to another service or by another account than the configuration names "
     "now, which cannot be asked here whether it has arrived; "},
    {"the service may still list them: `settle` is not over",
     ", because the service may still list it: `settle` is not over since it came into doubt; type "
     "it again then. "},
};

const StayTexts& texts_of(ResendCheck::Stays::Why why) {
  return kStayTexts[static_cast<std::size_t>(why)];
}

}  // namespace

std::string why_they_stay(ResendCheck::Stays::Why why) {
  return texts_of(why).of_several;
}

std::string stays_text(const ResendCheck::Stays& stays, const Invocation& invocation,
                       const std::string& key) {
  const auto typed = [&](const char* action) {
    return "`" + one_line(doubt_command(action, key, invocation.config)) + "`";
  };
  return "stays held" +
         fmt::format(fmt::runtime(texts_of(stays.why).of_one), fmt::join(stays.customers, ", "),
                     typed("sent")) +
         typed("resend --force") + " sends it all the same";
}

}  // namespace surveybridge::daemon
