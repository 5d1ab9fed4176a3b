#include "daemon/commands/running_bridge.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "daemon/context/job_context.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/job/log_throttle.hpp"
#include "daemon/metrics/recorded_transport.hpp"
#include "daemon/runtime/instance_name.hpp"
#include "daemon/runtime/pooled_environment.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/runtime/version.hpp"
#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {

namespace {

// A statement that works ends sooner than after this part of its limit.
Duration longest_statement(const config::Crm& crm) {
  return Duration{crm.statement_timeout} * 2 / 3;
}

// A call that reads nothing and takes longer waits for the database, or for a lock.
constexpr Duration kShortCallMax = std::chrono::seconds{3};

Environment watched(Environment environment, const config::Service& service,
                    StatementWatch& statements, ServiceClock& clock, Recorder& recorder) {
  environment.open_database = statements.watched(std::move(environment.open_database));
  if (environment.open_crm) {
    environment.open_crm = [&statements, open = std::move(environment.open_crm)](CrmUse use) {
      return statements.watched([&] { return open(use); }, "CRM")();
    };
  }
  environment.open_transport =
      recorded(clock.watched(std::move(environment.open_transport), service.base_url), service,
               recorder, environment.uptime);
  environment.answered = [&statements](const std::string& job) { return statements.answered(job); };
  environment.recorder = &recorder;
  return environment;
}

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

std::string joined(const std::vector<std::string>& sentences) {
  return fmt::format("{}", fmt::join(sentences, "\n"));
}

// The first bridge of the process begins with it; those of later reloads do not.
Duration process_start(const Environment& environment) {
  static const Duration started = environment.uptime();
  return started;
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

// The status page has its own session, which is not watched: it may hang, and outlive this.
RunningBridge::RunningBridge(std::unique_ptr<CommandContext> command, Log& log, Registry& registry)
    : command_(std::move(command)),
      started_(process_start(command_->environment)),
      statements_(command_->environment.uptime, registry),
      service_clock_(log),
      bridge_(command_->settings,
              pooled(watched(command_->environment, command_->settings.service, statements_,
                             service_clock_, registry),
                     command_->settings.crm.connections, log),
              log, *command_->credentials, {}),
      scheduler_(bridge_.jobs(), system_now, registry),
      watch_(command_->settings, command_->environment,
             StatusWatch::Daemon{[this] { return states(); }, [this] { return joined(stuck()); },
                                 [this] { return about(); },
                                 [&registry] { return registry.collect(); }}),
      log_(log) {
  registry.expect(command_->settings);
  if (settings().status && settings().status->report)
    report_.emplace(settings(), command_->environment.open_database,
                    open_crm_to_look(command_->environment));
}

RunningBridge::~RunningBridge() = default;

void RunningBridge::start() {
  scheduler_.start();
  std::set<std::string> channels;
  for (const auto& push : settings().pushes)
    if (!push.notify.empty()) channels.insert(push.notify);
  if (channels.empty()) return;
  changes_ = std::make_unique<ChangeListener>(
      std::vector(channels.begin(), channels.end()), command_->environment.open_notifications,
      [this](const std::string& channel) { poll(channel); },
      LogThrottle(log_, "notify", command_->environment.uptime));
}

// In the thread of the listener.
void RunningBridge::poll(const std::string& channel) {
  scheduler_.poll([&](const std::string& job) {
    return std::ranges::any_of(settings().pushes, [&](const config::Push& push) {
      return push.notify == channel && job == "push." + push.name;
    });
  });
}

http::Reply RunningBridge::answer(const http::Request& request) {
  if (auto refusal = command_->gate.refusal(request)) return *std::move(refusal);
  const bool for_report = request.target.substr(0, request.target.find('?')) == ReportRoute::kPath;
  return report_ && for_report ? report_->answer(request.target) : watch_.answer(request.target);
}

AboutDaemon RunningBridge::about() const {
  return {kVersion, host_name(), command_->environment.uptime() - started_, settings().file,
          refused_};
}

bool RunningBridge::alive() const {
  return scheduler_.steps_within(2 * lease_duration(command_->settings));
}

std::map<std::string, std::string> RunningBridge::stuck_jobs() const {
  std::map<std::string, std::string> stuck;
  for (const auto& [job, age] : scheduler_.steps_beyond(lease_duration(command_->settings)))
    stuck[job] = fmt::format("has been in one step for {} s", seconds(age));
  for (const auto& call : statements_.older_than(longest_statement(settings().crm)))
    stuck[call.job] = unanswered_text(call);
  return stuck;
}

std::vector<std::string> RunningBridge::stuck() const {
  std::vector<std::string> sentences;
  for (const auto& [job, why] : stuck_jobs())
    sentences.push_back(job + ": " + why);
  return sentences;
}

// A job that waits for the database within a step has not said so yet, or no longer says it.
void RunningBridge::add_waits_for_database(std::vector<JobState>& states) const {
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
void RunningBridge::add_statements(std::vector<JobState>& states) const {
  for (const auto& call : statements_.older_than(kShortCallMax)) {
    const auto state = std::ranges::find(states, call.job, &JobState::name);
    if (state == states.end() || !state->step_for) continue;
    if (!state->status.trouble.starts_with(kUnanswered)) state->statement = unanswered_text(call);
  }
}

std::vector<JobState> RunningBridge::states() const {
  std::vector<JobState> states;
  const auto statuses = scheduler_.statuses();
  const auto waiting = scheduler_.waiting();
  const auto stuck = stuck_jobs();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    states.push_back(
        {bridge_.jobs()[i]->name(), statuses[i], waiting[i].trouble_for, waiting[i].next_in});
    states.back().step_for = waiting[i].step_for;
    const auto why = stuck.find(states.back().name);
    if (why == stuck.end()) continue;
    states.back().status.trouble = why->second;
    states.back().status.degraded = false;
    states.back().stuck = true;
  }
  add_waits_for_database(states);
  add_statements(states);
  tell_present_cause(states, bridge_.pace().known());
  return states;
}

std::vector<std::string> RunningBridge::wake(const std::string& name) {
  bridge_.pace().try_now();
  return scheduler_.wake([&](const std::string& job) {
    const auto dot = job.find('.');
    const std::string of = dot == std::string::npos ? "" : job.substr(dot + 1);
    return name == "all" || job == name || of == name || job.starts_with(name + ".") ||
           of.starts_with(name + ".");
  });
}

std::optional<TimePoint> RunningBridge::asked_to_wait_until() {
  const TimePoint until = bridge_.pace().held_until();
  return until > system_now() ? std::optional(until) : std::nullopt;
}

std::string RunningBridge::summary() const {
  std::string text;
  for (const auto& job : states()) {
    const JobStatus& status = job.status;
    if (!text.empty()) text += "; ";
    text += job.name + ": ";
    text +=
        status.trouble.empty() ? std::to_string(status.done) + " " + status.unit : status.trouble;
  }
  return text;
}

}  // namespace surveybridge::daemon
