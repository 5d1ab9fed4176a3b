// Enumerations are numbers in JSON and names in XML: within an hour the tables have both.
#include <algorithm>

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class Enumerations : public in_process::Shop, public testing::WithParamInterface<std::string> {
 protected:
  explicit Enumerations(sandbox::Options options = lively()) : Shop(std::move(options)) {
    if (GetParam() == "xml") settings_.service.format = config::Service::Format::xml;
    for (int i = 0; i < 60; ++i)
      order(std::to_string(i));
  }
  static sandbox::Options lively() {
    sandbox::Options options = still();
    options.lives_speed = 1;
    return options;
  }
  // Sends orders, moves the clock by a season, and pulls the results.
  void live() {
    settings_.pushes.at(0).batch.approve_automatically = true;
    sync();
    clock_.now += 24h * 90;
    sync();
  }
  std::int64_t count(const std::string& condition) {
    const auto found = crm_->query({"SELECT COUNT(*) FROM survey_customer WHERE " + condition, {}});
    return std::get<std::int64_t>(found.rows.front().front());
  }
};

TEST_P(Enumerations, AreStoredAsNumberAndNameOnceBothWereSeen) {
  live();
  EXPECT_GT(count("form_status IS NOT NULL OR form_status_name IS NOT NULL"), 0);
  sync();  // learns the pairs
  sync();  // and uses them
  EXPECT_EQ(count("form_status IS NULL OR form_status_name IS NULL"), 0);
  EXPECT_EQ(count("(review_status IS NULL) <> (review_status_name IS NULL)"), 0);
  EXPECT_GT(count("form_status = 0 AND form_status_name = 'None'"), 0);
  const auto changed = crm_->query({"SELECT MAX(changed_at) FROM survey_customer", {}}).rows;
  clock_.now += 1min;
  sync();
  EXPECT_EQ(crm_->query({"SELECT MAX(changed_at) FROM survey_customer", {}}).rows, changed)
      << "and nothing is written again for it";
}

// A daemon that runs: nobody waits for the hour in which names are asked for again.
TEST_P(Enumerations, AreAskedForAtOnceWhenAPageShowsANewValue) {
  settings_.pushes.at(0).batch.approve_automatically = true;
  in_process::Instance daemon(settings_, outside_, seed_);
  daemon.run_until(clock_.now + 2h);
  const auto unnamed = [&] {
    return count("form_status IS NULL OR form_status_name IS NULL") +
           count("(review_status IS NULL) <> (review_status_name IS NULL)");
  };
  EXPECT_EQ(count("id > 0"), 60);
  EXPECT_EQ(unnamed(), 0) << "of the first start";
  std::int64_t values = 0, most = 0;
  for (int minute = 0; minute < 60 * 24 * 2; minute += 10) {  // the customers answer
    daemon.run_until(clock_.now + 10min);
    most = std::max(most, unnamed());
    values = count("form_status > 0");
  }
  EXPECT_GT(values, 0);
  EXPECT_EQ(most, 0) << "values had no name for minutes";
}

// A customer changes before it can be asked: its value is shown by nobody.
TEST_P(Enumerations, AreNotAskedForAgainAndAgainWhereNobodyShowsThem) {
  in_process::Instance daemon(settings_, outside_, seed_);
  daemon.run_until(clock_.now + 2h);
  sql("INSERT INTO survey_enumeration VALUES ('CustomerFormStatus', '77', 77, NULL, 0)");
  int asked = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    asked += request.url.find("CustomerIds") != std::string::npos ? 1 : 0;
    return send();
  };
  in_process::Instance another(settings_, outside_, seed_ + 1);
  another.run_until(clock_.now + 50min);
  EXPECT_EQ(asked, 0);
}

class Nameless : public Enumerations {
 protected:
  Nameless() : Enumerations(names_alone()) {}
  static sandbox::Options names_alone() {
    sandbox::Options options = lively();
    options.style.enumerations = sandbox::WritingStyle::Enumerations::name;
    return options;
  }
};

TEST_P(Nameless, AreKeptAsTheyCameWhereTheServiceSaysNoMore) {
  live();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(count("form_status IS NOT NULL"), 0);
  EXPECT_EQ(count("form_status_name IS NULL"), 0);
}

TEST_P(Enumerations, CostNothingWhereTheOtherFormatBreaksTheService) {
  const std::string ours = "application/" + GetParam();
  int broken = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    const auto accept = std::ranges::find(request.headers, "Accept", &service::Header::first);
    if (accept == request.headers.end() || accept->second == ours) return send();
    ++broken;
    return service::Exchange{service::Response{500, {}, ""}};
  };
  live();
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_GT(broken, 0);
}

INSTANTIATE_TEST_SUITE_P(In, Enumerations, testing::Values("json", "xml"),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(In, Nameless, testing::Values("json", "xml"),
                         [](const auto& one) { return one.param; });

}  // namespace
