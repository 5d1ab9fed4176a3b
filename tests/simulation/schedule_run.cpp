#include "tests/simulation/schedule_run.hpp"

#include <algorithm>
#include <stdexcept>

#include "config/text.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/people/people.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/person.hpp"
#include "tests/simulation/broken_database.hpp"
#include "tests/simulation/configuration.hpp"
#include "tests/simulation/fence_watch.hpp"
#include "tests/support/slow_sweeps.hpp"

namespace simulation {

using namespace surveybridge;

namespace {

constexpr int kStepsMax = 200'000;
// The first statement of a look at the status, and how long the whole takes: it is repeated after a
// hundred times as long.
constexpr const char* kLookBegins = R"(SELECT 1 FROM "survey_lease" WHERE 1 = 0)";
constexpr Duration kLookTakes = std::chrono::seconds{6};

class Messenger final : public service::Transport {
 public:
  using Send = std::function<service::Exchange(const service::Request& request)>;
  explicit Messenger(Send send) : send_(std::move(send)) {}
  service::Exchange send(const service::Request& request) override { return send_(request); }

 private:
  Send send_;
};

}  // namespace

ScheduleRun::ScheduleRun(const Drawn& drawn, Broken broken, const std::string& database,
                         std::uint64_t seed)
    : drawn_(drawn),
      broken_(broken),
      database_(database),
      crm_file_(database + ".crm"),
      backup_file_(database + ".backup"),
      random_(seed ^ 0x5EEDULL),
      forgets_(seed ^ 0xFA4EULL),
      extras_(seed ^ 0xE874ULL),
      draws_(seed ^ 0xD4A3ULL),
      service_(options_of(drawn), [this] { return clock_.now; }),
      transport_(drawn, broken, clock_, seed ^ 0x3173ULL),
      receivers_(
          clock_, seed ^ 0x7E11ULL,
          [this](const std::string& customer) {
            const auto all = service_.customers();
            return std::ranges::any_of(all, [&](const sandbox::Held& held) {
              return std::to_string(held.id) == customer && is_forgotten(held.email);
            });
          },
          [this](const std::string& what) { mailed_too_late_.push_back(what); }),
      variant_(variant_of(drawn)),
      store_(in_process::watched(crm::open_database("sqlite3://" + database), clock_, {})),
      hosts_(static_cast<std::size_t>(drawn.daemons)) {
  if (drawn.has(Extra::apart)) own_crm_ = crm::open_database("sqlite3://" + crm_file_);
  use_variant();
  for (const auto& order : drawn.orders)
    coming_.emplace(order.committed_at, &order);
  if (drawn.has(Extra::column_order)) change_columns();
  if (drawn.has(Extra::own_list)) crm().execute({"CREATE TABLE blocked (who TEXT)", {}});
  if (drawn.has(Extra::named_list)) crm().execute({"CREATE TABLE partners (who TEXT)", {}});
  transport_.tell_known([this](const std::string& key) {
    return !moves_ && std::ranges::any_of(settings().pushes, [&](const config::Push& push) {
      const auto entry = crm::Ledger(*store_).find(push.name, key);
      return entry && entry->state == crm::State::sent;
    });
  });
}

void ScheduleRun::use_variant() {
  settings_.push_back(std::make_unique<config::Settings>(
      in_process::settings_of(configuration(drawn_, broken_, variant_))));
}

// Between what a broken rule parts.
constexpr double kDiesBetween = 0.1;

void ScheduleRun::start(std::size_t index) {
  in_process::Outside outside{database_, service_, clock_};
  outside.sessions = &sessions_;
  outside.beside = beside(drawn_);
  outside.on_moment = [this, index](const in_process::Moment& moment) {
    on_moment(index, moment, store_back_at_);
  };
  if (drawn_.has(Extra::apart)) outside.crm = crm_file_;
  outside.on_crm_moment = [this, index](const in_process::Moment& moment) {
    on_moment(index, moment, crm_back_at_);
  };
  outside.on_exchange = [this, index, faulty = transport_.exchange()](const auto& request,
                                                                      const auto& send) {
    look_at(request, hosts_[index]);
    auto exchange = faulty(request, send);
    if (request.method == "GET") clock_.now += drawn_.list_takes;
    return exchange;
  };
  // The check before the first byte would keep two other broken rules from doing harm.
  outside.ignores_claim_age = broken_ == Broken::send_old_claims ||
                              broken_ == Broken::send_before_claim ||
                              broken_ == Broken::steal_by_time;
  outside.wrap_database =
      [this, index](std::unique_ptr<crm::Database> inner) -> std::unique_ptr<crm::Database> {
    auto seen = fence_watch(std::move(inner),
                            [this](const std::string& what) { mailed_too_late_.push_back(what); });
    auto database = broken_database(std::move(seen), broken_, [this] {
      if (faults_ && happens(random_, kDiesBetween)) throw in_process::Died{};
    });
    if (drawn_.has(Extra::follow_ups))
      database = std::make_unique<support::LookedAtDatabase>(std::move(database),
                                                             [this](const std::string& sql) {
                                                               if (sql == kLookBegins)
                                                                 clock_.now += kLookTakes;
                                                             });
    if (drawn_.slow_sweep > Duration{0})
      database = std::make_unique<support::SlowSweeps>(std::move(database),
                                                       [this] { clock_.now += drawn_.slow_sweep; });
    return database;
  };
  outside.open_messenger = [this, index](const config::Receiver& receiver) {
    return std::make_unique<Messenger>(
        [this, index, name = receiver.name](const service::Request& request) {
          return tell(index, name, request);
        });
  };
  hosts_[index].is_at_old_place = false;
  auto& instance = hosts_[index].instance;
  instance = std::make_unique<in_process::Instance>(settings(), outside, random_.seed());
  // The host's clock is read once, at the start: from then on the daemon counts forward.
  if (happens(random_, 0.3)) instance->set_skew(minutes_between(random_, -90, 90));
}

TimePoint ScheduleRun::next_of(const Host& host) const {
  if (host.paused) return TimePoint::max();
  return host.instance ? host.instance->next() : host.starts_at;
}

std::optional<std::size_t> ScheduleRun::next_host() const {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    if (hosts_[i].paused) continue;
    if (!first || next_of(hosts_[i]) < next_of(hosts_[*first])) first = i;
  }
  return first;
}

// Rows that have been committed by now appear; requests that were late arrive.
void ScheduleRun::happen_until_now() {
  for (; !coming_.empty() && coming_.begin()->first <= clock_.now; coming_.erase(coming_.begin())) {
    const Order& order = *coming_.begin()->second;
    const auto or_null = [](bool there, const std::string& text) {
      return there ? crm::Value{text} : crm::Value{mapping::Null{}};
    };
    crm().execute(
        {"INSERT INTO orders (id, email, first_name, delivered_at, branch)"
         " VALUES (:p1, :p2, :p3, :p4, :p5)",
         {order.key, order.email, or_null(order.named_at <= clock_.now, order.first_name),
          mapping::write_instant(order.delivered_at),
          or_null(!order.branch.empty(), order.branch)}});
    came_.push_back(&order);
  }
  transport_.deliver_late();
  for (; operator_at_ <= clock_.now; operator_at_ += kOperatorEvery)
    operate();
}

// The next thing that happens before `until`; false: nothing.
bool ScheduleRun::tick(TimePoint until) {
  const auto host = next_host();
  TimePoint at = host ? next_of(hosts_[*host]) : TimePoint::max();
  bool outside_first = false;
  const auto earlier = [&](TimePoint other) {
    if (other < at) {
      at = other;
      outside_first = true;
    }
  };
  if (!coming_.empty()) earlier(coming_.begin()->first);
  earlier(transport_.next_late());
  if (operator_at_ <= until) earlier(operator_at_);
  if (at > until) return false;
  clock_.now = std::max(clock_.now, at);
  happen_until_now();
  if (!outside_first) step(*host);
  return true;
}

void ScheduleRun::step(std::size_t index) {
  Host& host = hosts_[index];
  host.stood_still = host.lost_database = false;
  receivers_.begin_step(index);
  try {
    if (stops_in_outage(host)) return;
    if (!host.instance) return start(index);
    host.instance->step();
    if (!host.stood_still && !host.lost_database) receivers_.settle(index);
    if (faults_ && happens(forgets_, drawn_.forget_share)) forget_somebody();
  } catch (const in_process::Died&) {
    ++crashes_;
    host.instance.reset();
    host.starts_at = clock_.now + minutes_between(random_, 0, 6);
  }
}

// Somebody stops all daemons during an outage of the service, and starts them when it is over.
bool ScheduleRun::stops_in_outage(Host& host) {
  if (clock_.now < stop_from_ || clock_.now >= transport_.frozen_until()) return false;
  host.instance.reset();
  host.starts_at = transport_.frozen_until() + minutes_between(extras_, 0, 3);
  return true;
}

void ScheduleRun::on_moment(std::size_t index, const in_process::Moment& moment,
                            TimePoint back_at) {
  using Moment = in_process::Moment;
  if (!faults_) return;
  if (happens(random_, drawn_.crash)) throw in_process::Died{};
  const bool in_database = moment.what != Moment::What::add && moment.what != Moment::What::list;
  const bool can_fail = moment.side == Moment::Side::before || moment.what == Moment::What::commit;
  if (in_database && can_fail && clock_.now < back_at) {
    fail(index, crm::DatabaseError::Kind::connection);
  }
  if (in_database && can_fail && happens(random_, drawn_.database)) {
    ++database_faults_;
    const bool busy = happens(random_, 0.5) && moment.side == Moment::Side::before;
    fail(index, busy ? crm::DatabaseError::Kind::busy : crm::DatabaseError::Kind::connection);
  }
  const bool before_add = moment.what == Moment::What::add && moment.side == Moment::Side::before;
  const bool outside_transaction =
      drawn_.pause_adds_only
          ? before_add
          : moment.what == Moment::What::add ||
                (moment.what == Moment::What::commit && moment.side == Moment::Side::after);
  if (outside_transaction && happens(random_, drawn_.pause)) pause(index);
}

void ScheduleRun::fail(std::size_t index, crm::DatabaseError::Kind kind) {
  hosts_[index].lost_database = true;
  throw crm::DatabaseError(kind, "the simulator says no");
}

// A message to a receiver. The old place's tables do not say what is told at the new one, so a
// daemon that goes on there tells nobody.
service::Exchange ScheduleRun::tell(std::size_t index, const std::string& receiver,
                                    const service::Request& request) {
  using Moment = in_process::Moment;
  on_moment(index, {Moment::Side::before, Moment::What::add}, kBegin);
  const Host& host = hosts_[index];
  if (host.is_at_old_place) return service::Response{200, {}, ""};
  auto exchange = receivers_.take(index, receiver, request.body, host.stood_still);
  on_moment(index, {Moment::Side::after, Moment::What::add}, kBegin);
  return exchange;
}

bool ScheduleRun::answers_wait() {
  if (!drawn_.has(Extra::follow_ups)) return false;
  const auto rows =
      store_->query({"SELECT count(*) FROM survey_follow_up WHERE told_at IS NULL", {}}).rows;
  return std::get<std::int64_t>(rows.front().at(0)) > 0;
}

// Without faults: until what was found is told. It takes less than that many minutes.
void ScheduleRun::tell_answers() {
  constexpr int kMinutes = 30;
  for (int minutes = 0; minutes < kMinutes && answers_wait(); ++minutes)
    run_until(clock_.now + std::chrono::minutes{1}, false);
}

// SIGSTOP: this daemon stops within a step while the others continue and time passes.
void ScheduleRun::pause(std::size_t index) {
  const bool somebody_is =
      std::any_of(hosts_.begin(), hosts_.end(), [](const Host& host) { return host.paused; });
  if (somebody_is) return;
  ++pauses_;
  hosts_[index].paused = hosts_[index].stood_still = true;
  const TimePoint until =
      clock_.now + between(random_, drawn_.pause_shortest, drawn_.pause_longest);
  while (tick(until)) {
  }
  clock_.now = std::max(clock_.now, until);
  hosts_[index].paused = false;
}

bool ScheduleRun::is_in_doubt() {
  return std::ranges::any_of(settings().pushes, [&](const config::Push& push) {
    return !crm::Ledger(*store_).in_doubt(push.name, 1).empty();
  });
}

std::int64_t ScheduleRun::claims_of_waiting() {
  const auto rows =
      store_
          ->query(
              {"SELECT coalesce(sum(attempts), 0) FROM survey_push WHERE state = 'pending'", {}})
          .rows;
  return std::get<std::int64_t>(rows.front().at(0));
}

bool ScheduleRun::waits() {
  crm::Ledger ledger(*store_);
  return std::ranges::any_of(drawn_.orders, [&](const Order& order) {
    const auto entry = ledger.find(order.push, order.key);
    if (!entry) return true;
    const bool is_mended = order.named_at > TimePoint::min() && !order.is_never_named();
    return (entry->state == crm::State::pending && !is_known_out(order.email)) ||
           (entry->state == crm::State::suppressed && is_mended);
  });
}

bool ScheduleRun::is_forgotten(const std::string& address) const {
  return forgotten_.contains(config::lower_case(address));
}

bool ScheduleRun::is_blocked(const Order& order) const {
  const auto is_on = [&](const char* list) {
    const auto found = blocked_.find(list);
    return found != blocked_.end() && found->second.contains(config::lower_case(order.email));
  };
  return is_on("blocked") || (order.push == kOrders.name && is_on("partners"));
}

// Is this a closed day? A step may have begun before it; the database's clock only lags.
bool ScheduleRun::is_closed() const {
  constexpr Duration kStep = std::chrono::minutes{10};
  if (!drawn_.has(Extra::closed_days)) return false;
  if (!drawn_.closes_late) return clock_.now < kMidnight;
  const TimePoint now = clock_.now + clock_.database_step;
  return now >= kMidnight + kStep && now < kMidnight + kDay;
}

bool ScheduleRun::is_known_out(const std::string& address) {
  const std::string person = mapping::person_of(daemon::person_key(*store_), address);
  auto contact_histories = crm::People(*store_).contact_histories({person}, crm::Asked::facts);
  const auto& facts = contact_histories[person].facts;
  const auto has = [&](crm::FactKind kind) { return facts.contains(kind); };
  if (drawn_.opted_out && (has(crm::FactKind::opted_out) || has(crm::FactKind::unread_opt_out)))
    return true;
  const auto soft = facts.find(crm::FactKind::bounced_soft);
  return drawn_.has(Extra::bounces) && (has(crm::FactKind::bounced_hard) ||
                                        (soft != facts.end() && soft->second.count >= kSoftMax));
}

// Only what was claimed before a pause may still leave after its person was forgotten or opted out.
void ScheduleRun::look_at(const service::Request& request, const Host& host) {
  if (request.method != "POST" || host.stood_still) return;
  if (is_closed()) mailed_too_late_.push_back("a batch went out on a closed day");
  const std::string body = config::lower_case(request.body);
  const auto has = [&](const std::string& text) {
    return body.find('"' + config::lower_case(text) + '"') != std::string::npos;
  };
  for (const auto& order : drawn_.orders) {
    const std::string& address = order.email;
    if (!has(address)) continue;
    if (is_forgotten(address))
      mailed_too_late_.push_back(order.key + ": mailed after the person was forgotten");
    if (is_blocked(order) && has(order.key))
      mailed_too_late_.push_back(order.key + ": mailed after the person was put on the list");
    if (is_known_out(address))
      mailed_too_late_.push_back(order.key + ": mailed after the person opted out or bounced");
  }
}

void ScheduleRun::run_until(TimePoint until, bool faults) {
  if (faults_ && !faults) calm_since_ = clock_.now;
  faults_ = faults;
  if (!faults) transport_.calm();
  if (!faults) receivers_.calm();
  for (int steps = 0; tick(until); ++steps) {
    if (steps == kStepsMax) throw std::runtime_error("the daemons do not come to rest");
    if (moves_) continue;
    if (drawn_.backup_at && !backed_up_ && clock_.now >= *drawn_.backup_at) back_up();
    if (backed_up_ && !restored_ && clock_.now >= *drawn_.restore_at) restore();
  }
  clock_.now = std::max(clock_.now, until);
  happen_until_now();
}

void ScheduleRun::settle_doubts(Duration longest) {
  const TimePoint until = clock_.now + longest;
  if (!is_in_doubt() && !waits()) return;
  // Two hours more after the last doubt: its row may go again, and be between two batches then.
  for (int quiet = 0; quiet < 2 && clock_.now < until;) {
    const auto before = claims_of_waiting();
    run_until(clock_.now + std::chrono::hours{1}, false);
    catch_up();
    quiet = is_in_doubt() || claims_of_waiting() > before ? 0 : quiet + 1;
  }
}

void ScheduleRun::pass_suspended(Duration length) {
  tell_answers();
  clock_.now += length;
  operator_at_ = clock_.now;  // nobody has looked meanwhile
  run_until(clock_.now + std::chrono::hours{1}, false);
  catch_up();
}

void ScheduleRun::catch_up() {
  // A daemon in the middle of a walk has its lease for longer than `sync` would wait here. Between
  // its pages it may sweep.
  const TimePoint waits_until = clock_.now + std::chrono::minutes{10} + 50 * drawn_.slow_sweep;
  while (clock_.now < waits_until && is_walking())
    run_until(clock_.now + std::chrono::seconds{1}, false);
  caught_up_at_ = clock_.now + clock_.database_step;  // a list is read until then
  in_process::Outside outside{database_, service_, clock_};
  outside.sessions = &sessions_;
  if (drawn_.has(Extra::apart)) outside.crm = crm_file_;
  outside.beside = beside(drawn_);
  outside.on_exchange = transport_.exchange();
  in_process::Instance last(settings(), outside, random_.seed(), true);
  // Until all wait for longer than a request does: customers continue to be active.
  const TimePoint latest = clock_.now + std::chrono::minutes{5};
  while (last.next() <= std::min(latest, clock_.now + std::chrono::minutes{1}))
    last.step();
  // `sync` does one job after the other: what is queued is written when the walks are done.
  const TimePoint written = clock_.now + std::chrono::minutes{1};
  for (auto& job : last.jobs()) {
    if (!drawn_.has(Extra::apart) || !job->name().starts_with("write.")) continue;
    while (clock_.now <= written)
      clock_.now = std::max(clock_.now, std::min(job->step(clock_.now), written + Duration{1}));
  }
  tell_answers();
}

int ScheduleRun::held_max() const {
  // A row that breaks the service leaves its whole batch in doubt.
  const auto breaking = std::ranges::count(drawn_.orders, 500, &Order::rejected);
  const int blows =
      crashes_ + pauses_ + database_faults_ + transport_.faults() + static_cast<int>(breaking);
  const int batch_size = drawn_.has(Extra::changed_settings) ? kBatchMax : drawn_.batch_size;
  return batch_size * drawn_.in_flight * blows + claimed_since_backup_;
}

void ScheduleRun::count(Report& report) const {
  for (const auto& [extra, name] : kAllExtras)
    if (drawn_.has(extra)) report.extras += (report.extras.empty() ? "" : ",") + std::string(name);
  report.rows = static_cast<int>(drawn_.orders.size());
  report.crashes = crashes_;
  report.pauses = pauses_;
  report.wire_faults = transport_.faults();
  report.lies = transport_.lies();
  report.database_faults = database_faults_;
  report.releases = releases_;
  report.requests = static_cast<int>(service_.requests());
  report.forgotten = static_cast<int>(forgotten_.size());
  report.faults.insert(report.faults.end(), mailed_too_late_.begin(), mailed_too_late_.end());
}

}  // namespace simulation
