// The service's clock beside this machine's, and what the log says of it.
#include <chrono>

#include <gmock/gmock.h>

#include "daemon/job/log.hpp"
#include "daemon/pace/transport.hpp"

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr TimePoint kAsked{std::chrono::sys_days{std::chrono::year{2026} / 11 / 22}};

TEST(ClockDifference, LeavesTheTimeOfTheRequestOut) {
  EXPECT_EQ(clock_difference(kAsked, kAsked + 900ms, kAsked + 20s), 0s) << "whole seconds";
  EXPECT_EQ(clock_difference(kAsked + 10s, kAsked, kAsked + 20s), 0s);
  EXPECT_EQ(clock_difference(kAsked + 30s, kAsked, kAsked + 20s), 10s);
  EXPECT_EQ(clock_difference(kAsked - 30s, kAsked, kAsked + 20s), -30s);
}

class ServiceClocks : public testing::Test, public Log {
 protected:
  void write(Level, std::string_view text, const LogFields& fields) override {
    lines_.push_back(line_of(text, fields));
  }

  std::vector<std::string> lines_;
  ServiceClock clock_{*this};
};

TEST_F(ServiceClocks, AreNamedOnceAsLongAsTheyDiffer) {
  clock_.heard(59s);
  clock_.heard(-59s);
  EXPECT_THAT(lines_, IsEmpty());
  clock_.heard(1h);
  clock_.heard(1h + 1s);
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("the service's clock is 3600 s ahead of this machine's:"
                                            " what happens there is read so much later")));
  clock_.heard(30s);
  EXPECT_THAT(lines_, SizeIs(1));
  clock_.heard(5s);
  clock_.heard(0s);
  ASSERT_THAT(lines_, SizeIs(2));
  EXPECT_THAT(lines_.back(), HasSubstr("agrees with this machine's again"));
  clock_.heard(-1h);
  ASSERT_THAT(lines_, SizeIs(3));
  EXPECT_THAT(lines_.back(), HasSubstr("3600 s behind this machine's: what happens there is read "
                                       "only if `overlap` is longer"));
}

// Answers with this date.
class Dated final : public service::Transport {
 public:
  explicit Dated(std::string date) : date_(std::move(date)) {}
  service::Exchange send(const service::Request&) override {
    return service::Response{200, {{"date", date_}}, ""};
  }

 private:
  std::string date_;
};

TEST_F(ServiceClocks, AreReadFromEachAnswerOfATransport) {
  config::Service settings;
  settings.base_url = "https://s.test";
  Pace pace(
      {}, [] { return Duration{}; }, 1);
  const ClockObserver observer{[] { return kAsked; },
                               [this](Duration ahead) { clock_.heard(ahead); }};
  const auto asks = [&](const std::string& date, const std::string& url = "https://s.test/list") {
    ObservedTransport(std::make_unique<Dated>(date),
                      {.service = settings, .pace = pace, .clock = &observer})
        .send({"GET", url, {}, ""});
  };
  asks("");
  asks("today");
  EXPECT_THAT(lines_, IsEmpty());
  const std::string text = "Sun, 22 Nov 2026 02:00:00 GMT";
  asks(text, "https://login.test/token");
  EXPECT_THAT(lines_, IsEmpty()) << "another server's";
  asks(text);
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("s ahead of this machine's")));
}

}  // namespace
}  // namespace surveybridge::daemon
