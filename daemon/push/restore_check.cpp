#include "daemon/push/restore_check.hpp"

#include <algorithm>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/interface/second_feedback.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;

constexpr int kLimit = 100;
// The clocks of database and service may differ by so much.
constexpr Duration kMargin = std::chrono::hours{1};
// Services round, shift and re-zone transaction dates.
constexpr Duration kDateMargin = std::chrono::hours{48};
// Keys known as sent that the list is tried with. A customer may have been deleted at the service:
// half of them are enough.
constexpr std::size_t kControls = 5;
// A list that moves each time it is read proves nothing.
constexpr int kWalksMax = 5;

// These credentials may only add, or the service has no such list or filter.
bool cannot_list(Trouble::Kind kind) {
  return kind == Trouble::Kind::forbidden || kind == Trouble::Kind::misplaced ||
         kind == Trouble::Kind::rejected;
}

}  // namespace

// Another process may have claimed what the ledger has lost, so the last batch of all is
// remembered, not the last one of this process.
bool RestoreCheck::is_due() {
  if (push_.correlate.empty()) return false;
  if (!seen_batch_.empty() && !crm::Ledger(context_.database()).knows_batch(seen_batch_))
    due_ = true;
  seen_batch_ = crm::last_batch(context_.database(), push_.name);
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

// What a check lacked is forgotten: the next time that something lacks, a person is asked anew.
void RestoreCheck::remember(TimePoint begun) {
  auto walk = crm::load_walk(context_.database(), crm::kRestoreCheckList, push_.name);
  walk.watermark = begun;
  walk.finished_at = begun;
  walk.begun_at = std::nullopt;
  walk.cursor.clear();
  crm::save_walk(context_.database(), walk);
}

// Empty: there is nothing to check.
std::optional<RestoreCheck::Check> RestoreCheck::begin() {
  const TimePoint begun = context_.database().now();
  const auto before = remembered();
  if (!before) {
    due_ = false;
    remember(begun);
    return std::nullopt;
  }
  Check check{begun, std::min(*before, begun) - kMargin};
  const std::string service = service_of(push_, context_.settings());
  const auto sent_before = [&](TimePoint until) {
    return crm::last_sent(context_.database(), push_.name, service, is_test(push_.batch), until,
                          kControls);
  };
  auto sent = sent_before(begun - push_.settle);
  if (sent.empty()) sent = sent_before(begun);  // all are younger
  for (auto& [key, at] : sent)
    check.missing.emplace(std::move(key), at);
  check.controls = check.missing.size();
  return check;
}

std::vector<service::Parameter> RestoreCheck::filters(const Check& check,
                                                      const mapping::DataColumn& column) {
  std::vector<service::Parameter> all;
  if (check.stage == Stage::by_key) {
    all.push_back({"DataFilters", std::vector<service::DataFilter>{{column.id, check.ask.back()}}});
  } else {
    all.push_back(
        {check.stage == Stage::by_activity ? "LastActivityDateFilter" : "TransactionDateFilter",
         service::DateFilter{check.from, std::nullopt}});
  }
  if (is_test(push_.batch)) all.push_back({"IncludeTestRecords", std::string("true")});
  return all;
}

RestoreCheck::Answer RestoreCheck::step(crm::Source& source, const mapping::Mapper& mapper,
                                        const mapping::DataColumn& column, const std::string& batch,
                                        TimePoint now) {
  if (std::holds_alternative<Idle>(state_)) {
    auto begun = begin();
    if (!begun) return Done{};
    state_ = *std::move(begun);
  }
  auto& check = std::get<Check>(state_);
  if (const auto later = context_.pace().attempt(now, {"push." + push_.name, RequestClass::read}))
    return Later{*later};
  const RequestSlot slot(context_.pace(), RequestClass::read);
  // A service that lists nothing is not believed for that: the keys known as sent are missing.
  auto page = context_.api().page(service::customers(), filters(check, column), check.cursor,
                                  kLimit, now, {}, service::Bare::taken);
  if (auto* trouble = std::get_if<Trouble>(&page)) return after_trouble(std::move(*trouble));
  auto& answer = std::get<mapping::Page>(page);
  if (check.stage == Stage::by_key) return after_key(answer, column);
  const auto follows = check.history.take(check.cursor, answer);
  bool unknown = false;  // a record that cannot be read, not even its key
  for (auto& each : answer.unreadable) {
    unknown = unknown || mapping::data_value(each.partial, column).empty() ||
              !mapping::imported_customer_id(each.partial);
    answer.records.push_back(std::move(each.partial));
  }
  std::vector<std::string> listed;
  for (const auto& customer : answer.records) {
    const auto id = mapping::imported_customer_id(customer);
    if (!id) continue;
    if (!mapping::is_second_feedback(customer) && !check.ids.insert(*id).second) check.moved = true;
    auto key = mapping::data_value(customer, column);
    if (key.empty()) continue;
    check.missing.erase(key);
    listed.push_back(std::move(key));
  }
  check.found += doubt(listed, source, mapper, batch, now);
  if (unknown)
    return unproven("unreadable", "the service lists a customer whose record cannot be read");
  check.cursor = answer.next_cursor;
  ++check.pages;
  switch (follows) {
    case PageHistory::Next::page:
      return NextPage{};
    case PageHistory::Next::end:
      return after_walk(column);
    case PageHistory::Next::begin_again:
      return begin_again(check.history.why());
    case PageHistory::Next::endless:
    case PageHistory::Next::unusable:
      break;
  }
  return unproven("cursor", check.history.why());
}

// A cursor that has expired begins the walk again. A service that has no list by activity may have
// one by transaction date. What else fails is tried again by the push.
RestoreCheck::Answer RestoreCheck::after_trouble(Trouble trouble) {
  auto& check = std::get<Check>(state_);
  if (!cannot_list(trouble.kind)) {
    state_ = Idle{};
    return trouble;
  }
  const auto retry = retry_after(Operation::search, trouble, !check.cursor.empty());
  if (retry.then == Retry::Then::start_again)
    return begin_again("its list of customers ends before it was read: " + trouble.detail);
  if (trouble.kind == Trouble::Kind::forbidden || check.stage == Stage::by_transaction)
    return unproven("list", "the service lists no customers: " + trouble.detail);
  walk_by_transaction();
  return NextPage{};
}

RestoreCheck::Answer RestoreCheck::begin_again(const std::string& why) {
  auto& check = std::get<Check>(state_);
  if (check.restarts.no_further(check.pages)) return unproven("cursor", why);
  walk_again(check.stage);
  return NextPage{};
}

void RestoreCheck::walk_again(Stage stage) {
  auto& check = std::get<Check>(state_);
  check.stage = stage;
  check.cursor.clear();
  check.history = {};
  check.ids.clear();
  check.pages = 0;
  check.moved = false;
  check.found_before = check.found;
}

// Rows that the ledger lost were sent later than what it knows, and their dates lay within
// look_back then.
void RestoreCheck::walk_by_transaction() {
  auto& check = std::get<Check>(state_);
  check.ask.clear();
  check.restarts = {};
  check.walks = 1;
  walk_again(Stage::by_transaction);
  for (const auto& [key, at] : check.missing)
    check.from = std::min(check.from, at);
  check.from -= push_.look_back + kDateMargin;
}

// A list that has moved is read again, until it stands still or tells nothing new.
RestoreCheck::Answer RestoreCheck::after_walk(const mapping::DataColumn& column) {
  auto& check = std::get<Check>(state_);
  const bool tells_more = check.walks == 1 || check.found > check.found_before;
  if (check.moved && check.pages > 1 && tells_more) {
    if (check.walks >= kWalksMax)
      return unproven("moves", "its list of customers moves while it is read");
    ++check.walks;
    walk_again(check.stage);
    return NextPage{};
  }
  if (check.missing.empty() || check.stage == Stage::by_transaction) return finish();
  if (column.id == 0) {
    walk_by_transaction();
    return NextPage{};
  }
  for (const auto& [key, at] : check.missing)
    check.ask.push_back(key);
  check.stage = Stage::by_key;
  check.cursor.clear();
  return NextPage{};
}

// A key that is shown as it was sent, with an activity before this walk's window, is not missing
// from it.
RestoreCheck::Answer RestoreCheck::after_key(const mapping::Page& page,
                                             const mapping::DataColumn& column) {
  auto& check = std::get<Check>(state_);
  const std::string& key = check.ask.back();
  for (const auto& customer : page.records) {
    const auto* active = std::get_if<mapping::Instant>(&customer.value("LastActivityDate"));
    if (mapping::data_value(customer, column) == key && active != nullptr && *active < check.from)
      check.missing.erase(key);
  }
  if (check.ask.size() > 1) {
    check.ask.pop_back();
    return NextPage{};
  }
  // The last key stays until then: if the database fails now, it is asked for again.
  if (check.missing.empty()) return finish();
  walk_by_transaction();
  return NextPage{};
}

RestoreCheck::Answer RestoreCheck::finish() {
  const auto& check = std::get<Check>(state_);
  const std::size_t missing = check.missing.size();
  if (2 * missing > check.controls)
    return unproven("control",
                    "of the " + counted(check.controls, "transaction") +
                        " that the ledger knows as sent last the service does not list " +
                        std::to_string(missing) + " (`surveybridge verify` names them)");
  const Done done{check.found};
  remember(check.begun);
  state_ = Idle{};
  due_ = false;
  return done;
}

// What lacks is remembered in the walk, with when it was first noticed: a release since then is the
// word of a person who knew.
bool RestoreCheck::is_let_go(const std::string& lack) {
  auto walk = crm::load_walk(context_.database(), crm::kRestoreCheckList, push_.name);
  if (walk.cursor == lack && walk.begun_at) {
    const auto released = crm::Brakes(context_.database()).releases(push_.name, 1);
    return !released.empty() && released.front().at >= *walk.begun_at;
  }
  walk.cursor = lack;
  walk.begun_at = context_.database().now();
  crm::save_walk(context_.database(), walk);
  return false;
}

RestoreCheck::Answer RestoreCheck::unproven(const std::string& lack, const std::string& why) {
  const std::int64_t found = std::get<Check>(state_).found;
  state_ = Idle{};
  if (!is_let_go(lack)) return Unproven{found, why};
  context_.log().warn(std::string(kNotKnown) + why + "; a person has released the push",
                      {.job = "push." + push_.name});
  due_ = false;
  return Done{found};
}

// How many of these transactions the ledger would have sent again.
std::int64_t RestoreCheck::doubt(const std::vector<std::string>& listed, crm::Source& source,
                                 const mapping::Mapper& mapper, const std::string& batch,
                                 TimePoint now) {
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
  const auto ours = ledger.claim(
      {batch, push_.name, owner_, is_test(push_.batch), service_of(push_, context_.settings())},
      claims);
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
