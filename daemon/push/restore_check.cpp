#include "daemon/push/restore_check.hpp"

#include <algorithm>
#include <tuple>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/lists/found_twice.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/interface/second_feedback.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;

// The clocks of database and service may differ by so much.
constexpr Duration kMargin = std::chrono::hours{1};
// Services round, shift and re-zone transaction dates.
constexpr Duration kDateMargin = std::chrono::hours{48};
// Keys known as sent that the list is tried with. A customer may have been deleted at the service:
// half of them are enough.
constexpr std::size_t kControls = 5;
// A list that moves each time it is read proves nothing.
constexpr int kWalksMax = 5;

std::string date_of(bool by_activity) {
  return by_activity ? "LastActivityDate" : "TransactionDate";
}

// Has nothing happened to this customer since it was added?
bool is_only_added(const mapping::Record& customer) {
  static constexpr const char* kEvents[] = {"DateInvited", "OpenDate", "SurveyFinishedDate",
                                            "OptedOutDate"};
  return std::ranges::none_of(kEvents, [&](const char* event) {
    return std::holds_alternative<mapping::Instant>(customer.value(event));
  });
}

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
  if (!seen_batch_.empty() && !crm::Ledger(context_.database()).knows_batch(seen_batch_)) {
    due_ = true;
    state_ = Idle{};  // it began by what the ledger remembered then
  }
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

bool RestoreCheck::has_changed_query() {
  const auto state = crm::Brakes(context_.database()).load(push_.name);
  return state && !state->fingerprint.empty() && state->fingerprint != fingerprint_of(push_);
}

RestoreCheck::Check RestoreCheck::begin() {
  const TimePoint begun = context_.database().now();
  const auto before = remembered();
  Check check{begun, std::min(before.value_or(begun), begun) - kMargin};
  if (!before || has_changed_query()) {
    check.first = !before;
    check.wide = true;
    const TimePoint since = found_since(push_, context_.settings().crm.time_zone,
                                        context_.database(), context_.crm_now(begun));
    check.from = std::min(check.from, since - kDateMargin);
  }
  const crm::SentTo to{services_of(context_.settings()), push_.correlate, is_test(push_.batch)};
  const auto sent_before = [&](TimePoint until) {
    return crm::last_sent(context_.database(), push_.name, to, until, kControls);
  };
  auto sent = sent_before(begun - push_.settle);
  if (sent.empty()) sent = sent_before(begun);  // all are younger
  for (auto& [key, at] : sent)
    check.missing.emplace(std::move(key), at);
  check.controls = check.missing.size();
  return check;
}

PageWalk RestoreCheck::walk_of(const Check& check, const mapping::DataColumn& column) const {
  std::vector<service::Parameter> filters;
  if (is_test(push_.batch)) filters.push_back({"IncludeTestRecords", std::string("true")});
  std::optional<PageWalk::Since> since;
  if (check.stage == Stage::by_key)
    filters.push_back(
        {"DataFilters", std::vector<service::DataFilter>{{column.id, check.ask.back()}}});
  else
    since = {date_of(check.stage == Stage::by_activity), check.from};
  return {service::customers(), std::move(filters), std::move(since), check.begun};
}

// A service that lists nothing is not believed for that: the keys known as sent are missing.
RestoreCheck::Answer RestoreCheck::step(crm::Source& source, const mapping::Mapper& mapper,
                                        const mapping::DataColumn& column, TimePoint now) {
  if (std::holds_alternative<Idle>(state_)) {
    state_ = begin();
  }
  auto& check = std::get<Check>(state_);
  if (!check.walk) check.walk = walk_of(check, column);
  if (const auto later = context_.pace().attempt(now, {"push." + push_.name, RequestClass::read}))
    return Later{*later};
  const RequestSlot slot(context_.pace(), RequestClass::read);
  auto answer = check.walk->step(context_.api(), now);
  const bool walks = check.stage != Stage::by_key;
  try {
    return after(std::move(answer), source, mapper, column, now);
  } catch (...) {
    if (walks) state_ = Idle{};  // the walk is past this page, which was not stored
    throw;
  }
}

RestoreCheck::Answer RestoreCheck::after(PageWalk::Answer answer, crm::Source& source,
                                         const mapping::Mapper& mapper,
                                         const mapping::DataColumn& column, TimePoint now) {
  auto& check = std::get<Check>(state_);
  if (!check.walk->left_out().empty()) check.left_out = check.walk->left_out();
  if (auto* trouble = std::get_if<Trouble>(&answer)) return after_trouble(std::move(*trouble));
  if (const auto* endless = std::get_if<PageWalk::Endless>(&answer))
    return unproven("cursor", endless->why);
  if (const auto* restarted = std::get_if<PageWalk::Restarted>(&answer)) {
    if (restarted->stuck) return unproven("cursor", restarted->why);
    check.forget_walk();
  }
  // Only the search for a key cannot be read around: the key is missing.
  if (std::holds_alternative<PageWalk::Unanswered>(answer)) return after_key({}, column);
  auto* read = std::get_if<PageWalk::Read>(&answer);
  if (read == nullptr) return NextPage{};
  if (check.stage == Stage::by_key) return after_key(read->page, column);
  return after_page(std::move(*read), source, mapper, column, now);
}

RestoreCheck::Answer RestoreCheck::after_page(PageWalk::Read read, crm::Source& source,
                                              const mapping::Mapper& mapper,
                                              const mapping::DataColumn& column, TimePoint now) {
  auto& check = std::get<Check>(state_);
  auto& page = read.page;
  bool unknown = false;  // a record that cannot be read, not even its key
  for (auto& each : page.unreadable) {
    // One that shows other data columns is of another push, or of nobody here.
    const bool hides_key = mapping::data_value(each.partial, column).empty() && each.hides("Data");
    unknown = unknown || hides_key || !mapping::imported_customer_id(each.partial);
    page.records.push_back(std::move(each.partial));
  }
  Sightings listed;
  const std::string hash_key = person_key(context_.database());
  for (const auto& customer : page.records) {
    const auto id = mapping::imported_customer_id(customer);
    if (!id) continue;
    const auto* at =
        std::get_if<mapping::Instant>(&customer.value(date_of(check.stage == Stage::by_activity)));
    check.shows_added = check.shows_added || is_only_added(customer);
    const bool in_both = read.border && at != nullptr && *at == *read.border;
    if (!mapping::is_second_feedback(customer) && !check.ids.insert(*id).second && !in_both)
      check.moved = true;
    auto key = mapping::data_value(customer, column);
    if (key.empty()) continue;
    check.missing.erase(key);
    crm::Ledger::Sighting met{std::move(key), *id};
    if (const auto* email = std::get_if<std::string>(&customer.value("Email")))
      met.person = mapping::person_of(hash_key, *email);
    if (const auto* date = std::get_if<mapping::Instant>(&customer.value("TransactionDate")))
      met.transaction_date = *date;
    listed.push_back(std::move(met));
  }
  check.found += doubt(listed, source, mapper, now);
  if (unknown)
    return unproven("unreadable", "the service lists a customer whose record cannot be read");
  if (read.last) return after_walk(column);
  return NextPage{};
}

// A service that has no list by activity may have one by transaction date. What else fails is tried
// again by the push.
RestoreCheck::Answer RestoreCheck::after_trouble(Trouble trouble) {
  auto& check = std::get<Check>(state_);
  if (cannot_list(trouble.kind)) {
    if (trouble.kind == Trouble::Kind::forbidden || check.stage == Stage::by_transaction)
      return unproven("list", "the service lists no customers: " + trouble.detail);
    walk_by_transaction();
    return NextPage{};
  }
  if (check.walk->gave_up()) return unproven("unanswered", std::string(check.left_out));
  return trouble;
}

void RestoreCheck::Check::forget_walk() {
  ids.clear();
  moved = false;
  found_before = found;
}

void RestoreCheck::Check::begin_stage(Stage next) {
  stage = next;
  walk.reset();
  walks = 1;
  forget_walk();
}

// Rows that the ledger lost were sent later than what it knows, and their dates lay within
// look_back then.
void RestoreCheck::walk_by_transaction() {
  auto& check = std::get<Check>(state_);
  if (!check.wide) {  // else from before the window's begin already
    for (const auto& [key, at] : check.missing)
      check.from = std::min(check.from, at);
    check.from -= push_.look_back + kDateMargin;
  }
  check.begin_stage(Stage::by_transaction);
}

// A list that has moved is read again, until it stands still or tells nothing new.
RestoreCheck::Answer RestoreCheck::after_walk(const mapping::DataColumn& column) {
  auto& check = std::get<Check>(state_);
  const bool tells_more = check.walks == 1 || check.found > check.found_before;
  if (check.moved && check.walk->pages() > 1 && tells_more) {
    if (check.walks >= kWalksMax)
      return unproven("moves", "its list of customers moves while it is read");
    ++check.walks;
    check.forget_walk();
    check.walk->begin_again();
    return NextPage{};
  }
  if (check.stage == Stage::by_transaction) return finish();
  if (is_proved_by_activity()) return finish();
  if (column.id == 0 || check.missing.empty()) {
    walk_by_transaction();
    return NextPage{};
  }
  for (const auto& [key, at] : check.missing)
    check.ask.push_back(key);
  check.begin_stage(Stage::by_key);
  return NextPage{};
}

// A customer that was only added is in the list by activity of most services, and not of all.
bool RestoreCheck::is_proved_by_activity() const {
  const auto& check = std::get<Check>(state_);
  return check.missing.empty() && check.shows_added && !check.wide;
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
    check.walk.reset();
    return NextPage{};
  }
  // The last key stays until then: if the database fails now, it is asked for again.
  if (is_proved_by_activity()) return finish();
  walk_by_transaction();
  return NextPage{};
}

RestoreCheck::Answer RestoreCheck::finish() {
  const auto& check = std::get<Check>(state_);
  if (!check.left_out.empty()) return unproven("unanswered", std::string(check.left_out));
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
  const auto [begun, first, found] = [&] {
    const auto& check = std::get<Check>(state_);
    return std::tuple(check.begun, check.first, check.found);
  }();
  state_ = Idle{};
  // A first run is looked at by a person, and no transaction is known that may be sent again.
  const bool let_go = first || is_let_go(lack);
  if (!let_go) return Unproven{found, why};
  context_.log().warn(
      std::string(kNotKnown) + why +
          (first ? "; it has sent nothing yet" : "; a person has released the push"),
      {.job = "push." + push_.name});
  if (first) remember(begun);
  due_ = false;
  return Done{found};
}

// How many of these transactions the ledger would have sent again. The others are remembered as
// listed: their rows may come into the CRM later.
std::int64_t RestoreCheck::doubt(const Sightings& listed, crm::Source& source,
                                 const mapping::Mapper& mapper, TimePoint now) {
  crm::Ledger ledger(context_.database());
  tell_sightings(context_.log(), "push." + push_.name, push_.name,
                 ledger.settle_listed(push_.name, listed), context_.settings().file);
  std::vector<std::string> keys;
  for (const auto& each : listed)
    keys.push_back(each.key);
  const auto unknown = ledger.claimable(push_.name, keys);
  if (unknown.empty()) return 0;
  const auto rows = source.by_key(unknown).rows;
  const std::string hash_key = person_key(context_.database());
  std::vector<crm::Claim> claims;
  for (auto& item : map_rows(mapper, rows, push_.batch, now).items) {
    item.claim.person = mapping::person_of(hash_key, item.claim.email);  // for the rule `contact`
    claims.push_back(std::move(item.claim));
  }
  crm::NewBatch none{"", push_.name, owner_, is_test(push_.batch)};
  none.pushes = names_of(context_.settings().pushes);
  return ledger.doubt_listed(none, claims);
}

std::string restored_text(std::int64_t found) {
  return "the service lists " + std::to_string(found) +
         (found == 1 ? " transaction" : " transactions") +
         " that the ledger did not know as sent: the ledger was restored from an older backup, "
         "this "
         "push was renamed or its tables were made anew, or another program adds customers with "
         "the "
         "same keys. They are looked up and are not sent";
}

}  // namespace surveybridge::daemon
