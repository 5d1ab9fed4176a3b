// What the registry has counted, as Prometheus reads it.
#include "daemon/metrics/registry.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <prometheus/text_serializer.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const Registry& registry) {
  return prometheus::TextSerializer().Serialize(registry.collect());
}

TEST(Registries, AddUpWhatTheyAreTold) {
  Registry registry("1.2.3");
  registry.request({"add", "200", 300ms, 100, 10});
  registry.request({"add", "200", 3s, 100, 10});
  registry.request({"add", "429", 3s, 100, 0});
  registry.certificate(1'800'000'000);
  registry.waited("rate", 1500ms);
  registry.waited("rate", 1s);
  registry.page("customers", "LastActivityDate", 100);
  registry.page("customers", "LastActivityDate", 7);
  registry.database_call("push.orders", 20ms, false);
  registry.database_call("push.orders", 2s, true);
  registry.step("push.orders", 40ms, true);
  registry.step("pull.ratings", 40ms, false);
  const std::string text = text_of(registry);
  for (const char* line :
       {"surveybridge_build_info{version=\"1.2.3\"} 1\n",
        "surveybridge_requests_total{code=\"200\",operation=\"add\"} 2\n",
        "surveybridge_requests_total{code=\"429\",operation=\"add\"} 1\n",
        "surveybridge_request_duration_seconds_bucket{operation=\"add\",le=\"0.5\"} 1\n",
        "surveybridge_request_duration_seconds_bucket{operation=\"add\",le=\"+Inf\"} 3\n",
        "surveybridge_request_duration_seconds_sum{operation=\"add\"} 6.3\n",
        "surveybridge_sent_bytes_total{operation=\"add\"} 300\n",
        "surveybridge_received_bytes_total{operation=\"add\"} 20\n",
        "surveybridge_certificate_end_timestamp_seconds 1800000000\n",
        "surveybridge_wait_seconds_total{cause=\"rate\"} 2.5\n",
        "surveybridge_wait_seconds_total{cause=\"refused\"} 0\n",
        "surveybridge_pages_total{list=\"customers\",walk=\"LastActivityDate\"} 2\n",
        "surveybridge_records_total{list=\"customers\",walk=\"LastActivityDate\"} 107\n",
        "surveybridge_database_call_duration_seconds_count{bridge_job=\"push.orders\"} 2\n",
        "surveybridge_database_call_failures_total{bridge_job=\"push.orders\"} 1\n",
        "surveybridge_step_duration_seconds_count{bridge_job=\"pull.ratings\"} 1\n",
        "surveybridge_job_last_success_timestamp_seconds{bridge_job=\"push.orders\"} "})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, Not(HasSubstr("last_success_timestamp_seconds{bridge_job=\"pull.ratings\"}")));
}

// A counter that appears with its first increase hides it.
TEST(Registries, BeginAtZeroAndGoOnAfterAReload) {
  Registry registry("1.2.3");
  config::Settings settings;
  settings.pushes.emplace_back().name = "orders";
  registry.expect(settings);
  EXPECT_THAT(text_of(registry),
              HasSubstr("surveybridge_rows_total{outcome=\"held\",push=\"orders\"} 0\n"));
  registry.rows("orders", "held", 2);
  registry.expect(settings);
  EXPECT_THAT(text_of(registry),
              HasSubstr("surveybridge_rows_total{outcome=\"held\",push=\"orders\"} 2\n"));
}

TEST(Registries, SayWhetherTheConfigurationThatWasReadLastIsInForce) {
  Registry registry("1.2.3");
  registry.configuration(true);
  const std::string time = "surveybridge_config_last_reload_success_timestamp_seconds 1";
  EXPECT_THAT(text_of(registry), HasSubstr("surveybridge_config_last_reload_successful 1\n"));
  EXPECT_THAT(text_of(registry), HasSubstr(time));
  registry.configuration(false);
  EXPECT_THAT(text_of(registry), HasSubstr("surveybridge_config_last_reload_successful 0\n"));
  EXPECT_THAT(text_of(registry), HasSubstr(time)) << "of the one that is in force";
}

TEST(Registries, TellOfTheProcess) {
  const std::string text = text_of(Registry("1.2.3"));
  for (const char* name :
       {"process_cpu_seconds_total ", "process_resident_memory_bytes ", "process_max_fds ",
        "process_virtual_memory_bytes ", "process_start_time_seconds ", "process_open_fds "})
    EXPECT_THAT(text, HasSubstr(name));
}

}  // namespace
