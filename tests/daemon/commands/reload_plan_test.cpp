// `plan`: what another configuration would change is what a daemon with it then does.
#include "daemon/commands/reload_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/values/dates.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using daemon::PushChanges;
using Keys = std::set<std::string>;

const std::vector<mapping::DataColumn> kPlannedColumns = {{1, "OrderNumber", "Order number"},
                                                          {2, "FirstName", "First name"}};

// What an edit of the configuration changes.
struct EditedShop {
  int grade = 3;       // at least
  int start_days = 8;  // before the tests begin
  int look_back_days = 6;
  double sample = 1;
  int most_of_grade = 0, most_in_an_hour = 0;  // 0: no limit
  bool brake = true, lists = false, names = false, skips = false, other_address = false,
       other_key = false;

  config::Settings settings() const {
    const auto start =
        std::chrono::sys_days{std::chrono::year{2026} / 11 / 10} - std::chrono::days{start_days};
    return in_process::settings_of(fmt::format(
        R"([push.orders]
brake = {}
every = "1m"
query = "SELECT id, 'A' || id AS code, email, other, grade, delivered_at FROM orders WHERE CAST(grade AS INTEGER) >= {}"
key = "{}"
when = "delivered_at"
start = {}
look_back = "{}d"
correlate = "OrderNumber"
sample = {:.1f}
{}{}[push.orders.customer]
Email = {{ column = "{}", required = {} }}
[push.orders.customer.Data]
OrderNumber = "{}"
{}
{})",
        brake, grade, key(), mapping::write_instant(start).substr(0, 10), look_back_days, sample,
        most_in_an_hour == 0 ? "" : fmt::format("max_per_hour = {}\n", most_in_an_hour), quota(),
        other_address ? "other" : "email", skips ? "\"skip\"" : "true", key(),
        names ? "FirstName = \"grade\"" : "",
        lists ? "[suppress]\nquery = \"SELECT email FROM blocked\"" : ""));
  }

 private:
  const char* key() const { return other_key ? "code" : "id"; }
  std::string quota() const {
    if (most_of_grade == 0) return "";
    return fmt::format("[push.orders.quota]\ncolumn = \"grade\"\nmost = {}\n", most_of_grade);
  }
};

class PlannedShop : public in_process::Shop {
 protected:
  PlannedShop() {
    sql("ALTER TABLE orders ADD COLUMN other TEXT");
    sql("CREATE TABLE blocked (email TEXT)");
    sql("INSERT INTO blocked VALUES ('nobody@example.test')");
  }
  void TestBody() override {}

  void order(int id, int grade, std::chrono::hours age, bool has_address = true) {
    const std::string address = fmt::format("p{}@example.test", id);
    crm_->execute(
        {"INSERT INTO orders (id, email, other, grade, delivered_at)"
         " VALUES (:p1, :p2, :p3, :p4, :p5)",
         {std::to_string(id), has_address ? address : std::string(), address, std::to_string(grade),
          mapping::write_instant(clock_.now - age - 30min)}});
  }
  std::vector<PushChanges> plan(const config::Settings& before, const config::Settings& after) {
    const auto environment = in_process::environment_of(outside_, 3);
    auto planned =
        daemon::plan_reload({before, environment}, {after, environment}, kPlannedColumns);
    return std::get<std::vector<PushChanges>>(std::move(planned));
  }
  // All that would go out by a configuration.
  Keys all(const config::Settings& settings) {
    config::Settings nothing = settings;
    nothing.pushes.clear();
    const auto newly = plan(nothing, settings).at(0).newly;
    return {newly.begin(), newly.end()};
  }
  void let_go() {
    const auto& push = settings_.pushes.at(0);
    const auto& zone = settings_.crm.time_zone;
    crm::Brakes(*crm_).release("orders", daemon::fingerprint_of(push, zone), 1000,
                               daemon::service_of(push, settings_), "",
                               daemon::query_text(push, {zone}));
  }
  std::string held() {
    const auto state = crm::Brakes(*crm_).load("orders");
    return state ? state->reason : "";
  }
  Keys sent() {
    Keys keys;
    for (const auto& row : crm::Ledger(*crm_).in_state("orders", crm::State::sent, "", 10'000))
      keys.insert(row.key);
    return keys;
  }
  // A first run is over, with these settings.
  void run_first(const config::Settings& settings) {
    settings_ = settings;
    sync();
    let_go();
    sync();
    clock_.now += 2h;
    sync();
  }
};

Keys without(Keys keys, const Keys& others) {
  for (const auto& key : others)
    keys.erase(key);
  return keys;
}

// A shop whose configuration is edited in a way that is drawn.
class DrawnEdit : public PlannedShop {
 public:
  explicit DrawnEdit(std::uint64_t seed) : random_(seed) {}

  void compare() {
    EditedShop edited;
    edited.brake = draw(2) == 0;
    fill(1, 40, 12);
    run_first(edited.settings());
    fill(41, 60, 12);
    make_some_pending();
    const config::Settings before = edited.settings();
    edit(edited);
    if (draw(2) == 0) edit(edited);
    const config::Settings after = edited.settings();
    const Keys old_ones = all(before), new_ones = all(after);
    const PushChanges planned = plan(before, after).at(0);
    expect_difference(planned, old_ones, new_ones, edited.names);
    expect_so_it_comes(planned, after, new_ones);
  }

 private:
  int draw(int below) { return static_cast<int>(random_.unit() * below); }

  void fill(int from, int to, int days) {
    for (int id = from; id <= to; ++id)
      order(id, draw(10), std::chrono::hours{draw(days * 24)}, draw(8) != 0);
    sql("INSERT INTO blocked SELECT email FROM orders WHERE email <> '' AND CAST(id AS INTEGER) "
        "% " +
        std::to_string(3 + draw(4)) + " = 0");
  }
  // As after a person's retry.
  void make_some_pending() {
    std::vector<crm::Ledger::SetAside> rows;
    std::vector<std::string> keys;
    for (int id = 41; id <= 60; id += 1 + draw(12)) {
      keys.push_back(std::to_string(id));
      rows.push_back({keys.back(), "by hand"});
    }
    crm::Ledger ledger(*crm_);
    ledger.set_aside("orders", crm::State::quarantined, rows);
    ledger.retry("orders", keys, "by hand");
  }
  void edit(EditedShop& edited) {
    switch (draw(11)) {
      case 0:
        edited.grade = draw(10);
        break;
      case 1:
        edited.start_days = 1 + draw(12);
        break;
      case 2:
        edited.look_back_days = 1 + draw(12);
        break;
      case 3:
        edited.sample = 0.5;
        break;
      case 4:
        edited.lists = true;
        break;
      case 5:
        edited.names = true;
        break;
      case 6:
        edited.skips = true;
        break;
      case 7:
        edited.most_of_grade = 1 + draw(6);
        break;
      case 8:
        edited.most_in_an_hour = 1 + draw(30);
        break;
      case 9:
        edited.other_key = true;
        break;
      default:
        edited.other_address = true;
    }
  }

  static void expect_difference(const PushChanges& planned, const Keys& old_ones,
                                const Keys& new_ones, bool names) {
    EXPECT_EQ(planned.goes, std::ssize(new_ones));
    EXPECT_TRUE(planned.whole);
    EXPECT_EQ(Keys(planned.newly.begin(), planned.newly.end()), without(new_ones, old_ones));
    Keys lost, changed;
    for (const auto& row : planned.no_longer)
      lost.insert(row.key);
    EXPECT_EQ(lost, without(old_ones, new_ones));
    for (const auto& [key, fields] : planned.changed) {
      changed.insert(key);
      EXPECT_THAT(fields, testing::ElementsAre("Data[FirstName]")) << key;
    }
    EXPECT_EQ(changed, names ? without(new_ones, without(new_ones, old_ones)) : Keys{});
  }

  void expect_so_it_comes(const PushChanges& planned, const config::Settings& after,
                          const Keys& new_ones) {
    const Keys before = sent();
    settings_ = after;
    sync();
    const std::string within_the_hour = "max_per_hour";
    if (planned.held.find(within_the_hour) != std::string::npos) {
      EXPECT_THAT(held(), testing::HasSubstr(within_the_hour));  // after the first batches
    } else {
      EXPECT_EQ(held(), planned.held);
    }
    if (!planned.held.empty()) {
      EXPECT_THAT(new_ones, testing::IsSupersetOf(without(sent(), before)));
      if (held() == planned.held) {
        EXPECT_EQ(sent(), before);
      }
      if (planned.goes == 0) return;
      let_go();
      sync();
    }
    EXPECT_EQ(without(sent(), before), new_ones);
  }

  daemon::Random random_;
};

// Of more: BRIDGE_PLAN_EDITS=1000.
TEST(PlanOfAReload, IsWhatADaemonThenDoesOnDrawnEdits) {
  const char* wanted = std::getenv("BRIDGE_PLAN_EDITS");
  const std::uint64_t edits = wanted == nullptr ? 40 : std::stoull(wanted);
  for (std::uint64_t seed = 1; seed <= edits; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    DrawnEdit(seed).compare();
    if (testing::Test::HasFailure()) return;
  }
}

class PlanOfOneShop : public PlannedShop {
 protected:
  PlanOfOneShop() {
    for (int id = 1; id <= 9; ++id)
      order(id, id, 3h);
  }
  EditedShop edited_;
};

TEST_F(PlanOfOneShop, SaysTheNumberAndTheOldestDateOfWhatTheBrakeWillHold) {
  run_first(edited_.settings());
  const auto before = edited_.settings();
  edited_.grade = 1;
  const auto planned = plan(before, edited_.settings()).at(0);
  EXPECT_THAT(planned.newly, testing::UnorderedElementsAre("1", "2"));
  EXPECT_THAT(planned.held, testing::HasSubstr("of 2 transactions that would go out 2 are from "
                                               "before the change, the oldest of 2026-11-09"));
}

TEST_F(PlanOfOneShop, SaysThatAnotherKeySendsOnceMore) {
  run_first(edited_.settings());
  const auto before = edited_.settings();
  EXPECT_EQ(plan(before, before).at(0).other_key, "");
  edited_.other_key = true;
  const auto planned = plan(before, edited_.settings()).at(0);
  EXPECT_EQ(planned.newly.size(), 7u);
  EXPECT_EQ(planned.other_key,
            "key was \"id\" and is \"code\": the ledger knows nothing by it, and what was sent goes"
            " out once more");
  EXPECT_THAT(planned.held, testing::StartsWith("the query was changed: " + planned.other_key +
                                                "; of 7 transactions that would go out 7 are"));
}

TEST_F(PlanOfOneShop, NamesWhyARowNoLongerGoes) {
  edited_.brake = false;
  const auto before = edited_.settings();
  sql("INSERT INTO blocked VALUES ('p4@example.test')");
  edited_.grade = 4;
  edited_.lists = true;
  const auto planned = plan(before, edited_.settings()).at(0);
  ASSERT_EQ(planned.no_longer.size(), 2u);
  EXPECT_EQ(planned.no_longer.at(0).key, "3");
  EXPECT_EQ(planned.no_longer.at(0).why, "the new query does not return it within its bounds");
  EXPECT_EQ(planned.no_longer.at(1).key, "4");
  EXPECT_EQ(planned.no_longer.at(1).why, "suppressed: named by [suppress] query");
}

TEST_F(PlanOfOneShop, SaysThatAWaitingRowIsFromBeforeTheNewStart) {
  edited_.brake = false;
  const auto before = edited_.settings();
  crm::make_schema(*crm_);
  crm::Ledger ledger(*crm_);
  ledger.set_aside("orders", crm::State::quarantined, {{"4", "by hand"}});
  ledger.retry("orders", {"4"}, "by hand");
  edited_.start_days = 0;
  const auto planned = plan(before, edited_.settings()).at(0);
  EXPECT_EQ(planned.goes, 0);
  const auto lost = std::ranges::find(planned.no_longer, "4", &PushChanges::Lost::key);
  ASSERT_NE(lost, planned.no_longer.end());
  EXPECT_EQ(lost->why, "suppressed: from before start: nothing older is sent");
}

TEST_F(PlanOfOneShop, CountsTheQuarantinedRowsBesideThoseThatTheNewMapLetsGo) {
  edited_.brake = false;
  sql("UPDATE orders SET email = 'nobody', other = 'p4@example.test' WHERE id = 4");
  sql("UPDATE orders SET email = 'nobody', other = 'nobody' WHERE id = 5");
  run_first(edited_.settings());
  const auto before = edited_.settings();
  EXPECT_EQ(plan(before, before).at(0).quarantined, 2);
  edited_.other_address = true;
  const auto planned = plan(before, edited_.settings()).at(0);
  EXPECT_THAT(planned.newly, testing::ElementsAre("4"));
  EXPECT_EQ(planned.quarantined, 2);
}

// The first look at 500 rows takes the whole quota of a grade.
TEST_F(PlanOfOneShop, CountsAQuotaOnceForAllRows) {
  crm::Transaction quickly(*crm_);
  for (int id = 11; id <= 610; ++id)
    order(id, 5, 3h);
  quickly.commit();
  auto settings = edited_.settings();
  auto& push = settings.pushes.at(0);
  push.quota = {"grade", 3, config::Push::Quota::Per::week};
  push.batch.size = 200;
  EXPECT_EQ(all(settings).size(), 9u) << "three of grade 5, and one of each other";
}

// The first batches still go out.
TEST_F(PlanOfOneShop, SaysThatTheBrakeWillHoldWithinTheHour) {
  edited_.brake = false;
  const auto before = edited_.settings();
  settings_ = before;
  settings_.pushes.at(0).max_per_hour = 5;
  settings_.pushes.at(0).batch.size = 2;
  EXPECT_EQ(plan(before, settings_).at(0).held,
            "0 went out within the hour and 7 more would pass max_per_hour (5)");
  sync();
  EXPECT_EQ(held(), "4 went out within the hour and 2 more would pass max_per_hour (5)");
}

// What the list of the new name listed before is not known.
TEST_F(PlanOfOneShop, SaysThatAHoldEndsWhereTheLostListHasAnotherName) {
  edited_.brake = false;
  edited_.lists = true;
  const auto before = edited_.settings();
  run_first(before);
  sql("DELETE FROM blocked");
  order(11, 5, 1h);
  sync();
  ASSERT_THAT(held(), testing::StartsWith("a list of [suppress] has lost its addresses: "));
  EXPECT_EQ(plan(before, before).at(0).held, held());
  auto after = before;
  after.suppress->lists.at(0).name = "others";
  const auto planned = plan(before, after).at(0);
  EXPECT_EQ(planned.held, "");
  EXPECT_EQ(planned.goes, 1);
  settings_ = after;
  sync();
  EXPECT_EQ(held(), "");
  EXPECT_TRUE(sent().contains("11"));
}

TEST_F(PlanOfOneShop, DoesNotSayThatTheQueryLacksWhatWasNotLookedAt) {
  auto before = edited_;
  before.grade = 5;
  const auto environment = in_process::environment_of(outside_, 3);
  const auto planned = daemon::plan_reload({before.settings(), environment},
                                           {edited_.settings(), environment}, kPlannedColumns, 3);
  const auto& found = std::get<std::vector<PushChanges>>(planned).at(0);
  EXPECT_FALSE(found.whole);
  ASSERT_EQ(found.no_longer.size(), 2u);
  EXPECT_EQ(found.no_longer.at(0).why, "it is not among the rows that were looked at");
}

TEST_F(PlanOfOneShop, WritesNothingBesideADaemonAndMakesNoTable) {
  const auto before = edited_.settings();
  edited_.grade = 1;
  plan(before, edited_.settings());
  EXPECT_EQ(number("SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'survey%'"), 0);
  run_first(before);
  int written = 0;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    using What = in_process::Moment::What;
    if (moment.what == What::write || moment.what == What::commit) ++written;
  };
  EXPECT_EQ(plan(before, edited_.settings()).at(0).newly.size(), 2u);
  EXPECT_EQ(written, 0);
}

// The daemon sends all rows when the new configuration is about to be asked.
TEST_F(PlanOfOneShop, TakesWhatTheDaemonSendsMeanwhileForNoDifference) {
  edited_.brake = false;
  settings_ = edited_.settings();
  const auto before = in_process::environment_of(outside_, 3);
  auto after = before;
  after.open_database = [&] {
    sync();
    return before.open_database();
  };
  const auto planned =
      daemon::plan_reload({settings_, before}, {settings_, after}, kPlannedColumns);
  ASSERT_EQ(mailed(), 7u);
  const auto& found = std::get<std::vector<PushChanges>>(planned).at(0);
  EXPECT_EQ(found.goes, 0);
  EXPECT_EQ(found.no_longer.size(), 0u);
}

TEST_F(PlanOfOneShop, KnowsPushesThatComeAndGo) {
  const auto with = edited_.settings();
  auto none = with;
  none.pushes.clear();
  EXPECT_EQ(plan(none, with).at(0).newly.size(), 7u);
  crm::make_schema(*crm_);
  crm::Ledger(*crm_).set_aside("orders", crm::State::quarantined, {{"q", "by hand"}});
  const auto gone = plan(with, none);
  EXPECT_EQ(gone.at(0).quarantined, 1);
  ASSERT_EQ(gone.at(0).no_longer.size(), 7u);
  EXPECT_EQ(gone.at(0).no_longer.at(0).why, "the new configuration has no such push");
}

}  // namespace
