#include "tests/in_process/virtual_world.hpp"

#include <algorithm>
#include <type_traits>

#include "tests/support/forwarding_database.hpp"

namespace in_process {

namespace {

using namespace surveybridge;

using Side = Moment::Side;
using What = Moment::What;

class Watched final : public support::ForwardingDatabase {
 public:
  Watched(std::unique_ptr<crm::Database> database, const TurnedClock& clock, OnMoment on_moment)
      : ForwardingDatabase(std::move(database)), clock_(clock), on_moment_(std::move(on_moment)) {}

  crm::Result query(const crm::Statement& statement) override {
    return around(What::query, [&] { return inner().query(statement); });
  }
  std::int64_t execute(const crm::Statement& statement) override {
    return around(What::write, [&] { return inner().execute(statement); });
  }
  std::int64_t execute_each(const std::string& sql, const Rows& rows) override {
    return around(What::write, [&] { return inner().execute_each(sql, rows); });
  }
  void commit() override {
    around(What::commit, [&] {
      inner().commit();
      return 0;
    });
  }
  TimePoint now() override { return clock_.now + clock_.database_step; }

 private:
  template <typename Action>
  std::invoke_result_t<Action> around(What what, Action action) {
    if (on_moment_) on_moment_({Side::before, what});
    auto result = action();
    if (on_moment_) on_moment_({Side::after, what});
    return result;
  }

  const TurnedClock& clock_;
  OnMoment on_moment_;
};

service::Exchange exchange_of(const sandbox::Reply& reply) {
  using Delivery = sandbox::Reply::Delivery;
  using service::Failure;
  switch (reply.delivery) {
    case Delivery::reset:
      return Failure{Failure::Kind::unknown, "connection reset", 0};
    case Delivery::hang:
      return Failure{Failure::Kind::unknown, "no whole answer in time", 0};
    case Delivery::cut:
      return Failure{Failure::Kind::unknown, "the answer was cut off", reply.status};
    case Delivery::whole:
      break;
  }
  service::Response response{reply.status, {}, reply.body};
  for (auto [name, value] : reply.headers) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    response.headers.emplace_back(name, value);
  }
  return response;
}

class Wired final : public service::Transport {
 public:
  Wired(sandbox::Service& service, OnMoment on_moment, OnExchange on_exchange, bool ignores)
      : service_(service),
        on_moment_(std::move(on_moment)),
        on_exchange_(std::move(on_exchange)),
        ignores_may_start_(ignores) {}

  service::Exchange send(const service::Request& request) override {
    const What what = request.method == "POST" ? What::add : What::list;
    if (on_moment_) on_moment_({Side::before, what});
    // As libcurl asks it: when the first byte of the body is about to leave.
    const bool late = request.may_start && !request.may_start();
    if (late && !ignores_may_start_) {
      return service::Failure{service::Failure::Kind::stopped, "it was too late to send", 0};
    }
    // A copy, since a test may deliver it long after this call.
    const auto deliver = [&service = service_, wire = to_sandbox(request)] {
      return exchange_of(service.handle(wire));
    };
    auto exchange = on_exchange_ ? on_exchange_(request, deliver) : deliver();
    if (on_moment_) on_moment_({Side::after, what});
    return exchange;
  }

 private:
  static sandbox::Request to_sandbox(const service::Request& request) {
    const auto host = request.url.find("://") + 3;
    const auto path = request.url.find('/', host);
    return {request.method, request.url.substr(path), request.headers, request.body};
  }

  sandbox::Service& service_;
  OnMoment on_moment_;
  OnExchange on_exchange_;
  bool ignores_may_start_;
};

}  // namespace

std::unique_ptr<crm::Database> watched(std::unique_ptr<crm::Database> database,
                                       const TurnedClock& clock, OnMoment on_moment) {
  return std::make_unique<Watched>(std::move(database), clock, std::move(on_moment));
}

std::unique_ptr<service::Transport> wired(sandbox::Service& service, OnMoment on_moment,
                                          OnExchange on_exchange, bool ignores_may_start) {
  return std::make_unique<Wired>(service, std::move(on_moment), std::move(on_exchange),
                                 ignores_may_start);
}

}  // namespace in_process
