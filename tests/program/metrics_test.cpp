// The metrics of a real daemon, with a real database that goes away and comes back.
#include <csignal>
#include <ctime>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/prometheus.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using testing::Ge;
using testing::Gt;
using testing::HasSubstr;
using testing::Not;

class MetricsOf : public testing::Test {
 protected:
  MetricsOf() { crm_.insert(orders(3)); }

  double now_at(const std::string& sample) {
    last_ = samples_in(metrics_at(port_));
    return value_of(last_, sample);
  }

  support::PostgresServer server_;
  Crm crm_{server_};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  int port_ = support::free_port();
  std::string config_ = folder_.write(
      "bridge.toml", configuration(crm_.connection(), sandbox_.url()) +
                         "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port_) + "\"\n");
  Samples last_;
};

constexpr const char* kSent = "surveybridge_rows_total{outcome=\"sent\",push=\"orders\"}";

void expect_clean(const std::string& metrics) {
  const auto checked = promtool({"check", "metrics"}, metrics);
  EXPECT_EQ(checked.status, 0) << checked.err << metrics;
  EXPECT_EQ(checked.out + checked.err, "") << metrics;
}

TEST_F(MetricsOf, ARunningDaemonCountWhatItDoes) {
  sandbox_.fault("before:503:rating:1");
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.until([&] { return now_at(kSent) == 3; })) << metrics_at(port_);
  const std::string failed = "surveybridge_requests_total{code=\"503\",operation=\"ratings\"}";
  const std::string walked =
      "surveybridge_pages_total{list=\"ratings\",walk=\"ReviewApprovedDate\"}";
  ASSERT_TRUE(daemon.until([&] {
    return now_at(failed) == 1 && value_of(last_, walked) >= 1 &&
           value_of(last_, "surveybridge_transactions{push=\"orders\",state=\"sent\"}") == 3;
  })) << metrics_at(port_);
  const std::string text = metrics_at(port_);
  expect_clean(text);
  const Samples samples = samples_in(text);
  const auto value = [&](const char* sample) { return value_of(samples, sample); };
  EXPECT_EQ(value("surveybridge_requests_total{code=\"200\",operation=\"add\"}"), 1) << text;
  EXPECT_EQ(value("surveybridge_request_duration_seconds_count{operation=\"add\"}"), 1);
  EXPECT_THAT(value("surveybridge_request_duration_seconds_sum{operation=\"add\"}"), Gt(0));
  EXPECT_THAT(value("surveybridge_sent_bytes_total{operation=\"add\"}"), Gt(300));
  EXPECT_THAT(value("surveybridge_received_bytes_total{operation=\"customers\"}"), Gt(10));
  EXPECT_EQ(value("surveybridge_rows_total{outcome=\"held\",push=\"orders\"}"), 0);
  EXPECT_THAT(value("surveybridge_wait_seconds_total{cause=\"refused\"}"), Ge(0));
  EXPECT_THAT(value("surveybridge_records_total{list=\"customers\",walk=\"LastActivityDate\"}"),
              Ge(0));
  EXPECT_THAT(
      value("surveybridge_database_call_duration_seconds_count{bridge_job=\"push.orders\"}"),
      Gt(3));
  EXPECT_EQ(value("surveybridge_database_call_failures_total{bridge_job=\"push.orders\"}"), 0);
  EXPECT_THAT(value("surveybridge_step_duration_seconds_count{bridge_job=\"push.orders\"}"), Gt(1));
  const auto now = static_cast<double>(std::time(nullptr));
  EXPECT_NEAR(value("surveybridge_job_last_success_timestamp_seconds{bridge_job=\"push.orders\"}"),
              now, 60);
  EXPECT_NEAR(value("process_start_time_seconds"), now, 120);
  EXPECT_THAT(value("process_resident_memory_bytes"), Gt(1e6));
  EXPECT_THAT(value("process_cpu_seconds_total"), Ge(0));
  EXPECT_THAT(value("process_open_fds"), Gt(5));
  EXPECT_EQ(value("surveybridge_send_window_open{push=\"orders\"}"), 1);
  std::string version = bridge({"--version"}).out;  // "surveybridge 1.2.3\n"
  version = version.substr(version.find(' ') + 1, version.find('\n') - version.find(' ') - 1);
  EXPECT_THAT(text, HasSubstr("surveybridge_build_info{version=\"" + version + "\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr(kDomain))) << "an address";
}

TEST_F(MetricsOf, ADaemonWithoutItsDatabaseStay) {
  Daemon daemon(config_);
  const std::string stored = "surveybridge_transactions{push=\"orders\",state=\"sent\"}";
  ASSERT_TRUE(daemon.until([&] { return now_at(stored) == 3; })) << metrics_at(port_);
  const Samples before = last_;
  server_.stop();
  const std::string failures =
      "surveybridge_database_call_failures_total{bridge_job=\"push.orders\"}";
  ASSERT_TRUE(daemon.until([&] {
    return now_at("surveybridge_database_up") == 0 && value_of(last_, failures) > 0 &&
           value_of(last_, "surveybridge_job_trouble{bridge_job=\"push.orders\"}") == 1;
  })) << metrics_at(port_);
  const std::string text = metrics_at(port_);
  expect_clean(text);
  const Samples samples = samples_in(text);
  EXPECT_EQ(value_of(samples, kSent), 3);
  EXPECT_EQ(value_of(samples, stored), 3) << "the last that was known";
  EXPECT_THAT(value_of(samples, "surveybridge_report_age_seconds"), Ge(0));
  for (const auto& [name, value] : before) {
    if (name.find("_total") == std::string::npos) continue;
    EXPECT_THAT(value_of(samples, name), Ge(value)) << name;
  }
  EXPECT_THAT(
      value_of(samples,
               "surveybridge_job_last_success_timestamp_seconds{bridge_job=\"push.orders\"}"),
      Gt(0));
  server_.start();
  EXPECT_TRUE(daemon.until([&] { return now_at("surveybridge_database_up") == 1; }));
}

TEST_F(MetricsOf, ADaemonThatRefusedItsFileSaySo) {
  Daemon daemon(config_);
  const std::string successful = "surveybridge_config_last_reload_successful";
  const std::string time = "surveybridge_config_last_reload_success_timestamp_seconds";
  ASSERT_TRUE(daemon.until([&] { return now_at(successful) == 1; }));
  const double began = value_of(last_, time);
  EXPECT_THAT(began, Gt(0));
  const std::string good = support::read_file(config_);
  folder_.write("bridge.toml", "[crm]\nconection = 1\n");
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.until([&] { return now_at(successful) == 0; }));
  EXPECT_EQ(value_of(last_, time), began);
  folder_.write("bridge.toml", good);
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.until([&] { return now_at(successful) == 1; }));
  EXPECT_THAT(value_of(last_, time), Ge(began));
}

TEST_F(MetricsOf, AReloadedDaemonGoOnWithoutThoseOfFormerJobs) {
  Daemon daemon(config_);
  const std::string success = "surveybridge_job_last_success_timestamp_seconds{bridge_job=\"";
  const std::string former = success + "pull.bouncers.TransactionDate\"}";
  const std::string pages = "surveybridge_pages_total{list=\"bouncers\",walk=\"TransactionDate\"}";
  ASSERT_TRUE(daemon.until([&] {
    return now_at(kSent) == 3 && value_of(last_, former) > 0 && value_of(last_, pages) > 0;
  }));
  folder_.write("bridge.toml", replaced(support::read_file(config_),
                                        "[pull.bouncers]\nevery     = \"1s\"\n"
                                        "look_back = \"3650d\"\n",
                                        ""));
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says("the configuration was read anew"));
  ASSERT_TRUE(daemon.until([&] { return now_at(former) == -1 && !last_.empty(); }));
  EXPECT_EQ(value_of(last_, kSent), 3);
  EXPECT_THAT(value_of(last_, success + "push.orders\"}"), Gt(0));
  EXPECT_THAT(value_of(last_, pages), Gt(0)) << "what was counted stays counted";
}

}  // namespace
}  // namespace program
