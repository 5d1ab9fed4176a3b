// The whole daemon in a test: real jobs, real SQL on SQLite, the sandbox called in process, and a
// clock that the test turns. Any I/O can be made to fail, or the process to die, before or after it
// happens. Nothing here waits.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/service/transport.hpp"
#include "daemon/job/job.hpp"
#include "sandbox/service.hpp"

namespace in_process {

using surveybridge::daemon::TimePoint;

struct TurnedClock {
  TimePoint now;
  surveybridge::daemon::Duration database_step{0};  // by which the database's clock is ahead
};

// The process is gone. No std::exception, so that nothing in the daemon can catch it.
struct Died {};

// What is about to happen, or has just happened.
struct Moment {
  enum class Side { before, after } side;
  enum class What { query, write, commit, add, list } what;
};

// May throw Died, or a DatabaseError; called around every I/O.
using OnMoment = std::function<void(const Moment&)>;

// A database that tells its moments and has the test's clock.
std::unique_ptr<surveybridge::crm::Database> watched(
    std::unique_ptr<surveybridge::crm::Database> database, const TurnedClock& clock,
    OnMoment on_moment);

// What became of an exchange on the wire may be changed by a test: lost, cut, doubled.
using OnExchange = std::function<surveybridge::service::Exchange(
    const surveybridge::service::Request&,
    const std::function<surveybridge::service::Exchange()>& send)>;

// A transport whose other end is the sandbox. `ignores_may_start`: it sends, though the bridge says
// that it is too late.
std::unique_ptr<surveybridge::service::Transport> wired(sandbox::Service& service,
                                                        OnMoment on_moment,
                                                        OnExchange on_exchange = {},
                                                        bool ignores_may_start = false);

}  // namespace in_process
