// The progress of long work on standard error: on a terminal a line that is rewritten, elsewhere a
// line of the log from the tenth second on, in ten seconds at most one, and fewer the longer it
// takes.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "daemon/job/job.hpp"
#include "daemon/job/log.hpp"
#include "daemon/runtime/sync.hpp"

namespace surveybridge::daemon {

// A job that is watched: its state at the beginning of the watch, and now.
struct Course {
  std::string job;
  JobStatus begun, now;
  Duration elapsed{0};
  Duration moved{0};  // the elapsed time at the last change of the share
};

// At the present speed. Empty: the amount of work is unknown, nothing has changed, it is too early,
// or nothing has changed for too long, so that the rest is of another kind.
std::optional<std::chrono::seconds> time_left(const Course& course);

// "push.orders  [####------]  12 s left  1200 rows  340/s  why it waits", with a bar if the amount
// of work is known. At most `columns` characters.
std::string progress_line(const Course& course, bool bar, std::size_t columns);

// Where a line is rewritten, and a clock that only moves forward.
struct Screen {
  std::ostream& out;
  std::function<std::size_t()> columns;  // that a line may have; empty: it is no terminal
  std::function<Duration()> uptime;
};
// Standard error.
Screen error_screen();

class Progress {
 public:
  // `log` outlives it.
  explicit Progress(Log& log, Screen screen = error_screen());
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // The same log, for any thread: its lines do not run through the one on the terminal.
  Log& log() { return beside_; }
  // About how much a job has to do in all, where it has done so much; 0: unknown. It is asked once,
  // when the job's first line is due.
  using Total = std::function<std::int64_t(std::int64_t done)>;
  void expect(const std::string& job, Total total) { totals_[job] = std::move(total); }
  // How a job stands. A job of another name begins where the one before it was shown last.
  void show(const std::string& job, const JobStatus& status);
  // `clock`, which also shows a job while it waits.
  SyncClock watched(SyncClock clock);
  // Clears the line, so that other text can be printed.
  void clear();

 private:
  class Beside final : public Log {
   public:
    explicit Beside(Progress& progress) : progress_(progress) {}
    void write(Level level, std::string_view text, const LogFields& fields) override;

   private:
    Progress& progress_;
  };

  Duration pause() const;
  void begin(const std::string& job, const JobStatus& status);
  void draw();
  void clear_line();

  Log& log_;
  Screen screen_;
  Beside beside_{*this};
  std::mutex mutex_;  // of the screen's line
  bool shown_ = false;
  std::map<std::string, Total> totals_;
  std::int64_t total_ = 0;  // of this job; 0: unknown
  Course course_;
  Duration started_, begun_, seen_, due_;  // all; this job; its last state; its next line
};

}  // namespace surveybridge::daemon
