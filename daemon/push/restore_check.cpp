#include "daemon/push/restore_check.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/lists/found_twice.hpp"
#include "daemon/suppress/brake.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/persons.hpp"
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
// So many keys of this process are remembered at least, and twice as many at most.
constexpr std::size_t kClaimed = 50'000;
// A list that moves each time it is read proves nothing.
constexpr int kWalksMax = 5;
const std::string kListsNone = "the service lists no customers: ";

std::string date_of(bool by_activity) {
  return by_activity ? "LastActivityDate" : "TransactionDate";
}

// Does this customer wait for its invitation, and has nothing happened to it since it was added?
// Any other date tells of something. A fault of the address and a lock have no date of their own:
// such a customer has no invitation to come, or was active after its time.
bool is_only_added(const mapping::Record& customer) {
  static constexpr std::string_view kOfAdding[] = {"TransactionDate", "ScheduledInvitationDate",
                                                   "LastActivityDate"};
  const bool any = std::ranges::any_of(customer.resource->fields, [&](const auto& field) {
    return std::ranges::find(kOfAdding, field.name) == std::end(kOfAdding) &&
           std::holds_alternative<mapping::Instant>(customer.value(field.name));
  });
  const auto* wants_contact = std::get_if<bool>(&customer.value("IsContactRequested"));
  const bool told =
      (wants_contact != nullptr && *wants_contact) || !customer.at("FormNotes").records.empty() ||
      std::ranges::any_of(customer.at("Review").records, [](const auto& review) {
        return std::holds_alternative<mapping::Instant>(review.value("ReviewApprovedDate"));
      });
  const auto* due = std::get_if<mapping::Instant>(&customer.value("ScheduledInvitationDate"));
  const auto* active = std::get_if<mapping::Instant>(&customer.value("LastActivityDate"));
  const bool waits = due != nullptr && (active == nullptr || *active <= *due);
  return waits && !any && !told && !is_opted_out(customer) &&
         !mapping::is_second_feedback(customer);
}

// These credentials may only add, or the service has no such list or filter.
bool cannot_list(Trouble::Kind kind) {
  return kind == Trouble::Kind::forbidden || kind == Trouble::Kind::misplaced ||
         kind == Trouble::Kind::rejected;
}

}  // namespace

// Another process or another push may have claimed what the ledger has lost, so the last batch of
// all is remembered.
bool RestoreCheck::is_due() {
  if (push_.correlate.empty()) return false;
  if (!seen_batch_.empty() && !crm::Ledger(context_.database()).knows_batch(seen_batch_)) {
    due_ = true;
    state_ = Idle{};  // it began by what the ledger remembered then
  }
  seen_batch_ = crm::last_batch(context_.database(), names_of(context_.settings().pushes));
  return due_;
}

void RestoreCheck::claimed(const std::string& batch, const std::vector<std::string>& keys) {
  seen_batch_ = batch;
  for (const auto& key : keys)
    claimed_.insert(std::hash<std::string>{}(key));
  if (claimed_.size() >= kClaimed) claimed_before_ = std::exchange(claimed_, {});
}

void RestoreCheck::unsent(const std::string& key) {
  claimed_.erase(std::hash<std::string>{}(key));
  claimed_before_.erase(std::hash<std::string>{}(key));
}

std::set<std::string> RestoreCheck::lost(const std::vector<std::string>& keys) {
  std::vector<std::string> known;
  std::ranges::copy_if(keys, std::back_inserter(known), [&](const std::string& key) {
    const auto hash = std::hash<std::string>{}(key);
    return claimed_.contains(hash) || claimed_before_.contains(hash);
  });
  if (known.empty()) return {};
  auto lost = crm::Ledger(context_.database()).missing(push_.name, known);
  if (!lost.empty()) require();
  return lost;
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

RestoreCheck::Check RestoreCheck::begin() {
  const TimePoint begun = context_.database().now();
  const auto before = remembered();
  Check check{begun, std::min(before.value_or(begun), begun) - kMargin};
  if (!before || has_changed_query(push_, context_)) {
    check.wide = true;
    check.from = std::min(check.from, first_date(begun));
  }
  const crm::SentTo to{services_of(context_.settings()), push_.correlate, is_test(push_.batch)};
  const auto sent_before = [&](TimePoint until) {
    return crm::last_sent(context_.database(), push_.name, to, until, kControls);
  };
  auto sent = sent_before(begun - push_.settle);
  check.young = sent.empty();
  if (check.young) sent = sent_before(begun);
  for (auto& [key, at] : sent)
    check.shown.missing.emplace(std::move(key), at);
  check.controls = check.shown.missing.size();
  check.before = check.shown;
  return check;
}

// No row that a sweep finds, or that the ledger has and may still send, is older: those were within
// look_back when they were met.
TimePoint RestoreCheck::first_date(TimePoint begun) {
  const TimePoint since = found_since(push_, context_.settings().crm.time_zone, context_.database(),
                                      context_.crm_now(begun)) -
                          kDateMargin;
  const auto unsent = crm::Ledger(context_.database()).oldest_unsent(push_.name);
  return unsent ? std::min(since, *unsent - push_.look_back - kDateMargin) : since;
}

PageWalk RestoreCheck::walk_of(const Check& check, const mapping::DataColumn& column) const {
  auto filters = customer_filters(push_);
  std::optional<PageWalk::Since> since;
  if (check.stage == Stage::by_key)
    filters.push_back(
        {"DataFilters", std::vector<service::DataFilter>{{column.id, check.ask.back()}}});
  else
    since = {date_of(check.stage == Stage::by_activity), check.from};
  return {service::customers(), std::move(filters), std::move(since), check.begun};
}

// A service that lists nothing is not believed for that: the keys known as sent are missing. A page
// of which the database has not stored everything is stored again: the walk is past it.
RestoreCheck::Answer RestoreCheck::step(crm::Source& source, const mapping::Mapper& mapper,
                                        const mapping::DataColumn& column, TimePoint now) {
  if (std::holds_alternative<Idle>(state_)) {
    state_ = begin();
  }
  if (!std::get<Check>(state_).page) {
    if (auto answer = ask(column, now)) return *std::move(answer);
  }
  try {
    return store_page(source, mapper, column, now);
  } catch (...) {
    const auto* check = std::get_if<Check>(&state_);
    if (check != nullptr && !check->page) state_ = Idle{};  // what follows the page has failed
    throw;
  }
}

// Asks for the next page. Empty: a page of a list was read.
std::optional<RestoreCheck::Answer> RestoreCheck::ask(const mapping::DataColumn& column,
                                                      TimePoint now) {
  auto& check = std::get<Check>(state_);
  if (!check.walk) check.walk = walk_of(check, column);
  if (const auto later = context_.pace().attempt(now, {"push." + push_.name, RequestClass::read}))
    return Later{*later};
  const RequestSlot slot(context_.pace(), RequestClass::read);
  auto answer = check.walk->step(context_.api(), now);
  if (!check.walk->left_out().empty()) check.left_out = check.walk->left_out();
  if (auto* trouble = std::get_if<Trouble>(&answer)) return after_trouble(std::move(*trouble));
  if (const auto* endless = std::get_if<PageWalk::Endless>(&answer))
    return unproven("endless", endless->why);
  if (const auto* restarted = std::get_if<PageWalk::Restarted>(&answer)) {
    if (restarted->stuck) return unproven("cursor", restarted->why);
    check.forget_walk();
    if (restarted->wait > Duration{0}) return Later{now + restarted->wait};
  }
  // Only the search for a key cannot be read around: a key that was sent is missing then.
  if (const auto* unanswered = std::get_if<PageWalk::Unanswered>(&answer)) {
    if (check.stage == Stage::by_key) return after_key({}, column);
    return unproven("list", kListsNone + unanswered->trouble.detail);
  }
  if (const auto* nothing = std::get_if<PageWalk::Nothing>(&answer)) {
    if (nothing->divides) check.shown.ids_of_part.clear();
    return Later{.answered = nothing->answered};
  }
  auto* read = std::get_if<PageWalk::Read>(&answer);
  if (read == nullptr) return Later{};
  if (check.stage == Stage::by_key) return after_key(read->page, column);
  check.page = std::move(*read);
  for (const auto& each : check.page->page.unreadable)
    check.page->page.records.push_back(each.partial);
  return std::nullopt;
}

// Whatever may fail comes first.
RestoreCheck::Answer RestoreCheck::store_page(crm::Source& source, const mapping::Mapper& mapper,
                                              const mapping::DataColumn& column, TimePoint now) {
  auto& check = std::get<Check>(state_);
  const auto& records = check.page->page.records;
  PagePersons persons(person_key(context_.database()));
  const std::int64_t found =
      doubt(sightings_of(records, column, key_columns(context_), persons), source, mapper, now);
  // What another push has lost counts for `contact` here, before its own check is made.
  settle_listed(context_, persons, "push." + push_.name, records, &push_);
  // Whose these are may have come to light just now.
  crm::People(context_.database()).note(opt_outs_of(context_, persons, records, check.begun));
  const auto read = *std::exchange(check.page, std::nullopt);
  check.found += found;
  check.lists_something = check.lists_something || !read.page.records.empty();
  check.lists_bare = check.lists_bare || read.page.bare;
  for (const auto& customer : read.page.records) {
    const auto id = mapping::imported_customer_id(customer);
    if (!id) continue;
    const auto* at =
        std::get_if<mapping::Instant>(&customer.value(date_of(check.stage == Stage::by_activity)));
    const bool in_both = read.border && at != nullptr && *at == *read.border;
    const bool is_new =
        !check.shown.ids.contains(*id) && check.shown.ids_of_part.insert(*id).second;
    if (!mapping::is_second_feedback(customer) && !is_new && !in_both) check.shown.moved = true;
    check.shown.missing.erase(mapping::data_value(customer, column));
  }
  if (check.walk->place().cursor.empty()) {  // the part has ended
    check.shown.ids.merge(check.shown.ids_of_part);
    check.shown.ids_of_part.clear();
  }
  // What an unreadable record hides may have happened.
  const auto readable = read.page.records.size() - read.page.unreadable.size();
  check.shown.added =
      check.shown.added ||
      std::any_of(read.page.records.begin(),
                  read.page.records.begin() + static_cast<std::ptrdiff_t>(readable), is_only_added);
  // One that shows other data columns is of another push, or of nobody here.
  const auto hides_key = [&](const mapping::Unreadable& each) {
    const bool hidden = mapping::data_value(each.partial, column).empty() && each.hides("Data");
    return hidden || !mapping::imported_customer_id(each.partial);
  };
  check.unknown = check.unknown || std::ranges::any_of(read.page.unreadable, hides_key);
  if (read.last) return after_walk(column);
  return kGotOn;
}

// A service that has no list by activity may have one by transaction date. What else fails is tried
// again by the push.
RestoreCheck::Answer RestoreCheck::after_trouble(Trouble trouble) {
  auto& check = std::get<Check>(state_);
  if (cannot_list(trouble.kind)) {
    if (trouble.kind == Trouble::Kind::forbidden || check.stage == Stage::by_transaction)
      return unproven("list", kListsNone + trouble.detail);
    walk_by_transaction();
    return Later{};
  }
  if (check.walk->gave_up()) return unproven("unanswered", std::string(check.left_out));
  return trouble;
}

void RestoreCheck::Check::forget_walk() {
  shown = before;
  found_before = found;
}

void RestoreCheck::Check::begin_stage(Stage next) {
  stage = next;
  walk.reset();
  walks = 1;
  shown.ids.clear();
  shown.ids_of_part.clear();
  shown.moved = false;
  before = shown;
  found_before = found;
}

// Rows that the ledger lost were sent later than what it knows, and their dates lay within
// look_back then, or within look_back of when the ledger met them. Dates that are not those of
// `when` may be of any time.
void RestoreCheck::walk_by_transaction() {
  auto& check = std::get<Check>(state_);
  const TimePoint first = is_dated_otherwise(push_) ? TimePoint{} : first_date(check.begun);
  if (!check.wide) {  // else from before the window's begin already
    for (const auto& [key, at] : check.shown.missing)
      check.from = std::min(check.from, at);
    check.from -= push_.look_back + kDateMargin;
  }
  check.from = std::min(check.from, first);
  check.begin_stage(Stage::by_transaction);
}

// A list that has moved is read again, until it stands still or tells nothing new.
RestoreCheck::Answer RestoreCheck::after_walk(const mapping::DataColumn& column) {
  auto& check = std::get<Check>(state_);
  const bool tells_more = check.walks == 1 || check.found > check.found_before;
  if (check.shown.moved && check.walk->pages() > 1 && tells_more) {
    if (check.walks >= kWalksMax)
      return unproven("moves", "its list of customers moves while it is read");
    ++check.walks;
    check.forget_walk();
    check.walk->begin_again();
    return kGotOn;
  }
  if (check.stage == Stage::by_transaction || is_proved_by_activity()) return finish();
  if (column.id == 0 || check.shown.missing.empty()) {
    walk_by_transaction();
    return kGotOn;
  }
  for (const auto& [key, at] : check.shown.missing)
    check.ask.push_back(key);
  check.begin_stage(Stage::by_key);
  return kGotOn;
}

// A customer that was only added is in the list by activity of most services, and not of all.
bool RestoreCheck::is_proved_by_activity() const {
  const auto& check = std::get<Check>(state_);
  return check.shown.missing.empty() && check.shown.added && !check.wide;
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
      check.shown.missing.erase(key);
  }
  if (check.ask.size() > 1) {
    check.ask.pop_back();
    check.walk.reset();
    return kGotOn;
  }
  // The last key stays until then: if the database fails now, it is asked for again.
  if (is_proved_by_activity()) return finish();
  walk_by_transaction();
  return kGotOn;
}

RestoreCheck::Answer RestoreCheck::finish() {
  const auto& check = std::get<Check>(state_);
  if (!check.left_out.empty()) return unproven("unanswered", std::string(check.left_out));
  if (check.unknown)
    return unproven("unreadable", "the service lists a customer whose record cannot be read");
  const std::size_t missing = check.shown.missing.size();
  if (2 * missing > check.controls)
    return unproven("control",
                    "of the " + counted(static_cast<std::int64_t>(check.controls), "transaction") +
                        " that the ledger knows as sent last the service does not list " +
                        std::to_string(missing) +
                        (check.young ? ", and it may list them until `settle` is over since then"
                                     : " (`surveybridge verify` names them)"));
  // An empty list needs no other proof where nothing is known as sent; this is none.
  if (check.controls == 0 && check.lists_bare && !check.lists_something)
    return unproven("bare", "the service answers its list without a list");
  const Result proved{check.found};
  remember(check.begun);
  state_ = Idle{};
  due_ = false;
  return proved;
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
  if (!is_let_go(lack)) return Result{found, why};
  context_.log().warn(std::string(kNotKnown) + why + "; a person has released the push",
                      {.job = "push." + push_.name});
  due_ = false;
  return Result{found};
}

// How many of these transactions the ledger would have sent again. The others are remembered as
// listed: their rows may come into the CRM later.
std::int64_t RestoreCheck::doubt(const std::vector<crm::Ledger::Sighting>& listed,
                                 crm::Source& source, const mapping::Mapper& mapper,
                                 TimePoint now) {
  crm::Ledger ledger(context_.database());
  tell_sightings(context_.log(), "push." + push_.name, push_.name,
                 ledger.settle_listed(push_.name, listed,
                                      {service_of(push_, context_.settings()), push_.correlate}),
                 context_.settings().file);
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
  none.correlate = push_.correlate;
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
