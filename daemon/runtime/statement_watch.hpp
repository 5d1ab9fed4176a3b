// Which calls to the database are under way, whose and since when: a session that hangs is seen
// from outside of its thread. Thread-safe; outlives the connections that it watches.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "daemon/job/job.hpp"
#include "daemon/metrics/recorder.hpp"

namespace surveybridge::daemon {

// The verb and the table of a statement, no more: an operator's query may contain anything.
std::string first_words(const std::string& sql);

// Whose calls are those of this thread: a job's name.
void name_this_thread(const std::string& job);
const std::string& name_of_this_thread();  // empty: it has none

class StatementWatch {
 public:
  // The calls that have no SQL.
  static constexpr const char *kConnect = "connect", *kBegin = "BEGIN", *kCommit = "COMMIT",
                              *kRollback = "ROLLBACK", *kClock = "the clock";
  struct Call {
    std::string job;   // empty: a thread without a name
    std::string what;  // one of these, or the first words of the SQL
    Duration age;
    // The database has answered other calls since this one began: it is there, and this one waits
    // for a lock or takes long.
    bool others_answered = false;
  };

  // `clock` only moves forward. `recorder` is told of every call that has ended.
  explicit StatementWatch(std::function<Duration()> clock, Recorder& recorder = no_recorder())
      : clock_(std::move(clock)), recorder_(recorder) {}
  StatementWatch(const StatementWatch&) = delete;
  StatementWatch& operator=(const StatementWatch&) = delete;

  // Calls that have been under way for longer than this, the oldest of each job last. Before them,
  // calls that waited and failed for longer than this, again and again, until they succeed or are
  // not repeated for a minute: a lock that outlasts a time-out is seen between two tries, too.
  std::vector<Call> older_than(Duration age) const;
  // These, and calls that failed in the last minute and have not succeeded since; their age is the
  // time since the first of them in a row began. Only calls that read nothing: connecting, BEGIN
  // and the clock. Jobs share sessions: where one could not connect, a call of any job to the same
  // database that succeeds is an answer.
  std::vector<Call> unanswered(Duration age) const;
  // How many calls of this job the database has answered without an error.
  std::uint64_t answered(const std::string& job) const;
  Recorder& recorder() { return recorder_; }

  // A call that is under way.
  struct Begun {
    std::string database, job, what;
    Duration at;
  };
  // A call, from construction to destruction. `database`: which one it is, where jobs have several.
  class UnderWay {
   public:
    UnderWay(StatementWatch& watch, const std::string& database, std::string what);
    ~UnderWay();
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

   private:
    StatementWatch& watch_;
    int exceptions_ = std::uncaught_exceptions();
    std::list<Begun>::iterator at_;
  };

 private:
  struct Failed {
    Duration begun, at;  // the first of a row, and the end of the last
    Duration lasted{};   // the last
  };
  struct Failure {
    std::string database, job, what;
    bool operator<(const Failure& other) const {
      return std::tie(database, job, what) < std::tie(other.database, other.job, other.what);
    }
  };
  void ended(const Begun& begun, bool failed);
  bool has_answered_since(const std::string& database, Duration begun) const;
  bool is_repeated(const Failure& call, const Failed& failed) const;

  std::function<Duration()> clock_;
  Recorder& recorder_;
  mutable std::mutex mutex_;
  std::list<Begun> calls_;
  std::map<std::string, Duration> last_answer_;    // by database
  std::map<Failure, Failed> failed_;               // calls that read nothing
  std::map<Failure, Failed> timed_out_;            // the others
  std::map<std::string, std::uint64_t> answered_;  // by job
};

}  // namespace surveybridge::daemon
