#include "daemon/reconcile/verify_plan.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "config/text.hpp"
#include "daemon/job/command_text.hpp"

namespace surveybridge::daemon {

namespace {

using crm::State;
using Kind = Difference::Kind;

// Services round, shift and convert dates.
constexpr std::chrono::hours kDateMargin{48};
// How they do it is known by so many keys; then they do it to all alike, up to this.
constexpr std::int64_t kSameMin = 3;
constexpr std::chrono::minutes kMovedMargin{1};
constexpr const char* kOtherPerson =
    "the service lists it for another address and another transaction date than the CRM has";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_open(State state) {
  return state == State::claimed || state == State::in_doubt;
}

bool is_marked_sent(const crm::Entry& row) {
  return row.state == State::sent && !row.customer_id && row.reason.starts_with(crm::kMarkedSent);
}

}  // namespace

void compare(const std::vector<crm::Entry>& rows, Duration settle, TimePoint now, Listed& listed,
             Comparison& comparison) {
  for (const auto& row : rows) {
    const auto met = listed.find(row.key);
    const int times = met == listed.end() ? 0 : met->second.times;
    const bool is_shared = met != listed.end() && met->second.has_several_persons;
    if (met != listed.end()) listed.erase(met);
    if (times > 1) {
      const std::string what = "the service lists it " + std::to_string(times) + " times";
      if (is_shared)
        comparison.differences.push_back({Kind::shared, row.key, what + ", for several addresses"});
      else
        comparison.differences.push_back({Kind::listed_twice, row.key, what});
    } else if (is_open(row.state)) {
      ++comparison.open;
    } else if ((row.state == State::sent) == (times == 1)) {
      ++comparison.agree;
    } else if (row.state == State::sent && now - row.changed_at < settle) {
      ++comparison.young;
    } else if (is_marked_sent(row)) {
      comparison.differences.push_back(
          {Kind::marked_sent, row.key,
           "sent, as a person has decided, and the service does not list it"});
    } else if (row.state == State::sent) {
      comparison.differences.push_back(
          {Kind::not_listed, row.key, "sent, and the service does not list it"});
    } else {
      comparison.differences.push_back(
          {row.state == State::held ? Kind::held_listed : Kind::unsent_listed, row.key,
           std::string(to_string(row.state)) + ", and the service lists it"});
    }
  }
}

bool sends_transaction_date(const config::Push& push) {
  return std::ranges::any_of(push.customer.rules,
                             [](const auto& rule) { return rule.field == "TransactionDate"; });
}

void compare_persons(const std::vector<BatchItem>& rows, const Listed& listed,
                     Comparison& comparison) {
  for (const auto& row : rows) {
    const auto met = listed.find(row.claim.key);
    if (met == listed.end() || met->second.email.empty() || !met->second.transaction_date) continue;
    const auto& [times, is_shared, email, date] = met->second;
    const bool other_email = config::lower_case(email) != config::lower_case(row.claim.email);
    const auto apart = std::chrono::abs(*date - row.claim.transaction_date);
    if (!other_email) {
      ++comparison.same;
      comparison.moved = std::max<Duration>(comparison.moved, apart);
    } else if (apart > kDateMargin) {
      comparison.differences.push_back({Kind::other_person, row.claim.key, kOtherPerson});
    } else {
      comparison.near.emplace_back(row.claim.key, apart);
    }
  }
}

void compare_rest(const Listed& listed, Comparison& comparison) {
  for (const auto& [key, as_listed] : listed) {
    comparison.differences.push_back(
        {Kind::unknown, key, "the service lists it, and the ledger does not know it"});
  }
  for (const auto& [key, apart] : comparison.near)
    if (comparison.same >= kSameMin && apart > comparison.moved + kMovedMargin)
      comparison.differences.push_back({Kind::other_person, key, kOtherPerson});
  std::ranges::sort(comparison.differences, {}, [](const Difference& each) {
    const bool number = !each.key.empty() && std::ranges::all_of(each.key, is_digit);
    return std::tuple(each.kind, !number, number ? each.key.size() : 0, each.key);
  });
}

std::string step_for(Difference::Kind kind, const std::string& key, const std::string& file) {
  const auto command = [](const std::string& text) { return "`" + text + "`"; };
  switch (kind) {
    case Kind::listed_twice:
      return "somebody was mailed twice: " + command(explain_command(key, file)) +
             " has the customers; remove the later one at the service";
    case Kind::shared:
      return "another program has added one of them, or the CRM has given the number again: look "
             "at "
             "the service for customers with this key; " +
             command(explain_command(key, file)) + " has ours";
    case Kind::other_person:
      return "the CRM has given their numbers again (restored alone?): who is behind them now is "
             "never "
             "mailed. Let the query make another key of them; " +
             command(explain_command(key, file)) + " has the customer";
    case Kind::unknown:
      return "another program has added them, another push, or this ledger was restored: "
             "docs/RUNBOOK.md, \"Backup and restore\"";
    case Kind::held_listed:
      return "they have arrived: " + command(doubt_command("sent", key, file));
    case Kind::unsent_listed:
      return "another program has added them, or the service kept what it had refused: " +
             command(explain_command(key, file)) + " says what the bridge did";
    case Kind::marked_sent:
      return "if it was a mistake: " + command(doubt_command("undo", key, file));
    case Kind::not_listed:
      break;
  }
  return "ask the service what became of them: " + command(explain_command(key, file)) +
         " has the batch and the time";
}

}  // namespace surveybridge::daemon
