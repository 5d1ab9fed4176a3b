#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <systemd/sd-daemon.h>

#include "connectors/service/curl_transport.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/job/json_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/metrics/registry.hpp"
#include "daemon/runtime/bridge.hpp"
#include "daemon/runtime/control_socket.hpp"
#include "daemon/runtime/instance_name.hpp"
#include "daemon/runtime/signals.hpp"
#include "daemon/runtime/version.hpp"
#include "daemon/status/job_state.hpp"
#include "daemon/status/report_route.hpp"
#include "daemon/status/server.hpp"
#include "daemon/status/watch.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kStatusEvery = std::chrono::seconds{10};
// While steps come to their end before a reload: how soon a stop is noticed.
constexpr Duration kLookAtThreads = std::chrono::milliseconds{200};

// The start does not wait for a database that does not answer: its jobs will.
std::optional<std::string> refused_tables_with_timeout(const Environment& environment) {
  constexpr std::chrono::seconds kLongest{5};
  const auto answer = std::make_shared<std::promise<std::optional<std::string>>>();
  auto refused = answer->get_future();
  service::start_curl();
  std::thread([answer, environment] { answer->set_value(refused_tables(environment)); }).detach();
  if (refused.wait_for(kLongest) != std::future_status::ready) return std::nullopt;
  return refused.get();
}

// Messages to systemd (sd_notify), which do nothing without it.
void notify_ready() {
  sd_notify(0, "READY=1");
}

// Until notify_ready().
void notify_reloading() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto microseconds = static_cast<std::int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
  sd_notify(0, ("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds)).c_str());
}

void notify_status(const std::string& text) {
  sd_notify(0, ("STATUS=" + one_line(text)).c_str());
}

// Twice as often as systemd expects a sign of life (WATCHDOG_USEC).
Duration watch_interval() {
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) <= 0) return kStatusEvery;
  return std::min<Duration>(std::chrono::microseconds{microseconds} / 2, kStatusEvery);
}

// The first configuration of the process begins with it; those of later reloads do not.
Duration process_start(const Environment& environment) {
  static const Duration started = environment.uptime();
  return started;
}

Environment told(Environment environment, Recorder& recorder) {
  environment.recorder = &recorder;
  return environment;
}

// A configuration at work: its jobs, and the page about them. An answer of the page keeps it. The
// page has its own sessions, which are not watched: they may hang, and outlive this.
class Running {
 public:
  // `registry` counts what the jobs do.
  Running(std::unique_ptr<CommandContext> command, Log& log, Registry& registry)
      : command_(std::move(command)),
        started_(process_start(command_->environment)),
        bridge_(settings(), told(command_->environment, registry), log, *command_->credentials,
                {.sessions = settings().crm.connections}),
        watch_(
            settings(), command_->looking, [this] { return state(); },
            [&registry] { return registry.collect(); }) {
    registry.expect(settings());
    if (settings().status && settings().status->report)
      report_.emplace(settings(), command_->environment.open_database,
                      crm_to_read(command_->looking));
  }

  const config::Settings& settings() const { return command_->settings; }
  Bridge& bridge() { return bridge_; }
  // Each job that has been in one step or one statement for too long, as a sentence.
  std::vector<std::string> stuck() const {
    std::vector<std::string> sentences;
    for (const auto& [job, why] : bridge_.stuck())
      sentences.push_back(job + ": " + why);
    return sentences;
  }
  // "push.orders: 3 rows; pull.ratings: HTTP 503"
  std::string summary() const {
    std::string text;
    for (const JobState& job : bridge_.states()) {
      const JobStatus& status = job.status;
      if (!text.empty()) text += "; ";
      text += job.name + ": ";
      text +=
          status.trouble.empty() ? std::to_string(status.done) + " " + status.unit : status.trouble;
    }
    return text;
  }
  // By the threads of the page's server, one for each lane (daemon/status/server.hpp).
  http::Reply answer(const http::Request& request) {
    if (auto refusal = command_->gate.refusal(request)) return *std::move(refusal);
    const bool for_report =
        request.target.substr(0, request.target.find('?')) == ReportRoute::kPath;
    return report_ && for_report ? report_->answer(request.target) : watch_.answer(request.target);
  }
  // A reload has refused the file as it is now: the page says so.
  void refused() { refused_ = true; }

 private:
  DaemonState state() const {
    auto jobs = bridge_.states();  // before stuck(), which names those that are
    std::error_code error;         // without a working folder the name stays as it was typed
    const auto file = std::filesystem::absolute(settings().file, error);
    return {.jobs = std::move(jobs),
            .stuck = fmt::format("{}", fmt::join(stuck(), "\n")),
            .version = kVersion,
            .host = host_name(),
            .uptime = command_->environment.uptime() - started_,
            .file = error ? settings().file : file.lexically_normal().string(),
            .refused = refused_,
            .zone = settings().crm.time_zone,
            .report = report_ ? std::string(ReportRoute::kPath) : ""};
  }

  std::unique_ptr<CommandContext> command_;
  std::atomic<bool> refused_ = false;
  Duration started_;  // the process, by the uptime
  Bridge bridge_;
  StatusWatch watch_;
  std::optional<ReportRoute> report_;  // [status] report
};

// The status page over whichever configuration is at work.
class Page {
 public:
  void show(std::shared_ptr<Running> running) {
    const std::lock_guard lock(mutex_);
    running_ = std::move(running);
  }
  std::shared_ptr<Running> shown() {
    const std::lock_guard lock(mutex_);
    return running_;
  }
  // Throws std::runtime_error if it cannot listen; then everything is as it was.
  void listen_as(const std::optional<config::StatusPage>& page) {
    if (!page) {
      server_.reset();
    } else if (!server_ || page->listen.host != listen_.host || page->listen.port != listen_.port) {
      server_ = serve_status(page->listen,
                             [this](const http::Request& request) { return answer(request); });
      listen_ = page->listen;
    }
  }
  std::optional<int> port() const {
    return server_ ? std::optional<int>(server_->port()) : std::nullopt;
  }

 private:
  http::Reply answer(const http::Request& request) {
    const auto running = shown();
    return running ? running->answer(request) : http::text_reply(503, "starts");
  }

  std::mutex mutex_;
  std::shared_ptr<Running> running_;
  config::Listen listen_;
  std::unique_ptr<http::Server> server_;  // ends first: its threads ask for what is shown
};

class Daemon {
 public:
  explicit Daemon(const Invocation& invocation)
      : invocation_(invocation), log_(open_log(invocation.log_format)) {}

  ExitCode run() {
    if (const ExitCode code = start(); code != kDone) return code;
    open_control();
    while (!stopping_) {
      switch (signals_.told(watch_interval())) {
        case Signals::Told::stop:
          stopping_ = true;
          break;
        case Signals::Told::reload:
          reload();
          break;
        case Signals::Told::nothing:
          look();
      }
    }
    return stop();
  }

 private:
  ExitCode start() {
    auto command = open_command_context(invocation_, &ended_, Uses::everything, log_.get());
    if (!command) return kConfiguration;
    if (const auto refused = refused_tables_with_timeout(command->environment)) {
      log_->error(*refused, {.event = &kRefusedConfiguration});
      return kConfiguration;
    }
    auto running = std::make_shared<Running>(std::move(command), *log_, registry_);
    try {
      page_.listen_as(running->settings().status);
    } catch (const std::runtime_error& error) {
      log_->error(error.what());
      return kUnreachable;  // another process has the port: it may end
    }
    begin(std::move(running));
    return kDone;
  }
  // The new configuration is whole and its page listens before the first job of the old one stops.
  void reload() {
    notify_reloading();
    auto made = make_command_context(invocation_.config, &ended_, Uses::everything);
    if (const auto* problems = std::get_if<ContextProblems>(&made)) return refuse(*problems);
    auto next = std::make_shared<Running>(
        std::get<std::unique_ptr<CommandContext>>(std::move(made)), *log_, registry_);
    try {
      page_.listen_as(next->settings().status);
    } catch (const std::runtime_error& error) {
      return refuse({error.what()});
    }
    if (!finish_steps()) return;
    log_->info("the configuration was read anew");
    begin(std::move(next));
  }
  void refuse(const ContextProblems& problems) {
    registry_.configuration(false);
    running_->refused();
    for (const auto& problem : problems)
      log_->error(problem, {.event = &kRefusedConfiguration});
    log_->error("the old configuration stays in force: the new one has " +
                counted(std::ssize(problems), "problem"));
    notify_ready();
  }
  // Each job ends the step that it is in: no request is cut off, and what was claimed is settled.
  // False: the process is to stop instead.
  bool finish_steps() {
    running_->bridge().stop();
    while (!running_->bridge().join_within(kLookAtThreads)) {
      look();
      if (signals_.told({}) == Signals::Told::stop) stopping_ = true;
      if (stopping_) return false;
    }
    return true;
  }
  ExitCode stop() {
    sd_notify(0, "STOPPING=1");
    log_->info("stopping");
    ended_ = true;
    running_->bridge().stop();
    if (!running_->bridge().join_within(kStopsWithin)) {
      // A database that does not answer must not delay a stop; a killed statement loses nothing.
      log_->error(
          "the database does not answer: stopped without it. What is claimed is looked up at the "
          "next start");
      std::_Exit(kUnreachable);
    }
    log_->info("stopped", {.event = &kStopped});
    return kDone;
  }
  // Without it the daemon does its work, and `now` does not reach it.
  void open_control() {
    try {
      control_ = std::make_unique<ControlSocket>(
          invocation_.config, [this](const std::string& line) { return obey(line); });
    } catch (const std::runtime_error& error) {
      log_->warn("`" + with_file("surveybridge now", invocation_.config) +
                 "` does not reach this daemon: " + error.what());
    }
  }
  // In the thread of the control socket.
  std::string obey(const std::string& line) {
    const std::string verb = "now ";
    const auto running = page_.shown();
    if (running && line == "stuck") {
      const auto stuck = running->stuck();
      return stuck.empty() ? "ok" : stuck.front();
    }
    if (running && line == "jobs") return write_job_states(running->bridge().states());
    if (!line.starts_with(verb) || !running) return "not understood";
    const std::string name = line.substr(verb.size());
    const auto woken = running->bridge().wake(name);
    if (woken.empty())
      return "there is no job \"" + name + "\"" + did_you_mean(name, names_of(running->settings()));
    const std::string jobs = counted(static_cast<std::int64_t>(woken.size()), "job");
    log_->info("told " + jobs + " to go on now");
    std::string until;
    if (const auto asked = running->bridge().asked_to_wait_until())
      until = mapping::write_instant(std::chrono::ceil<std::chrono::seconds>(*asked));
    return "ok " + json_text({{"jobs", woken.size()}, {"waits_until", or_null(until)}});
  }
  void begin(std::shared_ptr<Running> running) {
    running_ = std::move(running);
    registry_.configuration(true);
    running_->bridge().start();
    page_.show(running_);
    notify_ready();
    if (const auto port = page_.port()) log_->info("status page on port " + std::to_string(*port));
    log_->info("started with " + std::to_string(running_->bridge().jobs().size()) + " jobs",
               {.event = &kStarted});
  }
  // Looks at the jobs; tells systemd, and the log which of them is stuck.
  void look() {
    if (running_->bridge().alive()) sd_notify(0, "WATCHDOG=1");
    notify_status(running_->summary());
    const auto stuck = running_->bridge().stuck();
    for (const auto& [job, why] : stuck)
      if (stuck_.insert(job).second) log_->error(why, {.job = job, .event = &kStuck});
    if (!stuck_.empty() && stuck.empty()) {
      log_->info("every job goes on");
      stuck_.clear();
    }
  }

  const Invocation& invocation_;
  Signals signals_{Signals::For::daemon};
  std::atomic<bool> ended_{false};  // ends requests at once
  bool stopping_ = false;           // told so while steps came to their end
  std::unique_ptr<Log> log_;
  Registry registry_{kVersion};  // of the whole process, also after a reload
  std::set<std::string> stuck_;  // jobs that the log has named since the last time all went on
  std::shared_ptr<Running> running_;
  Page page_;
  std::unique_ptr<ControlSocket> control_;  // ends first: its thread asks the page what is shown
};

}  // namespace

ExitCode command_run(const Invocation& invocation) {
  return Daemon(invocation).run();
}

}  // namespace surveybridge::daemon
