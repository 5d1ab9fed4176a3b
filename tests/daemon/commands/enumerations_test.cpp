// Enumerations are numbers in JSON and names in XML: `check` proposes the lines of
// [service.enumerations], and with them the tables have both.
#include <algorithm>
#include <utility>

#include "daemon/commands/check_service.hpp"
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
  // Sends orders, and moves the clock by a season.
  void live() {
    settings_.pushes.at(0).batch.approve_automatically = true;
    const auto pulls = std::exchange(settings_.pulls, {});
    sync();
    settings_.pulls = pulls;
    clock_.now += 24h * 90;
  }
  std::vector<std::string> proposed() {
    const auto credentials = std::get<0>(service::Credentials::make(settings_.service.auth));
    const auto transport = in_process::wired(service_, {}, outside_.on_exchange);
    service::Api api(settings_.service, *transport, *credentials);
    return daemon::proposed_names(api, settings_, settings_.pulls.at(0), clock_.now);
  }
  std::int64_t count(const std::string& condition) {
    return number("SELECT COUNT(*) FROM survey_customer WHERE " + condition);
  }
};

// The settings of these lines, as the file would have them.
config::EnumerationNames names_in_lines(const std::vector<std::string>& lines) {
  std::string text =
      "[service]\nbase_url = \"http://127.0.0.1:1\"\n[service.auth]\nkind = \"none\"\n"
      "[crm]\nconnection = \"sqlite3:///unused\"\n[service.enumerations]\n";
  for (const auto& line : lines)
    text += line + "\n";
  return in_process::settings_of(text).service.enumerations;
}

TEST_P(Enumerations, AreStoredAsNumberAndNameByTheLinesThatCheckProposes) {
  live();
  settings_.service.enumerations = names_in_lines(proposed());
  EXPECT_EQ(settings_.service.enumerations.at("FormStatus").at(0), "None");
  EXPECT_GT(settings_.service.enumerations.at("FormStatus").size(), 1u);
  EXPECT_TRUE(proposed().empty()) << "the file has them";
  sync();
  EXPECT_GT(count("form_status = 0 AND form_status_name = 'None'"), 0);
  EXPECT_EQ(count("form_status IS NULL OR form_status_name IS NULL"), 0);
  EXPECT_EQ(count("(review_status IS NULL) <> (review_status_name IS NULL)"), 0);
}

TEST_P(Enumerations, AreProposedWithTheNamesThatTheFileHas) {
  live();
  settings_.service.enumerations = {{"FormStatus", {{77, "Odd"}}}};
  EXPECT_EQ(names_in_lines(proposed()).at("FormStatus").at(77), "Odd");
}

TEST_P(Enumerations, AreStoredAsTheyCameWhereTheFileHasNoNames) {
  live();
  sync();
  const bool json = GetParam() == "json";
  EXPECT_EQ(count("form_status IS NULL") == 0, json);
  EXPECT_EQ(count("form_status_name IS NULL") == 0, !json);
  const auto changed = crm_->query({"SELECT MAX(changed_at) FROM survey_customer", {}}).rows;
  if (json) settings_.service.enumerations = names_in_lines(proposed());
  clock_.now += 1min;
  sync();
  EXPECT_EQ(crm_->query({"SELECT MAX(changed_at) FROM survey_customer", {}}).rows, changed)
      << "nothing is written again for a name";
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

TEST_P(Nameless, AreNotProposedWhereTheServiceSaysNoMore) {
  live();
  EXPECT_TRUE(proposed().empty());
}

TEST_P(Enumerations, AreNotProposedWhereTheServiceSpeaksOneFormat) {
  live();
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    const auto ours = service::Header{"Accept", "application/" + GetParam()};
    if (std::ranges::find(request.headers, ours) != request.headers.end()) return send();
    return service::Exchange{service::Response{500, {}, ""}};
  };
  EXPECT_TRUE(proposed().empty());
}

INSTANTIATE_TEST_SUITE_P(In, Enumerations, testing::Values("json", "xml"),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(In, Nameless, testing::Values("json", "xml"),
                         [](const auto& one) { return one.param; });

}  // namespace
