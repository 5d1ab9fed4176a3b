// `surveybridge release` as a person uses it: show the number, confirm it, and the rows go out.
#include <nlohmann/json.hpp>

#include "tests/program/bridge_and_crm.hpp"

namespace program {
namespace {

class Release : public BridgeAndSqlite {
 protected:
  Release() {
    crm_.insert(orders(3));
    write(replaced(usual_, "brake = false", ""));
  }
};

TEST_F(Release, LetsAFirstRunGoOnceAPersonHasSaidHowMany) {
  const auto early = command({"release", "orders"});  // creates the tables
  EXPECT_EQ(early.status, 1);
  EXPECT_NE(early.out.find("orders: 3 transactions wait\nthis push has sent nothing yet: its first "
                           "run waits until they are let go\nthose that cannot be mailed, "),
            std::string::npos)
      << early.out;
  EXPECT_NE(early.out.find("surveybridge preview orders -c "), std::string::npos) << early.out;
  const auto before = command({"status"});
  EXPECT_EQ(before.status, 1) << before.err;
  EXPECT_NE(before.out.find(
                "brake holds             it has sent nothing yet, and the first run waits: see `"),
            std::string::npos)
      << before.out;
  const auto held = command({"sync", "push"});
  EXPECT_EQ(held.status, 1);
  EXPECT_NE(held.err.find("the first run: up to 3 transactions would go out"), std::string::npos);
  EXPECT_EQ(sandbox_.customers().size(), 0u);
  const auto tried = nlohmann::json::parse(command({"sync", "push", "--json"}).out);
  int held_jobs = 0;
  for (const auto& job : tried.at("jobs")) {
    if (job.at("job") != "push.orders") continue;
    ++held_jobs;
    EXPECT_EQ(job.at("gave_up"), true);
    EXPECT_NE(job.at("reason").dump().find("the first run: up to 3 transactions"),
              std::string::npos)
        << job;
  }
  EXPECT_EQ(held_jobs, 1);
  EXPECT_NE(command({"status"}).out.find("brake holds"), std::string::npos);

  const auto as_json = command({"release", "orders", "--json"});
  EXPECT_EQ(as_json.status, 1);
  const auto facts = nlohmann::json::parse(as_json.out);
  EXPECT_EQ(facts.at("push"), "orders");
  EXPECT_EQ(facts.at("waiting"), 3);
  EXPECT_TRUE(facts.at("reason").is_string()) << as_json.out;
  EXPECT_TRUE(facts.at("releases").empty()) << as_json.out;
  EXPECT_EQ(command({"release", "orders", "--json", "--confirm", "3"}).status, 2);
  const auto asked = command({"release", "orders"});
  EXPECT_EQ(asked.status, 1);
  EXPECT_NE(asked.out.find("orders: 3 transactions wait"), std::string::npos) << asked.out;
  EXPECT_NE(asked.out.find("--confirm 3"), std::string::npos);
  EXPECT_EQ(command({"release", "orders", "--confirm", "2"}).status, 1) << "fewer than wait";
  const auto unknown = command({"release", "oders", "--confirm", "3"});
  EXPECT_EQ(unknown.status, 2) << "no such push";
  EXPECT_NE(unknown.err.find(
                "there is no push \"oders\" in the configuration (did you mean \"orders\"?)"),
            std::string::npos)
      << unknown.err;
  EXPECT_EQ(command({"release", "orders", "--confirm", "-3"}).status, 2);
  const auto too_many = command({"release", "orders", "--confirm", "300"});
  EXPECT_EQ(too_many.status, 1);
  EXPECT_NE(too_many.err.find("orders: 3 wait and not 300: nothing was released. If 3 may go out:"
                              " `surveybridge release orders --confirm 3 -c " +
                              config_ + "`"),
            std::string::npos)
      << too_many.err;
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_release"), "0");
  EXPECT_EQ(command({"sync", "push"}).status, 1);

  const auto released = run(
      bridge_program({"release", "orders", "--confirm", "3", "-c", config_}, {"SUDO_USER=ann"}));
  EXPECT_EQ(released.status, 0) << released.err;
  EXPECT_NE(crm_.cell("SELECT decided_by FROM survey_release").find("(sudo by ann"),
            std::string::npos);
  const auto again = command({"release", "orders", "--confirm", "3"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.out.find("up to 3 of them are let go already: there is nothing to confirm\n"),
            std::string::npos)
      << again.out;
  EXPECT_EQ(command({"sync", "push"}).status, 0);
  EXPECT_EQ(sandbox_.customers().size(), 3u);
  const auto after = command({"release", "orders"});
  EXPECT_EQ(after.status, 0) << "nothing waits";
  EXPECT_NE(after.out.find(", up to 3, by "), std::string::npos) << after.out;
  crm_.insert(orders(1, 4));
  const auto free = command({"release", "orders", "--confirm", "1"});
  EXPECT_EQ(free.status, 0) << free.err;
  EXPECT_NE(free.out.find("the brake does not hold this push: nothing has to be let go"),
            std::string::npos)
      << free.out;
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_release"), "1");
}

TEST_F(Release, SaysAsPreviewDoesThatAChangedQueryOrZoneIsLookedAtFirst) {
  ASSERT_EQ(command({"release", "orders", "--confirm", "3"}).status, 0);
  ASSERT_EQ(command({"sync", "push"}).status, 0);
  crm_.insert(orders(1, 4));
  const std::string changed =
      "the query, its bounds, the time zone or the service were changed, and the brake checks the "
      "rows before they go out";
  const std::string waits = "orders: 1 transactions wait\n" + changed + "\n";
  const std::string held =
      "push.orders: nothing goes out yet: " + changed + ": see `surveybridge release orders -c ";
  EXPECT_EQ(command({"release", "orders"}).out.find(changed), std::string::npos);
  EXPECT_EQ(command({"preview"}).out.find(changed), std::string::npos);
  const std::string text = support::read_file(config_);
  for (const auto& other :
       {replaced(text, "SELECT * FROM orders", "SELECT *, 1 AS one FROM orders"),
        replaced(text, "time_zone  = \"Europe/Amsterdam\"", "time_zone  = \"Europe/Paris\"")}) {
    folder_.write("bridge.toml", other);
    const auto asked = command({"release", "orders"});
    EXPECT_EQ(asked.status, 1);
    EXPECT_NE(asked.out.find(waits), std::string::npos) << asked.out;
    const auto facts = nlohmann::json::parse(command({"release", "orders", "--json"}).out);
    EXPECT_EQ(facts.at("reason"), changed);
    EXPECT_EQ(facts.at("let_go"), 0);
    const auto shown = command({"preview"});
    EXPECT_NE(shown.out.find(held), std::string::npos) << shown.out;
  }
}

TEST_F(Release, EndsAHoldBehindWhichNothingWaits) {
  EXPECT_EQ(command({"sync", "push"}).status, 1);
  EXPECT_EQ(command({"release", "orders", "--confirm", "0"}).status, 1) << "three wait";
  crm_.execute("DELETE FROM orders");
  const auto asked = command({"release", "orders"});
  EXPECT_EQ(asked.status, 1);
  EXPECT_NE(asked.out.find("to end the hold: "), std::string::npos) << asked.out;
  EXPECT_NE(asked.out.find("--confirm 0"), std::string::npos) << asked.out;
  EXPECT_EQ(command({"release", "orders", "--confirm", "0"}).status, 0);
  EXPECT_EQ(command({"status"}).out.find("brake holds"), std::string::npos);
  EXPECT_EQ(command({"release", "orders"}).status, 0) << "there is nothing to let go";
}

TEST_F(Release, IsNotMadeImpossibleByRowsThatComeMeanwhile) {
  crm_.insert(orders(17, 4));
  EXPECT_EQ(command({"release", "orders"}).status, 1) << "20 wait";
  crm_.insert(orders(3, 21));
  EXPECT_EQ(command({"release", "orders", "--confirm", "20"}).status, 1) << "more than a tenth";
  EXPECT_EQ(command({"release", "orders", "--confirm", "21"}).status, 0);
  EXPECT_EQ(crm_.cell("SELECT rows FROM survey_release"), "21") << "what was confirmed, no more";
}

}  // namespace
}  // namespace program
