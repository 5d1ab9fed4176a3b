// A machine is paused with all its clocks after a claim and before the first byte, while another
// one goes on.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;
using in_process::Moment;

class PausedMachine : public in_process::Shop {
 protected:
  PausedMachine() {
    settings_.pulls.clear();
    settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
    order("1");
    sync();
    order("2");
  }
  // Before its next add this machine is paused, and none of its clocks goes on.
  void pause(std::function<void()> meanwhile) {
    outside_.on_moment = [this, meanwhile, paused = false](const Moment& moment) mutable {
      if (paused || moment.side != Moment::Side::before || moment.what != Moment::What::add) return;
      paused = true;
      const auto then = clock_.now;
      meanwhile();
      clock_.now = then;
    };
  }
};

TEST_F(PausedMachine, DoesNotSendWhatAnotherHasSent) {
  in_process::Outside elsewhere{connection_, service_, clock_};
  pause([&] {
    in_process::Instance other(settings_, elsewhere, 9);
    other.run_until(clock_.now + 12h);
    ASSERT_EQ(state("2"), State::sent);
    other.leave();
  });
  sync();
  EXPECT_EQ(service_.customers().size(), 2u);
}

// Its ledger was replaced by an older one meanwhile.
TEST_F(PausedMachine, DoesNotSendABatchThatTheLedgerDoesNotHave) {
  pause([&] {
    sql("DELETE FROM survey_batch WHERE id IN (SELECT batch FROM survey_push WHERE key = '2')");
    sql("DELETE FROM survey_push WHERE key = '2'");
  });
  sync();
  EXPECT_EQ(service_.customers().size(), 2u) << "it is sent once, with another batch";
}

}  // namespace
