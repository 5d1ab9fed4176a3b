#include "daemon/push/push_plan.hpp"

#include <algorithm>
#include <set>

#include "config/text.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/tables/tables.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

// How soon it is looked whether a push is still a test.
constexpr Duration kTestWait = std::chrono::hours{1};
// Fewer refused rows than this are taken for what they are, whatever their share.
constexpr std::int64_t kRefusedMin = 20;

using crm::Outcome;
using crm::State;
using service::Trouble;

crm::Claim claim_of(const std::string& key, const mapping::Record& customer, TimePoint now) {
  crm::Claim claim{key, {}, now};
  if (const auto* email = std::get_if<std::string>(&customer.value("Email"))) claim.email = *email;
  if (const auto* at = std::get_if<mapping::Instant>(&customer.value("TransactionDate"))) {
    claim.transaction_date = *at;
  }
  return claim;
}

std::vector<crm::Ledger::Verdict> all(const std::vector<std::string>& keys, State state,
                                      const std::string& reason) {
  std::vector<crm::Ledger::Verdict> verdicts;
  for (const auto& key : keys)
    verdicts.push_back({key, state, reason, std::nullopt});
  return verdicts;
}

std::vector<std::string> part(const std::vector<std::string>& keys, std::size_t from,
                              std::size_t to) {
  return {keys.begin() + static_cast<std::ptrdiff_t>(from),
          keys.begin() + static_cast<std::ptrdiff_t>(to)};
}

void halve(const std::vector<std::string>& keys, PushDecision& decision) {
  const std::size_t middle = keys.size() / 2;
  decision.retry_split = {part(keys, 0, middle), part(keys, middle, keys.size())};
}

struct Judge {
  const std::vector<std::string>& keys;
  bool refusals_lie;

  PushDecision operator()(const service::Accepted& accepted) const {
    PushDecision decision;
    decision.answer = {Outcome::accepted, accepted.status, ""};
    decision.verdicts = all(keys, State::sent, "");
    return decision;
  }

  PushDecision operator()(const service::NotSent& outcome) const {
    const Trouble& trouble = outcome.trouble;
    PushDecision decision;
    const bool too_many = trouble.kind == Trouble::Kind::too_many;
    decision.answer = {too_many ? Outcome::too_many : Outcome::not_sent, trouble.status,
                       trouble.detail};
    decision.verdicts = all(keys, State::pending, "not sent: " + trouble.detail);
    decision.trouble = std::string(to_string(trouble.kind)) + ": " + trouble.detail;
    decision.floor = trouble.wait.value_or(service::Wait{0});
    decision.unreachable = is_unreachable(trouble);
    const Retry retry = retry_after(Operation::add, trouble);
    decision.fault = retry.fault;
    // A gateway may forbid a request for what is in one row of it.
    decision.forbidden = trouble.kind == Trouble::Kind::forbidden;
    if (decision.forbidden && keys.size() > 1) halve(keys, decision);
    decision.next = decision.forbidden ? PushDecision::Next::go_on : PushDecision::Next::wait;
    return decision;
  }

  PushDecision operator()(const service::TooLarge&) const {
    PushDecision decision;
    decision.answer = {Outcome::too_large, 413, ""};
    if (keys.size() == 1) {
      decision.verdicts = all(keys, State::quarantined, "the service finds it too large (413)");
    } else {
      decision.verdicts = all(keys, State::pending, "not sent: the batch was too large (413)");
      decision.size_cap = keys.size() / 2;
    }
    return decision;
  }

  // Refused as a whole for what is in it. A row is at fault only where it is refused alone:
  // services name rows in ways of their own. So those that it names go alone, and the others
  // together. Where it names none, or all, halves go apart; doubt_refusals() asks a person of many.
  PushDecision operator()(const service::Refused& refused) const {
    PushDecision decision;
    decision.answer = {Outcome::refused, refused.status, refused.error.message};
    if (refusals_lie) {
      decision.verdicts =
          all(keys, State::in_doubt,
              "refused; looked up first, since this service has kept what it refused");
      return decision;
    }
    if (keys.size() == 1) {
      decision.verdicts = all(keys, State::quarantined, refusal_reason(refused.error.message));
      return decision;
    }
    decision.verdicts = all(keys, State::pending, "not sent: refused with its batch");
    const std::set<std::size_t> named = rows_named(refused.error);
    decision.names_all = named.size() == keys.size();
    if (named.empty() || decision.names_all) {
      halve(keys, decision);
      return decision;
    }
    decision.retry_split.emplace_back();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!named.contains(i)) {
        decision.retry_split.front().push_back(keys[i]);
        continue;
      }
      decision.retry_split.push_back({keys[i]});
      decision.named.push_back(keys[i]);
    }
    return decision;
  }

  PushDecision operator()(const service::Unknown& unknown) const {
    const Trouble& trouble = unknown.trouble;
    PushDecision decision;
    decision.answer = {Outcome::unknown, trouble.status, trouble.detail};
    decision.trouble = "no certain answer: " + trouble.detail;
    decision.verdicts = all(keys, State::in_doubt, decision.trouble);
    decision.floor = trouble.wait.value_or(service::Wait{0});
    // Something else than the service answers. It would answer every batch so.
    const bool refused = trouble.kind == Trouble::Kind::rejected;  // in words only
    decision.probe = refused || trouble.kind == Trouble::Kind::misplaced ||
                     trouble.kind == Trouble::Kind::malformed;
    decision.fault = refused          ? JobStatus::Fault::person
                     : decision.probe ? JobStatus::Fault::configuration
                                      : JobStatus::Fault::unreachable;
    decision.unreachable = is_unreachable(trouble);
    // One row may be what breaks the service: fewer others get into doubt with it.
    if (trouble.status == 500 && keys.size() > 1) decision.size_cap = (keys.size() + 1) / 2;
    decision.next = PushDecision::Next::wait;
    return decision;
  }

 private:
  // None where one is not in the batch: the service counts in a way of its own.
  std::set<std::size_t> rows_named(const mapping::ServiceError& error) const {
    std::set<std::size_t> named;
    for (const auto index : error.customers) {
      if (index >= keys.size()) return {};
      named.insert(index);
    }
    return named;
  }
};

// All else of a customer weighs little.
std::size_t bytes_of_files(const mapping::Record& record) {
  std::size_t sum = 0;
  for (std::size_t field = 0; field < record.slots.size(); ++field) {
    const mapping::Slot& slot = record.slots[field];
    if (const auto* content = std::get_if<mapping::Bytes>(&slot.value))
      sum += content->bytes.size();
    for (const auto& item : slot.records)
      sum += bytes_of_files(item);
  }
  return sum;
}

bool in_domains(const std::string& address, const std::vector<std::string>& domains) {
  const std::string domain = config::lower_case(address.substr(address.rfind('@') + 1));
  return std::any_of(domains.begin(), domains.end(),
                     [&](const std::string& one) { return config::lower_case(one) == domain; });
}

}  // namespace

std::vector<service::Parameter> customer_filters(const config::Push& push) {
  if (!is_test(push.batch)) return {};
  return {{"IncludeTestRecords", std::string("true")}};
}

std::string digest_of(const mapping::Mapper& mapper, const mapping::Row& row,
                      const mapping::PersonHash& hash) {
  return hash.of(mapping::digest_of(mapper.read_cells(row)));
}

MappedRows map_rows(const mapping::Mapper& mapper, const std::vector<mapping::Row>& rows,
                    const config::Batch& batch, TimePoint now, const mapping::PersonHash* hash) {
  const auto bytes = static_cast<std::size_t>(batch.bytes);
  MappedRows mapped;
  mapped.left = rows.size();
  std::size_t used = 0;
  for (const auto& row : rows) {
    if (used > bytes) break;
    --mapped.left;
    auto result = mapper.map(row);
    std::string digest = hash == nullptr ? "" : digest_of(mapper, row, *hash);
    if (auto* unmappable = std::get_if<mapping::Unmappable>(&result)) {
      auto& rows_of = unmappable->skips ? mapped.skipped : mapped.set_aside;
      rows_of.push_back({row.key, std::move(unmappable->reason), "", std::move(digest)});
      continue;
    }
    auto& customer = std::get<mapping::Record>(result);
    used += bytes_of_files(customer);
    auto claim = claim_of(row.key, customer, now);
    claim.digest = std::move(digest);
    if (const auto cell = mapper.quota_cell(row); cell && hash != nullptr)
      claim.quota = hash->of(mapping::digest_of(*cell));
    if (is_test(batch) && !in_domains(claim.email, batch.test_domains)) {
      mapped.waiting.push_back({row.key,
                                "a test batch, and the address is outside test_domains: it waits "
                                "until the push is no test any more",
                                now + kTestWait});
      continue;
    }
    mapped.items.push_back({std::move(claim), std::move(customer)});
  }
  return mapped;
}

bool may_repeat_address(const config::Push& push, const config::Settings& settings) {
  const bool counted = settings.suppress && !settings.suppress->contact.empty();
  return !counted && push.batch.allow_duplicate_email.value_or(false);
}

std::vector<BatchItem> cut_batch(std::vector<BatchItem> items, std::size_t size, std::size_t bytes,
                                 bool allow_duplicate_email) {
  std::vector<BatchItem> batch;
  std::set<std::string> addresses;
  for (auto& item : items) {
    if (batch.size() >= size) break;
    const bool first = addresses.insert(mapping::normal_address(item.claim.email)).second;
    if (first || allow_duplicate_email) batch.push_back(std::move(item));
  }
  std::vector<mapping::Record> customers;
  for (const auto& item : batch)
    customers.push_back(item.customer);
  if (!customers.empty()) {
    const auto fits = static_cast<std::ptrdiff_t>(mapping::fit(customers, size, bytes));
    batch.erase(batch.begin() + fits, batch.end());
  }
  return batch;
}

PushDecision after_push(const std::vector<std::string>& keys, const service::AddOutcome& outcome,
                        bool refusals_lie) {
  return std::visit(Judge{keys, refusals_lie}, outcome);
}

PushDecision doubt_refusals(PushDecision decision, const crm::Ledger::Refusals& lately) {
  const auto refused =
      decision.names_all
          ? std::ssize(decision.verdicts)
          : std::ranges::count(decision.verdicts, State::quarantined, &crm::Ledger::Verdict::state);
  const auto others = static_cast<std::int64_t>(decision.verdicts.size()) - refused;
  const std::int64_t all_refused = lately.refused + refused;
  if (refused == 0 || all_refused < kRefusedMin || all_refused <= lately.sent + others)
    return decision;
  for (auto& verdict : decision.verdicts) {
    if (verdict.state != State::quarantined) continue;
    verdict.state = State::pending;
    verdict.reason = "not sent: " + verdict.reason;
  }
  decision.retry_split.clear();
  decision.next = PushDecision::Next::ask;
  decision.fault = JobStatus::Fault::person;
  decision.trouble = "the service refused " + std::to_string(all_refused) +
                     " transactions within the hour and accepted " + std::to_string(lately.sent);
  return decision;
}

std::string refusal_reason(std::string_view words) {
  return std::string(kRefusedByService).append(": ").append(words);
}

std::string without_service_words(std::string_view reason) {
  const auto begin = reason.find(refusal_reason(""));
  return std::string(reason.substr(
      0, begin == std::string_view::npos ? reason.size() : begin + kRefusedByService.size()));
}

PushDecision not_sent(const std::vector<std::string>& keys, const std::string& why) {
  PushDecision decision;
  decision.answer = {Outcome::not_sent, 0, why};
  decision.verdicts = all(keys, State::pending, "not sent: " + why);
  return decision;
}

}  // namespace surveybridge::daemon
