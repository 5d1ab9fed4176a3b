#include "daemon/push/restore_check.hpp"

#include <algorithm>

#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/interface/second_feedback.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;

constexpr int kLimit = 100;
// The clocks of database and service may differ by so much.
constexpr Duration kMargin = std::chrono::hours{1};

// These credentials may only add, or the service has no such list or filter.
bool cannot_list(Trouble::Kind kind) {
  return kind == Trouble::Kind::forbidden || kind == Trouble::Kind::misplaced ||
         kind == Trouble::Kind::rejected;
}

}  // namespace

bool RestoreCheck::is_due(crm::Ledger& ledger, const std::string& last_batch) {
  if (push_.correlate.empty()) return false;
  if (!due_ && !last_batch.empty() && !ledger.knows_batch(last_batch)) due_ = true;
  return due_;
}

// Customers that are active since then may be transactions of this push. Empty: this ledger has
// sent nothing yet.
std::optional<TimePoint> RestoreCheck::remembered() {
  if (const auto walk = crm::load_walk(context_.database(), crm::kRestoreCheckList, push_.name);
      walk.watermark)
    return *walk.watermark;
  return crm::Ledger(context_.database()).last_claim(push_.name);
}

void RestoreCheck::remember(TimePoint begun) {
  auto walk = crm::load_walk(context_.database(), crm::kRestoreCheckList, push_.name);
  walk.watermark = begun;
  walk.finished_at = begun;
  crm::save_walk(context_.database(), walk);
}

RestoreCheck::Answer RestoreCheck::step(crm::Source& source, const mapping::Mapper& mapper,
                                        const std::string& batch, TimePoint now) {
  if (std::holds_alternative<Idle>(state_)) {
    const TimePoint begun = context_.database().now();
    const auto before = remembered();
    if (!before) {
      due_ = false;
      remember(begun);
      return Done{};
    }
    state_ = Walk{std::min(*before, begun) - kMargin, begun};
  }
  auto& walk = std::get<Walk>(state_);
  if (const auto later = context_.pace().attempt(now, {"push." + push_.name, RequestClass::read}))
    return Later{*later};
  const RequestSlot slot(context_.pace(), RequestClass::read);
  std::vector<service::Parameter> filters{
      {"LastActivityDateFilter", service::DateFilter{walk.from, std::nullopt}}};
  if (is_test(push_.batch)) filters.push_back({"IncludeTestRecords", std::string("true")});
  auto page = context_.api().page(service::customers(), filters, walk.cursor, kLimit, now);
  if (auto* trouble = std::get_if<Trouble>(&page)) {
    state_ = Idle{};
    if (!cannot_list(trouble->kind)) return std::move(*trouble);
    context_.log().warn(
        "it is not known whether the ledger was restored from an older backup, because the service"
        " lists no customers: " +
            trouble->detail,
        {.job = "push." + push_.name});
    due_ = false;
    return Done{};
  }
  auto& answer = std::get<mapping::Page>(page);
  const std::size_t listed = answer.records.size() + answer.unreadable.size();
  for (auto& each : answer.unreadable)
    answer.records.push_back(std::move(each.partial));
  walk.found += doubt(answer.records, source, mapper, batch, now);
  const bool last = is_last_page(walk.history, walk.cursor, listed, answer.next_cursor);
  walk.cursor = answer.next_cursor;
  if (!last) return NextPage{};
  remember(walk.begun);
  const Done done{walk.found};
  state_ = Idle{};
  due_ = false;
  return done;
}

// How many transactions of these customers the ledger would have sent again.
std::int64_t RestoreCheck::doubt(const std::vector<mapping::Record>& customers, crm::Source& source,
                                 const mapping::Mapper& mapper, const std::string& batch,
                                 TimePoint now) {
  const auto column = crm::stored_column(context_.database(), push_.correlate);
  std::vector<std::string> listed;
  for (const auto& customer : customers) {
    auto key = mapping::data_value(customer, column);
    if (!key.empty() && mapping::imported_customer_id(customer)) listed.push_back(std::move(key));
  }
  crm::Ledger ledger(context_.database());
  const auto unknown = ledger.claimable(push_.name, listed);
  if (unknown.empty()) return 0;
  const auto rows = source.by_key(unknown).rows;
  const std::string hash_key = person_key(context_.database());
  std::vector<crm::Claim> claims;
  for (auto& item : map_rows(mapper, rows, push_.batch, now).items) {
    item.claim.person = mapping::person_of(hash_key, item.claim.email);  // for the rule `contact`
    claims.push_back(std::move(item.claim));
  }
  const auto ours = ledger.claim({batch, push_.name, owner_, is_test(push_.batch)}, claims);
  const std::string why = "the service lists it, and the ledger did not know it as sent";
  std::vector<crm::Ledger::Verdict> verdicts;
  for (const auto& key : ours)
    verdicts.push_back({key, crm::State::in_doubt, why});
  if (!ours.empty()) ledger.settle(push_.name, batch, {crm::Outcome::unknown, 0, why}, verdicts);
  return static_cast<std::int64_t>(ours.size());
}

std::string restored_text(std::int64_t found) {
  return "the service lists " + std::to_string(found) +
         (found == 1 ? " transaction" : " transactions") +
         " that the ledger did not know as sent: the ledger was restored from an older backup, or "
         "another program adds customers with the same keys. They are looked up and are not sent";
}

}  // namespace surveybridge::daemon
