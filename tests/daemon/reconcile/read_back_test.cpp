// A read-back while database statements fail.
#include <algorithm>

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class ReadBack : public in_process::Shop {
 protected:
  ReadBack() {
    settings_.pulls.clear();
    settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
    settings_.pushes.at(0).settle = 10min;
    outside_.on_exchange = [this](const service::Request& request, const auto& send) {
      if (request.method != "POST" || !lost_) return send();
      return service::Exchange{service::Failure{service::Failure::Kind::unknown, "lost", 0}};
    };
    outside_.on_moment = [this](const in_process::Moment& moment) {
      const bool query = moment.what == in_process::Moment::What::query &&
                         moment.side == in_process::Moment::Side::before;
      if (query && --until_failure_ == 0)
        throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "busy");
    };
    order("known");
    sync();
  }
  // An order that did not arrive, and whose outcome is unknown.
  void lose(const std::string& id) {
    clock_.now += 20min;
    order(id);
    lost_ = true;
    sync();
    lost_ = false;
    ASSERT_EQ(state(id), State::in_doubt);
    clock_.now += 20min;
  }
  // Reads back while statement number `failing` fails. False: there are fewer statements.
  bool read_back(int failing) {
    in_process::Instance instance(settings_, outside_, ++seed_);
    auto& job = **std::ranges::find_if(
        instance.jobs(), [](const auto& guard) { return guard->name() == "reconcile.orders"; });
    until_failure_ = failing;
    // Two rounds: where the query that settles the first one fails, all of it is asked again.
    for (int step = 0; step < 16; ++step)
      clock_.now = std::max(clock_.now, job.step(clock_.now));
    return std::exchange(until_failure_, 0) <= 0;
  }

  bool lost_ = false;
  int until_failure_ = 0;
};

TEST_F(ReadBack, HoldsNobodyWhoMayGoAgainWhicheverQueryFails) {
  bool failed = true;
  for (int failing = 1; failed; ++failing) {
    const std::string id = std::to_string(failing);
    lose(id);
    failed = read_back(failing);
    ASSERT_EQ(state(id), State::pending)
        << "query " << failing << ": " << crm::Ledger(*crm_).find("orders", id)->reason;
    sync();
  }
}

}  // namespace
