// 1,000 transactions of 700 people, of whom 40 opted out and 25 have a hard bounce: all others are
// mailed, once each.
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/daemon_state/list_reading.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/status/report.hpp"
#include "daemon/suppress/suppression_turn.hpp"
#include "mapping/values/dates.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

constexpr int kHistory = 1600, kOptedOut = 40, kBounced = 25, kPeople = 700, kTransactions = 1000;

class Suppress : public in_process::Shop {
 protected:
  Suppress() : Shop(lively()) {
    pull_and_suppress(kConfiguration);
    settings_.pushes.at(0).look_back = std::chrono::hours{24 * 30};
    settings_.pushes.at(0).batch.approve_automatically = true;
  }

  static sandbox::Options lively() {
    sandbox::Options options = still();
    options.lives_speed = 1;
    return options;
  }

  // [suppress] query
  void own_list(const std::string& query) { settings_.suppress->lists = {{"", {}, query, "", {}}}; }

  void order_of(int id, const std::string& person, const std::string& at) {
    crm_->execute({"INSERT INTO orders VALUES (:p1, :p2, '5', :p3)",
                   {std::to_string(id), person + "@example.test", at}});
  }

  // A push of a table that is like orders.
  void visits() {
    auto visits = settings_.pushes.at(0);
    visits.name = "visits";
    visits.query.replace(visits.query.find("orders"), 6, "visits");
    settings_.pushes.push_back(visits);
    sql("CREATE TABLE visits AS SELECT * FROM orders WHERE 1 = 0");
  }
  void order_and_visit_of(int id, const std::string& person) {
    order_of(id, person, "2026-11-09T12:00:00Z");
    sql(
        fmt::format("INSERT INTO visits SELECT '{}', 'v{}', grade, delivered_at FROM orders"
                    " WHERE id = '{}'",
                    100 + id, person + "@example.test", id));
  }

  // The service lists the person as opted out, and shows this text, or null, as the address.
  void opt_out(const std::string& person, const std::string& address) {
    change_answers([=](const service::Request&, service::Response& response) {
      auto& body = response.body;
      const auto at = body.find("\"" + person + "@example.test\"");
      if (at == std::string::npos) return;
      const auto out = body.find("\"OptedOut\":false", body.rfind("\"Id\":", at));
      EXPECT_NE(out, std::string::npos) << body;
      body.replace(out, 16, "\"OptedOut\":true");
      const auto where = body.find("\"" + person + "@");
      body.replace(where, body.find('"', where + 1) - where + 1,
                   address == "null" ? address : "\"" + address + "\"");
    });
  }

  // The answer to order 1 of ann is lost, and no search is answered. Then the push gets another
  // name, and ann has order 2.
  void rename_with_a_doubt() {
    settings_.suppress = config::Suppress{};
    settings_.suppress->contact = {{.days = 3, .then = config::Suppress::Contact::Then::delay}};
    outside_.on_exchange = [](const service::Request& request, const auto& send) {
      const bool searches = request.url.find("EmailAddresses") != std::string::npos ||
                            request.url.find("DataFilters") != std::string::npos;
      return searches ? service::Exchange{service::Response{503, {}, ""}}
                      : in_process::lose_answers(request, send);
    };
    order_of(1, "ann", "2026-11-09T12:00:00Z");
    in_process::Instance(settings_, outside_, 5).run_until(clock_.now + 2min);
    ASSERT_EQ(state("1"), State::in_doubt);
    outside_.on_exchange = {};
    settings_.pushes.at(0).name = "sales";
    clock_.now += 24h * 100;
    order_of(2, "ann", mapping::write_instant(clock_.now - 24h));
  }
  // A person lets the push go each time, which has another name for the first time.
  void expect_both_are_sent() {
    for (int i = 0; i < 5; ++i) {
      sync();
      release(10, "sales");
      clock_.now += 48h;
    }
    EXPECT_EQ(state("1"), State::sent);
    const auto entry = crm::Ledger(*crm_).find("sales", "2");
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->state, State::sent) << entry->reason;
    EXPECT_EQ(service_.customers().size(), 2u);
  }

  // A year ago everybody got an invitation; this is the result.
  void live_through_the_past() {
    const auto suppress = std::exchange(settings_.suppress, std::nullopt);
    for (int i = 0; i < kHistory; ++i)
      order_of(i, "person" + std::to_string(i), "2026-11-09T12:00:00Z");
    sync();
    clock_.now += 24h * 180;
    settings_.suppress = suppress;
    sql("DELETE FROM orders");
  }

  // `count` people with this status.
  std::vector<std::string> people(int status, int count) {
    std::vector<std::string> found;
    for (const auto& customer : service_.customers()) {
      const bool other = status == 0 && customer.status_code != kOut &&
                         customer.status_code != kHard && customer.status_code != kSoft;
      if (static_cast<int>(found.size()) < count && (customer.status_code == status || other))
        found.push_back(customer.email.substr(0, customer.email.find('@')));
    }
    EXPECT_EQ(static_cast<int>(found.size()), count) << status;
    return found;
  }

  std::map<std::string, int> mailed_after(std::int64_t id) {
    std::map<std::string, int> times;
    for (const auto& customer : service_.customers())
      if (customer.id > id) ++times[customer.email.substr(0, customer.email.find('@'))];
    return times;
  }

  std::int64_t rows(const std::string& condition) {
    const auto found = crm_->query({"SELECT COUNT(*) FROM survey_push WHERE " + condition, {}});
    return std::get<std::int64_t>(found.rows[0][0]);
  }

  static constexpr int kOut = 8, kHard = 9, kSoft = 10;
  static constexpr const char* kConfiguration = R"(
[pull.customers]
from = 2026-11-01
[pull.bouncers]
look_back = "3650d"
[suppress]
opted_out = true
bounced   = true
contact   = { days = 90 }
)";
};

TEST_F(Suppress, MailsExactlyThoseWhoMayBeMailed) {
  live_through_the_past();
  const auto out = people(kOut, kOptedOut);
  const auto hard = people(kHard, kBounced);
  const auto fine = people(0, kPeople - kOptedOut - kBounced);
  std::vector<std::string> all = out;
  all.insert(all.end(), hard.begin(), hard.end());
  all.insert(all.end(), fine.begin(), fine.end());
  const auto last = service_.customers().back().id;
  // The first 300 people have a second transaction, with another case of letters.
  for (int i = 0; i < kTransactions; ++i) {
    const auto& person = all.at(static_cast<std::size_t>(i % kPeople));
    order_of(10'000 + i, i < kPeople ? person : "P" + person.substr(1), "2027-05-08T12:00:00Z");
  }
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);

  const auto times = mailed_after(last);
  EXPECT_EQ(times.size(), fine.size());
  for (const auto& person : fine)
    EXPECT_EQ(times.count(person) ? times.at(person) : 0, 1) << person;
  const std::string ours = "key >= '10000' AND length(key) = 5 AND ";
  EXPECT_EQ(rows(ours + "state = 'sent'"), 635);
  EXPECT_EQ(rows(ours + "state = 'suppressed' AND reason = 'opted out'"), 80);
  EXPECT_EQ(rows(ours + "state = 'suppressed' AND reason LIKE '%bounced%'"), 50);
  EXPECT_EQ(rows(ours + "state = 'suppressed' AND reason LIKE 'invited on%'"), 235);
}

TEST_F(Suppress, MailsNobodyWhileTheFeedIsStale) {
  order("1");
  settings_.pulls.clear();  // as if the lists could not be read
  const auto synced = sync();
  EXPECT_EQ(synced.result.exit_code, daemon::kNeedsPerson);
  EXPECT_TRUE(service_.customers().empty());
  EXPECT_NE(synced.result.jobs.at(0).status.trouble.find("nobody knows whom not to mail"),
            std::string::npos);
}

// A first start reads the lists before anybody is mailed: that takes no minute and no person.
TEST_F(Suppress, SendsAsSoonAsTheListsHaveBeenReadForTheFirstTime) {
  order("1");
  int lists = 0;  // the first ones fail, so that the push comes before they are read
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "GET" || ++lists > 8) return send();
    return service::Exchange{service::Response{503, {}, "{}"}};
  };
  in_process::Instance daemon(settings_, outside_, 7);
  daemon.run_until(clock_.now + 20s);
  EXPECT_TRUE(daemon.log().has("has not been read to its end once yet"));
  EXPECT_EQ(service_.customers().size(), 1u);
  EXPECT_FALSE(daemon.log().has("within stale_after"));
}

TEST_F(Suppress, SendsADelayedTransactionWhenItsDaysAreOver) {
  settings_.suppress->contact.front().then = config::Suppress::Contact::Then::delay;
  settings_.suppress->contact.front().days = 3;
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  order_of(2, "ANN", "2026-11-09T13:00:00Z");
  sync();
  EXPECT_EQ(state("2"), State::pending);
  clock_.now += 24h * 2;
  sync();
  EXPECT_EQ(service_.customers().size(), 1u);
  clock_.now += 24h * 2;
  sync();
  EXPECT_EQ(service_.customers().size(), 2u);
  EXPECT_EQ(state("2"), State::sent);
}

// The mail leaves 45 days after the delivery.
TEST_F(Suppress, CountsAnInvitationThatIsYetToComeFromItsDay) {
  settings_.suppress->contact.front().days = 30;
  auto& customer = settings_.pushes.at(0).customer;
  const auto at_once = customer;
  customer = in_process::settings_of(R"(
[push.orders]
query = "SELECT id, email, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2026-11-01
customer = { Email = "email", SendDate = { column = "delivered_at", plus = "45d" } }
)")
                 .pushes.at(0)
                 .customer;
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  ASSERT_EQ(state("1"), State::sent);
  clock_.now += 1h;
  sync();
  clock_.now += 24h * 31;
  customer = at_once;
  order_of(2, "ann", mapping::write_instant(clock_.now - 1h));
  order_of(3, "bob", mapping::write_instant(clock_.now - 1h));
  sync();
  EXPECT_EQ(state("2"), State::suppressed);
  EXPECT_EQ(reason("2"), "invited on 2026-12-24: at most once in 30 days");
  EXPECT_EQ(state("3"), State::sent);
}

TEST_F(Suppress, CountsTwoOfOneBatchAsOnePersonWhateverTheBatchAllows) {
  settings_.pushes.at(0).batch.allow_duplicate_email = true;
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  order_of(2, "ANN", "2026-11-09T13:00:00Z");
  sync();
  EXPECT_EQ(service_.customers().size(), 1u);
  EXPECT_EQ(state("2"), State::suppressed);
}

TEST_F(Suppress, AsksTheOperatorsOwnList) {
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  sql("INSERT INTO do_not_mail VALUES ('ANN@example.test')");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  order_of(2, "bob", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(state("1"), State::suppressed);
  EXPECT_EQ(state("2"), State::sent);
}

// The push of the test is "orders".
TEST_F(Suppress, AsksTheNamedListsOfItsPush) {
  own_list("SELECT 'ann@example.test' AS address");
  auto& lists = settings_.suppress->lists;
  lists.push_back({"partners", {}, "SELECT 'Bob <BOB@example.test>' AS who", "who", {"orders"}});
  lists.push_back({"others", {}, "SELECT 'cleo@example.test' AS who", "", {"visits"}});
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  order_of(2, "bob", "2026-11-09T12:00:00Z");
  order_of(3, "cleo", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(reason("1"), "named by [suppress] query");
  EXPECT_EQ(reason("2"), "named by [suppress.lists.partners] query");
  EXPECT_EQ(state("3"), State::sent) << "that list is for another push";
  EXPECT_EQ(crm::last_list_readings(*crm_),
            (crm::ListReadings{{"suppress", {1, 0}}, {"suppress.lists.partners", {1, 0}}}));
  const auto known = [&] { return daemon::report(settings_, *crm_, *crm_).overview.own_lists; };
  EXPECT_EQ(known().size(), 2u);
  lists.erase(lists.begin() + 1);
  EXPECT_FALSE(known().contains("suppress.lists.partners")) << "it is not configured any more";
}

// A lease that ends too far ahead holds nothing.
TEST_F(Suppress, HasATurnThatHoldsHoweverManyListsThereAre) {
  crm::make_schema(*crm_);
  settings_.suppress->contact = {{.days = 3}};
  auto& lists = settings_.suppress->lists;
  for (int i = 0; i < 30; ++i)
    lists.push_back({"of_" + std::to_string(i), {}, "SELECT 1 AS who", "", {"visits"}});
  const auto take = [&](const char* owner) {
    return daemon::SuppressionTurn::take(*crm_, settings_, settings_.pushes.at(0), owner);
  };
  const auto until = take("one")->lease()->expires_at;
  EXPECT_LE(until, crm_->now() + 30s) << "lists of another push";
  for (auto& list : lists)
    list.pushes.clear();
  const auto turn = take("one");
  ASSERT_TRUE(turn);
  EXPECT_FALSE(take("another"));
}

TEST_F(Suppress, MailsNobodyOfAPushWhereOneOfItsListsCannotBeRead) {
  settings_.suppress->lists.push_back({"gone", {}, "SELECT address FROM nothing", "", {"orders"}});
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  EXPECT_NE(sync().result.exit_code, daemon::kDone);
  EXPECT_TRUE(service_.customers().empty());
  settings_.suppress->lists.back().pushes = {"visits"};
  sync();
  EXPECT_EQ(state("1"), State::sent);
}

TEST_F(Suppress, CountsWhatItCannotReadOfTheOperatorsList) {
  own_list("SELECT id, address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (id INTEGER, address TEXT)");
  sql("INSERT INTO do_not_mail VALUES (1, 'Ann <ANN@example.test>'), (2, 'nobody')");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(state("1"), State::suppressed);
  EXPECT_EQ(crm::last_list_readings(*crm_), (crm::ListReadings{{"suppress", {1, 1}}}));
  sql("DELETE FROM do_not_mail WHERE id = 2");
  order_of(2, "bob", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(crm::last_list_readings(*crm_), (crm::ListReadings{{"suppress", {1, 0}}}));
}

TEST_F(Suppress, MailsNobodyWhereTheOperatorsListNamesNoAddressAtAll) {
  own_list("SELECT id FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (id INTEGER, address TEXT)");
  sql("INSERT INTO do_not_mail VALUES (1, 'ann@example.test')");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  order_of(2, "bob", "2026-11-09T12:00:00Z");
  EXPECT_NE(sync().result.exit_code, daemon::kDone);
  EXPECT_TRUE(service_.customers().empty());
  own_list("SELECT id, address FROM do_not_mail");
  sync();
  EXPECT_EQ(state("1"), State::suppressed);
  EXPECT_EQ(state("2"), State::sent);
}

TEST_F(Suppress, HoldsThePushWhereTheOperatorsListWasEmptied) {
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(state("1"), State::sent) << "it was empty from the beginning";
  sql("INSERT INTO do_not_mail VALUES ('cleo@example.test'), ('dora@example.test')");
  order_of(2, "bob", "2026-11-09T12:00:00Z");
  sync();
  sql("ALTER TABLE do_not_mail RENAME TO kept");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  order_of(3, "cleo", "2026-11-09T12:00:00Z");
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson);
    EXPECT_EQ(
        crm::Brakes(*crm_).load("orders")->reason,
        "a list of [suppress] has lost its addresses: [suppress] query lists nobody, and listed 2"
        " addresses before");
    EXPECT_EQ(service_.customers().size(), 2u);
  }
  sql("INSERT INTO do_not_mail SELECT address FROM kept");
  sync();
  EXPECT_EQ(state("3"), State::suppressed) << "a list that is there again needs no release";
  sql("DELETE FROM do_not_mail");
  order_of(4, "emma", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(service_.customers().size(), 2u);
  release(1);
  sync();
  EXPECT_EQ(state("4"), State::sent);
  order_of(5, "fay", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(state("5"), State::sent) << "nobody is asked a second time";
}

// Another process stores the opt-out at one of the last moments before a claim. What it does waits
// for no session of the round.
TEST_F(Suppress, ClaimsNobodyWhoseOptOutIsStoredBeforeTheClaim) {
  const auto claimed = [&](int id) {
    const auto entry = crm::Ledger(*crm_).find("orders", std::to_string(id));
    return entry && entry->state != State::pending;
  };
  const auto sync_with = [&](int id, const in_process::OnMoment& on_moment) {
    order_of(id, "p" + std::to_string(id), "2026-11-09T12:00:00Z");
    outside_.on_moment = on_moment;
    sync();
    outside_.on_moment = {};
  };
  sync_with(1, {});
  sql("PRAGMA busy_timeout = 0");
  int before_claim = 0;
  sync_with(2, [&](const auto&) { before_claim += claimed(2) ? 0 : 1; });
  int noted = 0;
  for (int id = 3; id < 63; ++id) {
    int moments = 0;
    bool is_noted = false;
    sync_with(id, [&](const auto&) {
      if (++moments != before_claim + 3 - id || claimed(id)) return;
      const auto who = person("p" + std::to_string(id) + "@example.test");
      try {
        crm::People(*crm_).note({{who, crm::FactKind::opted_out, "7", clock_.now}});
        is_noted = true;
      } catch (const crm::DatabaseError&) {
        return;  // within a transaction of the round
      }
    });
    if (!is_noted) continue;
    ++noted;
    EXPECT_EQ(state(std::to_string(id)), State::suppressed);
  }
  EXPECT_GT(noted, 3);
}

// What a person let go before the list was lost is no word about that.
TEST_F(Suppress, HoldsThePushWhereTheOperatorsListWasEmptiedAfterARelease) {
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  sql("INSERT INTO do_not_mail VALUES ('cleo@example.test'), ('dora@example.test')");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  for (int again = 0; again < 2; ++again) {
    release(100);
    clock_.now += 1min;
    sql("DELETE FROM do_not_mail");
    order_of(2, "cleo", "2026-11-09T12:00:00Z");
    EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson);
    EXPECT_EQ(service_.customers().size(), 1u);
    // It is there again, and lost once more behind another release.
    sql("INSERT INTO do_not_mail VALUES ('cleo@example.test'), ('dora@example.test')");
    sync();
    EXPECT_EQ(state("2"), State::suppressed);
    sql("DELETE FROM survey_push WHERE key = '2'");
    sql("DELETE FROM orders WHERE id = '2'");
    clock_.now += 1min;
  }
  sql("DELETE FROM do_not_mail");
  order_of(3, "dora", "2026-11-09T12:00:00Z");
  sync();
  clock_.now += 1min;
  release(1);
  sync();
  EXPECT_EQ(state("3"), State::sent) << "a person knew";
}

// One process holds the push for it, and another one sees that the list is there again.
TEST_F(Suppress, HoldsThePushWhoseListWasEmptiedBeforeAReleaseAndAfterIt) {
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  sql("INSERT INTO do_not_mail VALUES ('cleo@example.test'), ('dora@example.test')");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  in_process::Instance daemon(settings_, outside_, 7);
  daemon.run_until(clock_.now + 5min);
  EXPECT_EQ(state("1"), State::sent);
  sql("ALTER TABLE do_not_mail RENAME TO kept");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  order_of(2, "cleo", "2026-11-09T12:00:00Z");
  EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson);
  sql("INSERT INTO do_not_mail SELECT address FROM kept");
  daemon.run_until(clock_.now + 5min);
  EXPECT_EQ(state("2"), State::suppressed);
  release(100);
  clock_.now += 1min;
  sql("DELETE FROM do_not_mail");
  order_of(3, "dora", "2026-11-09T12:00:00Z");
  EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson);
  EXPECT_EQ(service_.customers().size(), 1u);
}

TEST_F(Suppress, HoldsEachPushUntilItIsReleasedWhereTheirListWasEmptied) {
  visits();
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  sql("INSERT INTO do_not_mail VALUES ('cleo@example.test'), ('dora@example.test')");
  order_and_visit_of(1, "ann");
  sync();
  EXPECT_EQ(service_.customers().size(), 2u);
  sql("DELETE FROM do_not_mail");
  order_and_visit_of(2, "bob");
  sync();
  EXPECT_EQ(service_.customers().size(), 2u);
  clock_.now += 1min;
  release(1);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson);
    EXPECT_EQ(service_.customers().size(), 3u) << "nobody has released the other push";
    clock_.now += 1min;
  }
  release(1, "visits");
  sync();
  EXPECT_EQ(service_.customers().size(), 4u);
}

TEST_F(Suppress, TellsWhatTheListsHadAtTheirLastReadingWhicheverPushReadThem) {
  visits();
  own_list("SELECT id, address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (id INTEGER, address TEXT)");
  sql("INSERT INTO do_not_mail VALUES (1, 'cleo@example.test'), (2, 'nobody'),"
      " (3, 'dora@example.test')");
  order_and_visit_of(1, "ann");
  sync();
  EXPECT_EQ(crm::last_list_readings(*crm_), (crm::ListReadings{{"suppress", {2, 1}}}));
  sql("DELETE FROM do_not_mail WHERE id > 1");
  order_of(2, "bob", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(crm::last_list_readings(*crm_), (crm::ListReadings{{"suppress", {1, 0}}}))
      << "the other push has nothing to send";
}

// A person's word is for one push.
TEST_F(Suppress, HoldsEachPushWhereAnotherWasReleasedWithALostList) {
  visits();
  settings_.pushes.push_back(settings_.pushes.at(1));
  settings_.pushes.back().name = "later";
  settings_.pushes.back().query = "SELECT * FROM later";
  sql("CREATE TABLE later AS SELECT * FROM visits");
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail AS SELECT 'vcleo@example.test' AS address UNION SELECT"
      " 'dora@example.test'");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  ASSERT_EQ(mailed(), 1u);
  sql("DELETE FROM do_not_mail");
  order_and_visit_of(2, "cleo");
  sync();
  ASSERT_EQ(mailed(), 1u);
  clock_.now += 1min;
  release(1);
  sync();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_NE(crm::Brakes(*crm_).load("visits")->reason, "") << "it has read no other list";
  sql("INSERT INTO later SELECT * FROM visits");
  sync();
  EXPECT_NE(crm::Brakes(*crm_).load("later")->reason, "") << "it has sent nothing before";
  EXPECT_EQ(mailed(), 2u);
  sql("INSERT INTO do_not_mail VALUES ('vcleo@example.test'), ('dora@example.test')");
  sync();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_FALSE(crm::Brakes(*crm_).load("later")) << "it ends by itself";
}

TEST_F(Suppress, ComparesAPushThatHasReadNoListWithTheLastReading) {
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  sql("INSERT INTO do_not_mail VALUES ('cleo@example.test')");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  sql("DELETE FROM survey_seal WHERE name LIKE 'own list before %'");  // as an earlier version
  sql("DELETE FROM do_not_mail");
  order_of(2, "cleo", "2026-11-09T12:00:00Z");
  EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson);
  EXPECT_EQ(service_.customers().size(), 1u);
}

TEST_F(Suppress, HoldsThePushWhereTheOperatorsListLostMostOfItsAddresses) {
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  for (int i = 0; i < 40; ++i)
    sql(fmt::format("INSERT INTO do_not_mail VALUES ('u{}@example.test')", i));
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  sql("DELETE FROM do_not_mail WHERE rowid > 20");
  order_of(2, "bob", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(state("2"), State::sent) << "half of them are left";
  sql("DELETE FROM do_not_mail WHERE rowid > 9");
  order_of(3, "cleo", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(crm::Brakes(*crm_).load("orders")->reason,
            "a list of [suppress] has lost its addresses: [suppress] query lists 9, and listed 20"
            " addresses before");
  EXPECT_EQ(service_.customers().size(), 2u);
}

// Who is not on it again yet must not be mailed while it is filled again.
TEST_F(Suppress, HoldsThePushUntilAlmostAllAddressesOfALostListAreThereAgain) {
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE kept (address TEXT)");
  for (int i = 0; i < 15; ++i)
    sql(fmt::format("INSERT INTO kept VALUES ('u{}@example.test')", i));
  sql("CREATE TABLE do_not_mail AS SELECT * FROM kept");
  const auto list_only = [&](int addresses) {
    sql("DELETE FROM do_not_mail");
    sql(fmt::format("INSERT INTO do_not_mail SELECT address FROM kept LIMIT {}", addresses));
  };
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  ASSERT_EQ(state("1"), State::sent);
  order_of(2, "u13", "2026-11-09T12:00:00Z");
  for (const int addresses : {0, 1, 8, 13}) {
    list_only(addresses);
    EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson) << addresses;
    EXPECT_EQ(mailed(), 1u) << addresses;
  }
  list_only(14);
  EXPECT_EQ(sync().result.exit_code, daemon::kDone) << "one was taken off it";
  EXPECT_EQ(state("2"), State::suppressed);
  order_of(3, "bob", "2026-11-09T12:00:00Z");
  for (const int addresses : {0, 3}) {
    list_only(addresses);
    EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson) << addresses;
  }
  clock_.now += 1min;
  release(1);
  sync();
  EXPECT_EQ(state("3"), State::sent);
  order_of(4, "cleo", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(state("4"), State::sent) << "three are what it listed before";
}

// The lists would be due since a time that is yet to come.
TEST_F(Suppress, GoesOnWhereTheClockOfTheDatabaseIsPutBackAfterTheStart) {
  sync();
  clock_.now += 24h;
  in_process::Instance daemon(settings_, outside_, 7);
  daemon.run_until(clock_.now + 1min);
  clock_.database_step = -24h;
  order_of(1, "ann", mapping::write_instant(clock_.now - 25h));
  daemon.run_until(clock_.now + 1h);
  EXPECT_EQ(state("1"), State::sent);
}

// It is read again right before the rows are claimed, when the push has its turn.
TEST_F(Suppress, MailsNobodyWhereTheListIsEmptiedOnceABatchIsChosen) {
  own_list(
      "SELECT 'cleo@example.test' AS address"
      " WHERE NOT EXISTS (SELECT 1 FROM survey_lease WHERE name = 'suppress')");
  const auto contact = std::exchange(settings_.suppress->contact, {});
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  ASSERT_EQ(state("1"), State::sent);
  settings_.suppress->contact = contact;
  order_of(2, "bob", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_lease WHERE name = 'suppress'"), 1);
  EXPECT_EQ(service_.customers().size(), 1u);
}

// A service may take the address away, or mask it, of whoever has opted out.
TEST_F(Suppress, KnowsWhoOptedOutByTheTransactionToo) {
  settings_.suppress->contact.clear();
  for (const std::string address : {"", "a***@example.test", "null"}) {
    const std::string person = "ann" + std::to_string(address.size());
    const int id = 10 + 2 * static_cast<int>(address.size());
    order_of(id, person, "2026-11-09T12:00:00Z");
    sync();
    ASSERT_EQ(state(std::to_string(id)), State::sent);
    opt_out(person, address);
    clock_.now += 1h;
    sync();
    order_of(id + 1, person, "2026-11-09T13:00:00Z");
    sync();
    EXPECT_EQ(state(std::to_string(id + 1)), State::suppressed) << address;
    outside_.on_exchange = {};
    sql("DELETE FROM orders");
  }
}

TEST_F(Suppress, KnowsWhoOptedOutByTheNumberWhereTheServiceBlanksAddressAndKey) {
  settings_.suppress->contact.clear();
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  order_of(3, "bob", "2026-11-09T12:00:00Z");
  order_of(4, "cleo", "2026-11-09T12:00:00Z");
  sync();
  clock_.now += 1h;
  sync();  // the customers are stored with their keys
  ASSERT_EQ(number("SELECT COUNT(*) FROM survey_invitation WHERE \"key\" = '1'"), 1);
  change_answers([](const service::Request&, service::Response& response) {
    auto page = nlohmann::json::parse(response.body, nullptr, false);
    if (!page.is_object() || !page.contains("Customers")) return;
    for (auto& customer : page["Customers"]) {
      if (customer["Email"] != "ann@example.test") continue;
      customer["OptedOut"] = true;
      customer["Email"] = nullptr;
      customer["Data"] = nlohmann::json::array();
    }
    response.body = page.dump();
  });
  clock_.now += 1h;
  sync();
  order_of(2, "ann", "2026-11-09T13:00:00Z");
  sync();
  EXPECT_EQ(state("2"), State::suppressed);
}

TEST_F(Suppress, KnowsWhoOptedOutByATransactionOfAPushThatHasAnotherName) {
  settings_.suppress->contact.clear();
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  ASSERT_EQ(state("1"), State::sent);
  clock_.now += 1h;
  sync();
  settings_.pushes.at(0).name = "sales";
  opt_out("ann", "a***@example.test");
  clock_.now += 1h;
  sync();
  order_of(2, "ann", "2026-11-09T13:00:00Z");
  release(10, "sales");
  sync();
  const auto entry = crm::Ledger(*crm_).find("sales", "2");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->state, State::suppressed);
  EXPECT_EQ(service_.customers().size(), 1u);
}

TEST_F(Suppress, KnowsWhoOptedOutByAKeyInAColumnThatCarriesNoneAnyMore) {
  settings_.suppress->contact.clear();
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  sync();
  ASSERT_EQ(state("1"), State::sent);
  settings_.pushes.at(0).correlate = "Remark";
  settings_.pushes.at(0).data.at(0).column = "Remark";
  opt_out("ann", "a***@example.test");
  clock_.now += 1h;
  sync();
  order_of(2, "ann", "2026-11-09T13:00:00Z");
  sync();
  EXPECT_EQ(state("2"), State::suppressed);
}

TEST_F(Suppress, KnowsWhoOptedOutByATransactionOfAPushThatWasRemoved) {
  settings_.suppress->contact.clear();
  visits();
  settings_.pushes.at(1).correlate = "Remark";
  settings_.pushes.at(1).data.at(0).column = "Remark";
  order_and_visit_of(1, "ann");  // the visit is of vann
  sync();
  ASSERT_EQ(mailed(), 2u);
  settings_.pushes.pop_back();
  opt_out("vann", "v***@example.test");
  clock_.now += 1h;
  sync();
  order_of(2, "vann", "2026-11-09T13:00:00Z");
  sync();
  EXPECT_EQ(state("2"), State::suppressed);
}

// What was read a day ago is fresh enough while the daemon runs; at a start the list is read first.
TEST_F(Suppress, ReadsAListThatIsDueBeforeItSendsAtAStart) {
  settings_.suppress->stale_after = std::chrono::hours{48};
  sync();
  clock_.now += 24h;
  order("1");
  int lists = 0;  // the first ones fail, so that the push comes before they are read
  bool sent = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    const bool fails = request.method == "GET" && ++lists <= 8;
    sent = sent || request.method == "POST";
    EXPECT_FALSE(sent && lists <= 8);
    if (!fails) return send();
    return service::Exchange{service::Response{503, {}, "{}"}};
  };
  in_process::Instance daemon(settings_, outside_, 7);
  daemon.run_until(clock_.now + 1min);
  EXPECT_TRUE(daemon.log().has("was due at the start and is read first"));
  EXPECT_EQ(service_.customers().size(), 1u);
}

// What the brake would hold is not judged: the operator may take the query back.
TEST_F(Suppress, DecidesNothingAboutRowsThatTheBrakeHolds) {
  settings_.pushes.at(0).brake = true;
  own_list("SELECT address FROM do_not_mail");
  sql("CREATE TABLE do_not_mail (address TEXT)");
  sql("INSERT INTO do_not_mail VALUES ('ann@example.test')");
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  order_of(2, "no address", "2026-11-09T12:00:00Z");
  EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson) << "the first run";
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push"), 0);
  release(10);
  sync();
  EXPECT_EQ(state("1"), State::suppressed);
  EXPECT_EQ(state("2"), State::quarantined);
}

// A query that is wider by mistake finds orders of somebody who bounced, and is taken back.
TEST_F(Suppress, DecidesNothingAboutRowsOfAChangedQueryThatTheBrakeHolds) {
  order_of(0, "bob", "2026-11-09T12:00:00Z");
  sync();
  ASSERT_EQ(state("0"), State::sent);
  settings_.pushes.at(0).brake = true;
  own_list("SELECT 'ann@example.test' AS address");
  for (int i = 1; i <= 150; ++i)
    order_of(i, "ann", "2026-11-09T12:00:00Z");
  settings_.pushes.at(0).query += " WHERE 1 = 1";
  EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push"), 1);
}

TEST_F(Suppress, DoesNotFillTheLedgerWhileAnotherTransactionIsHeld) {
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 3}};
  settings_.pushes.at(0).settle = 10min;
  bool lost = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "POST" || !lost) return send();
    return service::Exchange{service::Failure{service::Failure::Kind::unknown, "lost", 0}};
  };
  order_of(0, "bob", "2026-11-09T12:00:00Z");  // a customer that proves the searches
  in_process::Instance instance(settings_, outside_, 5);
  instance.run_until(clock_.now + 5min);
  lost = true;
  order_of(1, "ann", "2026-11-09T12:00:00Z");
  instance.run_until(clock_.now + 30min);
  ASSERT_EQ(state("1"), State::held);
  order_of(2, "ann", "2026-11-09T12:00:00Z");
  instance.run_until(clock_.now + 24h, 1'000'000);
  EXPECT_EQ(state("2"), State::pending);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push_event WHERE key = '2'"), 1);
  EXPECT_EQ(number("SELECT COUNT(DISTINCT person) FROM survey_push WHERE key IN ('1', '2')"), 1)
      << "explain finds both by the address";
  EXPECT_EQ(number("SELECT COUNT(person) FROM survey_push WHERE key = '2'"), 1);
}

TEST_F(Suppress, LooksUpWhatAPushOfAnotherNameLeftInDoubt) {
  rename_with_a_doubt();
  expect_both_are_sent();
}

TEST_F(Suppress, LooksUpWhatAPushOfAnotherNameLeftClaimed) {
  rename_with_a_doubt();
  sql("UPDATE survey_push SET state = 'claimed', owner = 'nobody' WHERE key = '1'");
  expect_both_are_sent();
}

// In a new store; an older one keeps the key that it has.
TEST_F(Suppress, KnowsPeopleByHalfAHash) {
  order_of(0, "bob", "2026-11-09T12:00:00Z");
  sync();
  EXPECT_EQ(number("SELECT MAX(length(person)) FROM survey_push"), 32);
}

}  // namespace
