#include "daemon/runtime/bridge.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "daemon/alert/alert_job.hpp"
#include "daemon/alert/report_mail_job.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/job/log_throttle.hpp"
#include "daemon/pull/backfill_worker.hpp"
#include "daemon/pull/pace_job.hpp"
#include "daemon/pull/pull_job.hpp"
#include "daemon/pull/reference_data_job.hpp"
#include "daemon/pull/write_back_job.hpp"
#include "daemon/push/ledger_job.hpp"
#include "daemon/push/never_listed.hpp"
#include "daemon/push/push_job.hpp"
#include "daemon/reconcile/reconcile_job.hpp"
#include "daemon/runtime/instance_name.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/runtime/session_pool.hpp"
#include "daemon/suppress/brake_rule.hpp"

namespace surveybridge::daemon {

namespace {

bool chosen(const Bridge::Options& options, const std::string& kind, const std::string& name) {
  const auto has = [&](const std::string& word) {
    return std::find(options.names.begin(), options.names.end(), word) != options.names.end();
  };
  return options.names.empty() || has(kind) || has(name) || has(kind + "." + name);
}

// A statement that works ends sooner than after this part of its limit.
Duration longest_statement(const config::Crm& crm) {
  return Duration{crm.statement_timeout} * 2 / 3;
}

// A call that reads nothing and takes longer waits for the database, or for a lock.
constexpr Duration kShortCallMax = std::chrono::seconds{3};

std::int64_t seconds(Duration age) {
  return std::chrono::floor<std::chrono::seconds>(age).count();
}

constexpr const char* kUnanswered = "the database has not answered";

// `call` has not ended.
std::string unanswered_text(const StatementWatch::Call& call) {
  return fmt::format("{} \"{}\" for {} s{}", kUnanswered, call.what, seconds(call.age),
                     call.others_answered ? ", and answers other statements: this one waits for a "
                                            "lock of another session, or takes long"
                                          : "");
}

// Notifications that come sooner after one another begin one poll.
constexpr Duration kGap = std::chrono::milliseconds{100};
constexpr Duration kTriesWithin = std::chrono::seconds{30};
constexpr Duration kForever{-1000};
constexpr int kNoDescriptor = -1;  // poll() ignores it

}  // namespace

// Listens to the channels that pushes name (`notify` of docs/CONFIG.md) in a thread of its own,
// from construction to destruction. Without a session it tries again; the polls go on as before.
class ChangeListener {
 public:
  // Called in the thread: rows may have been committed. Also once after each connect, for what was
  // committed without a session.
  using Changed = std::function<void(const std::string& channel)>;

  ChangeListener(std::vector<std::string> channels, OpenNotifications open, Changed changed,
                 LogThrottle log);
  // Waits for the thread: at most as long as a connect takes.
  ~ChangeListener();
  ChangeListener(const ChangeListener&) = delete;
  ChangeListener& operator=(const ChangeListener&) = delete;

 private:
  void run();
  void listen();
  bool wait_for(int descriptor, Duration longest) const;

  std::vector<std::string> channels_;
  OpenNotifications open_;
  Changed changed_;
  LogThrottle log_;
  int failures_ = 0;  // connects in a row
  int stop_;          // an eventfd: readable when the thread is to end
  std::thread thread_;
};

ChangeListener::ChangeListener(std::vector<std::string> channels, OpenNotifications open,
                               Changed changed, LogThrottle log)
    : channels_(std::move(channels)),
      open_(std::move(open)),
      changed_(std::move(changed)),
      log_(std::move(log)),
      stop_(eventfd(0, EFD_CLOEXEC)) {
  if (stop_ < 0) throw std::runtime_error("no descriptor is left for the notifications");
  thread_ = std::thread([this] { run(); });
}

ChangeListener::~ChangeListener() {
  eventfd_write(stop_, 1);
  thread_.join();
  close(stop_);
}

void ChangeListener::run() {
  Duration pause{0};
  while (!wait_for(kNoDescriptor, pause)) {
    try {
      listen();
      return;
    } catch (const crm::DatabaseError& error) {
      log_.report(Log::Level::warn,
                  std::string("rows are found by polling alone: ") + error.what());
      pause = std::min(backoff(++failures_, 0.5), kTriesWithin);
    }
  }
}

// Until the thread is to end. Throws DatabaseError.
void ChangeListener::listen() {
  const auto session = open_(channels_);
  failures_ = 0;
  log_.over();
  std::vector<std::string> changed = channels_;
  do {
    for (const auto& channel : changed)
      changed_(channel);
    if (wait_for(kNoDescriptor, kGap) || wait_for(session->descriptor(), kForever)) return;
    changed = session->take();
  } while (true);
}

// True: the thread is to end. False: the descriptor is readable, or the time is over.
bool ChangeListener::wait_for(int descriptor, Duration longest) const {
  pollfd seen[] = {{stop_, POLLIN, 0}, {descriptor, POLLIN, 0}};
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(longest).count();
  poll(seen, std::size(seen), static_cast<int>(milliseconds));
  return (seen[0].revents & POLLIN) != 0;
}

Bridge::Bridge(const config::Settings& settings, Environment environment, Log& log,
               service::Credentials& credentials, const Options& options)
    : settings_(settings),
      once_(options.once),
      world_(std::move(environment)),
      log_(log),
      statements_(world_.uptime, *world_.recorder),
      service_clock_(log_),
      clock_{system_now, [this](Duration ahead) { service_clock_.heard(ahead); }},
      pace_(settings.service.pace, world_.uptime, ~world_.seed, *world_.recorder),
      random_(world_.seed),
      outage_(
          log_, world_.uptime,
          options.sessions == 0 ? DatabaseOutage::Answered{}
                                : [this](const auto& job) { return statements_.answered(job); }) {
  const bool observed = options.sessions > 0;
  if (observed) share_sessions(options.sessions);
  const Shared shared{settings,    world_,       log,          pace_,
                      credentials, options.once, &has_tables_, observed ? &clock_ : nullptr};
  if (options.backfill.empty()) {
    add_all(shared, options);
  } else {
    add_backfill(shared, options);
  }
  scheduler_ = std::make_unique<Scheduler>(jobs_, system_now, *world_.recorder);
}

Bridge::~Bridge() = default;

// A pool for each: a job that has a transaction in the CRM's database asks the store meanwhile, and
// must not wait for others that do the same.
void Bridge::share_sessions(int most) {
  const auto pool = [&](const char* what, SessionPool::Open open) {
    return std::make_shared<SessionPool>(what, PoolLimits{.most = most}, std::move(open), log_,
                                         statements_);
  };
  const auto store = pool(world_.open_crm ? "store" : "database",
                          [open = world_.open_database](CrmUse) { return open(); });
  world_.open_database = [store] { return store->database(CrmUse::write); };
  if (!world_.open_crm) return;
  world_.open_crm = [crm = pool("CRM's database", world_.open_crm)](CrmUse use) {
    return crm->database(use);
  };
}

// `sync` runs one job after another: with [suppress] the pulls come first.
void Bridge::add_all(const Shared& shared, const Options& options) {
  if (settings_.suppress) add_pulls(shared, options);
  for (const auto& push : settings_.pushes) {
    if (!chosen(options, "push", push.name)) continue;
    add(std::make_unique<PushJob>(push, shared, random_.seed()));
    add(std::make_unique<ReconcileJob>(push, shared, random_.seed()));
  }
  if (!settings_.suppress) add_pulls(shared, options);
  const bool pushes = std::ranges::any_of(settings_.pushes, [&](const config::Push& push) {
    return chosen(options, "push", push.name);
  });
  if (pushes) add(std::make_unique<LedgerJob>(shared));
  if (options.once) {  // `status` counts for itself
    const bool tells = std::ranges::any_of(settings_.pulls, [&](const config::Pull& pull) {
      return !pull.follow_ups.empty() && chosen(options, "pull", pull.name);
    });
    if (tells) add_alert(shared);
    return;
  }
  for (const auto& push : settings_.pushes) {
    if (push.correlate.empty() || !chosen(options, "push", push.name)) continue;
    add(std::make_unique<NeverListedJob>(push, shared, random_.seed()));
  }
  add_alert(shared);
  if (!world_.open_messenger) return;
  for (const auto& mail : settings_.report.mails)
    add(std::make_unique<ReportMailJob>(mail, shared, host_name(), random_.seed()));
}

void Bridge::add_alert(const Shared& shared) {
  if (settings_.alerts.empty() || !world_.open_messenger) return;
  add(std::make_unique<AlertJob>(
      shared, [this] { return states(); }, host_name(), random_.seed()));
}

void Bridge::add_pulls(const Shared& shared, const Options& options) {
  const auto& settings = shared.settings;
  const bool pulls = std::ranges::any_of(
      settings.pulls, [&](const config::Pull& pull) { return chosen(options, "pull", pull.name); });
  if (pulls) add(std::make_unique<ReferenceDataJob>(shared, random_.seed()));
  for (const auto& pull : settings.pulls) {
    if (!chosen(options, "pull", pull.name)) continue;
    // With a queue the job writes what the walks have stored, so `sync` runs it after them.
    const bool queue = static_cast<bool>(world_.open_crm);
    if (!pull.writes.empty() && !queue) add(std::make_unique<WriteBackJob>(pull, shared));
    for (auto& plan : plan_walks(pull, settings.service.dialect)) {
      plan.service = services_of(settings).front();
      add(std::make_unique<PullJob>(pull, std::move(plan), shared, random_.seed()));
    }
    if (!pull.writes.empty() && queue) add(std::make_unique<WriteBackJob>(pull, shared));
  }
  if (!options.once) add(std::make_unique<PaceJob>(shared));
}

// The oldest windows first, in whichever lane they are.
void Bridge::add_backfill(const Shared& shared, const Options& options) {
  const auto pull =
      std::ranges::find(shared.settings.pulls, options.names.at(0), &config::Pull::name);
  if (pull == shared.settings.pulls.end()) return;
  std::vector<std::vector<std::unique_ptr<Job>>> lanes(
      std::min(options.lanes, options.backfill.size()));
  for (std::size_t i = 0; i < options.backfill.size(); ++i) {
    lanes[i % lanes.size()].push_back(
        std::make_unique<PullJob>(*pull, options.backfill[i], shared, random_.seed()));
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::string name = "backfill." + pull->name + "." + std::to_string(i + 1);
    add(std::make_unique<BackfillWorker>(name, std::move(lanes[i])));
  }
}

void Bridge::add(std::unique_ptr<Job> job) {
  jobs_.push_back(std::make_unique<SupervisedJob>(std::move(job), log_, world_.uptime,
                                                  random_.seed(), &outage_));
}

void Bridge::start() {
  scheduler_->start();
  std::set<std::string> channels;
  for (const auto& push : settings_.pushes)
    if (!push.notify.empty()) channels.insert(push.notify);
  if (channels.empty() || once_) return;
  changes_ = std::make_unique<ChangeListener>(
      std::vector(channels.begin(), channels.end()), world_.open_notifications,
      [this](const std::string& channel) { poll(channel); },
      LogThrottle(log_, "notify", world_.uptime));
}

// In the thread of the listener.
void Bridge::poll(const std::string& channel) {
  scheduler_->poll([&](const std::string& job) {
    return std::ranges::any_of(settings_.pushes, [&](const config::Push& push) {
      return push.notify == channel && job == "push." + push.name;
    });
  });
}

void Bridge::stop() {
  scheduler_->stop();
}

void Bridge::join() {
  scheduler_->join();
}

bool Bridge::join_within(Duration longest) {
  return scheduler_->join_within(longest);
}

bool Bridge::alive() const {
  return std::ranges::none_of(scheduler_->states(), [&](const JobState& job) {
    return job.step_for && *job.step_for > 2 * lease_duration(settings_);
  });
}

std::map<std::string, std::string> Bridge::stuck() const {
  std::map<std::string, std::string> stuck;
  for (const JobState& job : scheduler_->states())
    if (job.step_for && *job.step_for > lease_duration(settings_))
      stuck[job.name] = fmt::format("has been in one step for {} s", seconds(*job.step_for));
  for (const auto& call : statements_.older_than(longest_statement(settings_.crm)))
    stuck[call.job] = unanswered_text(call);
  return stuck;
}

// A job that waits for the database within a step has not said so yet, or no longer says it.
void Bridge::add_waits_for_database(std::vector<JobState>& states) const {
  for (const auto& call : statements_.unanswered(kShortCallMax)) {
    const auto state = std::ranges::find(states, call.job, &JobState::name);
    if (state == states.end() || !state->status.trouble.empty()) continue;
    state->status.trouble = unanswered_text(call);
    state->status.fault = JobStatus::Fault::unreachable;
    state->status.degraded = false;
    state->trouble_for = call.age;
  }
}

// Long before a statement counts as too long.
void Bridge::add_statements(std::vector<JobState>& states) const {
  for (const auto& call : statements_.older_than(kShortCallMax)) {
    const auto state = std::ranges::find(states, call.job, &JobState::name);
    if (state == states.end() || !state->step_for) continue;
    if (!state->status.trouble.starts_with(kUnanswered)) state->statement = unanswered_text(call);
  }
}

std::vector<JobState> Bridge::states() const {
  auto states = scheduler_->states();
  for (const auto& [job, why] : stuck()) {
    const auto state = std::ranges::find(states, job, &JobState::name);
    if (state == states.end()) continue;
    state->status.trouble = why;
    state->status.degraded = false;
    state->stuck = true;
  }
  add_waits_for_database(states);
  add_statements(states);
  tell_present_cause(states, pace_.known());
  return states;
}

std::vector<std::string> Bridge::wake(const std::string& name) {
  pace_.try_now();
  return scheduler_->wake([&](const std::string& job) {
    const auto dot = job.find('.');
    const std::string of = dot == std::string::npos ? "" : job.substr(dot + 1);
    return name == "all" || job == name || of == name || job.starts_with(name + ".") ||
           of.starts_with(name + ".");
  });
}

std::optional<TimePoint> Bridge::asked_to_wait_until() const {
  const TimePoint until = pace_.held_until();
  return until > system_now() ? std::optional(until) : std::nullopt;
}

std::vector<std::string> names_of(const config::Settings& settings) {
  std::vector<std::string> names{"push", "pull"};
  for (const auto& push : settings.pushes)
    names.push_back(push.name);
  for (const auto& pull : settings.pulls)
    names.push_back(pull.name);
  for (const auto& push : settings.pushes)
    names.push_back("push." + push.name);
  for (const auto& pull : settings.pulls)
    names.push_back("pull." + pull.name);
  return names;
}

}  // namespace surveybridge::daemon
