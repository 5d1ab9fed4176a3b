// Answers to an add that say nothing about whether it was processed: what the service keeps is
// mailed once, and what it never got is not taken for sent.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class LyingAnswers : public in_process::Shop {
 protected:
  // The service keeps what it is sent and answers `lie`.
  void keep_and_answer(const service::Response& lie) {
    outside_.on_exchange = [this, lie](const service::Request& request, const auto& send) {
      if (request.method != "POST") return send();
      ++adds_;
      send();
      return service::Exchange{lie};
    };
  }
  // The service never sees an add; something on the way answers `lie`.
  void answer_instead(const service::Response& lie) {
    outside_.on_exchange = [this, lie](const service::Request& request, const auto& send) {
      if (request.method != "POST") return send();
      ++adds_;
      return service::Exchange{lie};
    };
  }
  void orders(int count) {
    for (int i = 1; i <= count; ++i)
      order(std::to_string(i));
  }
  // Rounds of `sync`, half an hour apart.
  void pass(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      sync();
      clock_.now += 30min;
    }
  }
  const service::Response sign_in_{200, {{"content-type", "text/html"}}, "<html>sign in</html>"};
  int adds_ = 0;
};

class KeptAndDenied : public LyingAnswers, public testing::WithParamInterface<service::Response> {};

TEST_P(KeptAndDenied, IsMailedOnce) {
  settings_.pulls.clear();  // a pull would find them before they go out again
  orders(5);
  keep_and_answer(GetParam());
  sync();
  EXPECT_EQ(service_.customers().size(), 5u);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'pending'"), 0);
  clock_.now += 30min;
  outside_.on_exchange = {};
  pass(4);
  EXPECT_EQ(service_.customers().size(), 5u) << "somebody was mailed twice";
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'sent'"), 5);
}

INSTANTIATE_TEST_SUITE_P(
    Answers, KeptAndDenied,
    testing::Values(service::Response{503, {{"retry-after", "30"}}, ""},
                    service::Response{503, {}, ""}, service::Response{404, {}, ""},
                    service::Response{302, {}, ""},
                    service::Response{200, {{"content-type", "text/html"}}, "<html>"}),
    [](const auto& row) {
      const bool waits = !row.param.header("retry-after").empty();
      return std::to_string(row.param.status) + (waits ? "AndAWait" : "");
    });

TEST_F(LyingAnswers, TheWaitThatA503AsksForIsKeptByEverybody) {
  orders(1);
  std::optional<daemon::TimePoint> answered, next;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (answered && !next) next = clock_.now;
    if (request.method != "POST" || answered) return send();
    send();
    answered = clock_.now;
    return service::Exchange{service::Response{503, {{"retry-after", "90"}}, ""}};
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 10min);
  ASSERT_TRUE(next);
  EXPECT_GE(*next - *answered, 90s);
  EXPECT_EQ(service_.customers().size(), 1u);
}

TEST_F(LyingAnswers, ASignInPageWith200LeavesNobodySent) {
  orders(5);
  answer_instead(sign_in_);
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'sent'"), 0);
  EXPECT_EQ(service_.customers().size(), 0u);
}

// A part of the batch was refused, and the answer says so behind a 200.
TEST_F(LyingAnswers, ARowThatIsRefusedInThe200IsNotSent) {
  orders(6);
  settings_.pulls.clear();
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    ++adds_;
    return service::Exchange{service::Response{200,
                                               {{"content-type", "application/json"}},
                                               R"({"success":false,"failed":6,"errors":["no"]})"}};
  };
  pass(4);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'sent'"), 0);
  EXPECT_LE(adds_, 6);
}

// The host behind the proxy is learned from what the service lists.
TEST_F(LyingAnswers, AnInnerLocationIsBelievedOnceTheServiceListsWhatWasSentWithIt) {
  orders(4);
  settings_.pushes.at(0).batch.size = 2;
  keep_and_answer({201, {{"location", "http://survey-be-07.internal:8080/batch/991"}}, ""});
  pass(4);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'sent'"), 4);
  const int doubts =
      static_cast<int>(number("SELECT COUNT(*) FROM survey_push_event WHERE state = 'in_doubt'"));
  EXPECT_GT(doubts, 0);
  for (int i = 5; i <= 8; ++i)
    order(std::to_string(i));
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'sent'"), 8);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push_event WHERE state = 'in_doubt'"), doubts);
  EXPECT_EQ(service_.customers().size(), 8u);
  keep_and_answer({201, {{"location", "http://elsewhere.test/batch/991"}}, ""});
  order("9");
  sync();
  EXPECT_GT(number("SELECT COUNT(*) FROM survey_push_event WHERE state = 'in_doubt'"), doubts)
      << "another host";
}

// A gateway that takes few bytes resets the connection, whatever comes.
TEST_F(LyingAnswers, BatchesWhoseConnectionIsResetShrink) {
  settings_.pulls.clear();
  orders(64);
  settings_.pushes.at(0).batch.size = 16;
  std::vector<std::size_t> sizes;
  outside_.on_exchange = [&](const service::Request& request,
                             const auto& send) -> service::Exchange {
    if (request.method != "POST") return send();
    std::size_t rows = 0;
    for (auto at = request.body.find("\"Email\""); at != std::string::npos;
         at = request.body.find("\"Email\"", at + 1))
      ++rows;
    sizes.push_back(rows);
    if (rows <= 3) return send();
    return service::Failure{service::Failure::Kind::unknown, "reset", 0};
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 5min);
  EXPECT_GE(service_.customers().size(), 64u - 16u - 16u - 8u - 4u);
  EXPECT_THAT(sizes, testing::Contains(2u));
}

// A gateway that answers every add by itself costs a row each time, not a batch.
TEST_F(LyingAnswers, OneRowAtATimeFindsOutWhetherTheServiceIsBack) {
  orders(50);
  settings_.pulls.clear();
  answer_instead(sign_in_);
  settings_.pushes.at(0).batch.size = 20;
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 30s);
  ASSERT_GE(adds_, 3);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push"), 20 + adds_ - 1);
  outside_.on_exchange = {};
  in_process::Instance again(settings_, outside_, ++seed_);
  again.run_until(clock_.now + 1min);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push"), 50);
}

}  // namespace
