// Rulings on one transaction, by what is known of its person.
#include "daemon/suppress/suppression_rules.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using crm::FactKind;
using std::chrono::hours;
using What = Decision::What;
using Contact = config::Suppress::Contact;

const TimePoint kRuled{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};
constexpr hours kDay{24};

using crm::State;

crm::ContactHistory known(FactKind kind, int days_ago = 1) {
  crm::ContactHistory history;
  history.facts[kind] = {1, kRuled - days_ago * kDay};
  return history;
}

crm::ContactHistory contacted(const std::string& push, State state, int days_ago) {
  crm::ContactHistory history;
  history.pushes[push].latest[state] = kRuled - days_ago * kDay;
  return history;
}

Decision rule(const crm::ContactHistory& contact_history, const config::Suppress& suppress) {
  return decide({"orders"}, contact_history, &suppress, kRuled);
}

config::Suppress contact(Contact contact) {
  config::Suppress suppress;
  suppress.contact = {contact};
  return suppress;
}

config::Suppress bounced(bool hard, int soft) {
  config::Suppress suppress;
  suppress.bounced = config::Suppress::Bounced{hard, soft, {}};
  return suppress;
}

TEST(RuleOn, AStrangerMayBeMailed) {
  config::Suppress all = bounced(true, 1);
  all.opted_out = true;
  all.contact = {{.days = 90}};
  EXPECT_EQ(rule({}, all).what, What::go);
}

TEST(RuleOn, WhoeverAskedToBeForgottenIsNeverMailedEvenWithoutSuppress) {
  const auto ruling = decide({"orders"}, known(FactKind::forgotten), nullptr, kRuled);
  EXPECT_EQ(ruling.what, What::suppress);
  EXPECT_EQ(decide({"orders"}, known(FactKind::opted_out), nullptr, kRuled).what, What::go);
}

TEST(RuleOn, OptedOutOnceIsOptedOut) {
  config::Suppress suppress;
  EXPECT_EQ(rule(known(FactKind::opted_out, 3000), suppress).what, What::go);
  suppress.opted_out = true;
  EXPECT_EQ(rule(known(FactKind::opted_out, 3000), suppress).what, What::suppress);
}

TEST(RuleOn, AHardBounceIsEnoughAndSoftOnesAreCounted) {
  EXPECT_EQ(rule(known(FactKind::bounced_hard), bounced(true, 0)).what, What::suppress);
  EXPECT_EQ(rule(known(FactKind::bounced_hard), bounced(false, 0)).what, What::go);
  auto soft = known(FactKind::bounced_soft);
  EXPECT_EQ(rule(soft, bounced(true, 2)).what, What::go);
  EXPECT_EQ(rule(soft, bounced(true, 0)).what, What::go);
  soft.facts[FactKind::bounced_soft].count = 2;
  EXPECT_EQ(rule(soft, bounced(true, 2)).what, What::suppress);
}

TEST(RuleOn, AnInvitationCountsForItsDaysAndNoLonger) {
  EXPECT_EQ(rule(contacted("visits", State::sent, 89), contact({.days = 90})).what, What::suppress);
  EXPECT_EQ(rule(contacted("visits", State::sent, 90), contact({.days = 90})).what, What::go);
  EXPECT_EQ(rule(known(FactKind::invited, 89), contact({.days = 90})).what, What::suppress)
      << "invited by somebody else";
}

TEST(RuleOn, ADelayEndsWhenTheDaysAreOver) {
  const auto ruling = rule(contacted("visits", State::sent, 80),
                           contact({.days = 90, .then = Contact::Then::delay}));
  EXPECT_EQ(ruling.what, What::delay);
  EXPECT_EQ(ruling.until, kRuled + 10 * kDay);
}

TEST(RuleOn, OfTheSamePushOnlyItsOwnInvitationsCount) {
  const auto same = contact({.days = 90, .of = Contact::Of::same});
  EXPECT_EQ(rule(contacted("visits", State::sent, 1), same).what, What::go);
  EXPECT_EQ(rule(contacted("orders", State::sent, 1), same).what, What::suppress);
  EXPECT_EQ(rule(known(FactKind::invited), same).what, What::go);
}

TEST(RuleOn, AnAnswerCountsByItsDateAndItsPush) {
  const auto any = contact({.days = 30, .since = Contact::Since::answer});
  EXPECT_EQ(rule(known(FactKind::answered, 29), any).what, What::suppress);
  EXPECT_EQ(rule(known(FactKind::answered, 30), any).what, What::go);
  EXPECT_EQ(rule(contacted("visits", State::sent, 1), any).what, What::go) << "not answered yet";
  const auto same = contact({.days = 30, .of = Contact::Of::same, .since = Contact::Since::answer});
  auto contact_history = known(FactKind::answered, 5);
  contact_history.pushes["visits"].customers[FactKind::answered] = kRuled - 5 * kDay;
  EXPECT_EQ(rule(contact_history, same).what, What::go);
  contact_history.pushes["orders"].customers[FactKind::answered] = kRuled - 5 * kDay;
  EXPECT_EQ(rule(contact_history, same).what, What::suppress);
}

TEST(RuleOn, WhatIsUnderWayDecidesFirst) {
  for (const auto state : {State::claimed, State::in_doubt, State::held}) {
    const auto ruling = rule(contacted("visits", state, 0), contact({.days = 90}));
    EXPECT_EQ(ruling.what, What::delay) << to_string(state);
    EXPECT_GT(ruling.until, kRuled);
    EXPECT_EQ(ruling.until - kRuled, std::chrono::minutes(state == State::held ? 5 : 1))
        << "a person decides about what is held";
  }
}

TEST(RuleOn, TheStricterOfTwoRulesHolds) {
  config::Suppress suppress = contact({.days = 10, .then = Contact::Then::delay});
  suppress.contact.push_back({.days = 90});
  EXPECT_EQ(rule(contacted("visits", State::sent, 5), suppress).what, What::suppress);
  EXPECT_EQ(rule(contacted("visits", State::sent, 100), suppress).what, What::go);
}

TEST(RuleOn, WhatCannotBeReadDelaysWhereARuleAsksForIt) {
  const auto kinds = {FactKind::unread_opt_out, FactKind::unread_bounce, FactKind::unread_contact};
  config::Suppress out;
  out.opted_out = true;
  for (const auto kind : kinds) {
    const auto history = known(kind, 3000);
    EXPECT_EQ(rule(history, out).what, kind == FactKind::unread_opt_out ? What::delay : What::go);
    EXPECT_EQ(rule(history, bounced(true, 0)).what,
              kind == FactKind::unread_bounce ? What::delay : What::go);
    EXPECT_EQ(rule(history, contact({.days = 1})).what,
              kind == FactKind::unread_contact ? What::delay : What::go);
    EXPECT_EQ(decide({"orders"}, history, nullptr, kRuled).what, What::go);
  }
  auto both = known(FactKind::unread_opt_out);
  both.facts[FactKind::opted_out] = {1, kRuled};
  EXPECT_EQ(rule(both, out).what, What::suppress) << "another record says so";
}

mapping::Unreadable unread(const mapping::Resource& resource,
                           const std::vector<std::string_view>& hidden) {
  mapping::Unreadable record{{"x", "y"}, mapping::Record(resource), ""};
  for (const auto field : hidden)
    record.unread.set(resource.index(*resource.find(field)));
  return record;
}

TEST(FactsOfUnreadCustomer, SayWhatItMaySay) {
  const auto kinds = [](const mapping::Unreadable& record) {
    std::vector<FactKind> found;
    for (const auto& fact : facts_of_unread_customer(record, "p", "text 1", kRuled)) {
      EXPECT_EQ(fact.person + fact.ref, "ptext 1");
      found.push_back(fact.kind);
    }
    return found;
  };
  using Kinds = std::vector<FactKind>;
  EXPECT_EQ(kinds(unread(mapping::customer(), {"Id", "Answers"})), Kinds{});
  EXPECT_EQ(kinds(unread(mapping::customer(), {"OptedOut"})), Kinds{FactKind::unread_opt_out});
  EXPECT_EQ(kinds(unread(mapping::customer(), {"OptedOutDate"})), Kinds{FactKind::unread_opt_out});
  EXPECT_EQ(kinds(unread(mapping::customer(), {"DateInvited"})), Kinds{FactKind::unread_contact});
  EXPECT_EQ(kinds(unread(mapping::customer(), {"SurveyFinishedDate"})),
            Kinds{FactKind::unread_contact});
  auto due = unread(mapping::customer(), {"ScheduledInvitationDate"});
  EXPECT_EQ(kinds(due), Kinds{FactKind::unread_contact});
  due.partial.set("DateInvited", kRuled - kDay);
  EXPECT_EQ(kinds(due), Kinds{FactKind::invited});
  auto out = unread(mapping::customer(), {"OptedOutDate", "DateInvited"});
  out.partial.set("OptedOut", true);
  EXPECT_EQ(kinds(out), (Kinds{FactKind::opted_out, FactKind::unread_contact}));
}

TEST(FactOfUnreadBouncer, IsUnreadUnlessItIsCertainlyHard) {
  const auto kind = [](const mapping::Unreadable& record) {
    return fact_of_unread_bouncer(record, "p", "text 1", {}, kRuled).kind;
  };
  EXPECT_EQ(kind(unread(mapping::bouncer(), {"DateSent"})), FactKind::bounced_soft);
  auto bouncer = unread(mapping::bouncer(), {"Exception"});
  EXPECT_EQ(kind(bouncer), FactKind::unread_bounce);
  bouncer.partial.set("Reason", std::string("550 5.1.1 no such user"));
  EXPECT_EQ(kind(bouncer), FactKind::bounced_hard);
}

TEST(FactsOfCustomer, SayWhatTheCustomerSays) {
  mapping::Record customer(mapping::customer());
  customer.set("Id", std::int64_t{7});
  EXPECT_TRUE(facts_of_customer(customer, "p", kRuled).empty());
  customer.set("OptedOut", true);
  customer.set("DateInvited", kRuled - kDay);
  customer.set("SurveyFinishedDate", kRuled - hours{1});
  const auto facts = facts_of_customer(customer, "p", kRuled);
  ASSERT_EQ(facts.size(), 3u);
  EXPECT_EQ(facts[0].kind, FactKind::opted_out);
  EXPECT_EQ(facts[0].at, kRuled) << "no date of its own";
  EXPECT_EQ(facts[1].at, kRuled - kDay);
  EXPECT_EQ(facts[2].ref, "7");
  EXPECT_TRUE(facts_of_customer(customer, "", kRuled).empty()) << "nobody";
}

TEST(FactsOfCustomer, SayWhenAnInvitationIsYetToCome) {
  mapping::Record customer(mapping::customer());
  customer.set("Id", std::int64_t{7});
  customer.set("ScheduledInvitationDate", kRuled + kDay);
  const auto told = [&] { return facts_of_customer(customer, "p", kRuled); };
  ASSERT_EQ(told().size(), 1u);
  EXPECT_EQ(told().front().kind, FactKind::invited);
  EXPECT_EQ(told().front().at, kRuled + kDay);
  customer.set("DateInvited", kRuled - kDay);
  EXPECT_EQ(told().front().at, kRuled - kDay) << "it has left";
  customer.set("DateInvited", mapping::Null{});
  customer.set("ScheduledInvitationDate", kRuled - kDay);
  EXPECT_TRUE(told().empty()) << "nobody knows whether it has left";
}

TEST(RuleOn, ThreeSoftBouncesAreEnoughWhereNothingElseIsSet) {
  config::Suppress suppress;
  suppress.bounced = config::Suppress::Bounced{};
  crm::ContactHistory history;
  for (int bounces = 0; bounces < 3; ++bounces) {
    EXPECT_EQ(rule(history, suppress).what, What::go) << bounces;
    history.facts[FactKind::bounced_soft] = {bounces + 1, kRuled};
  }
  EXPECT_EQ(rule(history, suppress).what, What::suppress);
}

TEST(FactOfBouncer, IsHardByWhatTheMailServerSaid) {
  mapping::Record bouncer(mapping::bouncer());
  bouncer.set("Email", std::string("x@e.test"));
  const auto kind = [&](const char* field, const char* text) {
    auto one = bouncer;
    one.set(field, std::string(text));
    return fact_of_bouncer(one, "p", {}, kRuled).kind;
  };
  EXPECT_EQ(kind("Reason", "mailbox unavailable, 550 5.1.1"), FactKind::bounced_hard);
  EXPECT_EQ(kind("Exception", "The server response was: 5.1.1 no"), FactKind::bounced_hard);
  EXPECT_EQ(kind("CustomerStatus", "HardBounce"), FactKind::bounced_hard);
  EXPECT_EQ(kind("Reason", "552 5.2.2 mailbox full"), FactKind::bounced_soft);
}

TEST(FactOfBouncer, IsHardByAWordOfTheOperatorWhateverElseIsSaid) {
  mapping::Record bouncer(mapping::bouncer());
  bouncer.set("Email", std::string("x@e.test"));
  const auto kind = [&](const char* reason, const std::vector<std::string>& words) {
    bouncer.set("Reason", std::string(reason));
    return fact_of_bouncer(bouncer, "p", words, kRuled).kind;
  };
  EXPECT_EQ(kind("HardBounce", {"hard"}), FactKind::bounced_hard);
  EXPECT_EQ(kind("SoftBounce", {"hard"}), FactKind::bounced_soft);
  EXPECT_EQ(kind("", {"hard"}), FactKind::bounced_soft);
  EXPECT_EQ(kind("550 Unknown User", {"hard", "unknown user"}), FactKind::bounced_hard);
  EXPECT_EQ(kind("450 Office Closed", {"closed"}), FactKind::bounced_hard);
  EXPECT_NE(fact_of_bouncer(bouncer, "p", {}, kRuled).ref, "");
}

constexpr int kKeys = 100'000;

// Keys that a share draws; of a push of this name.
std::vector<int> drawn(double share, const std::string& name = "orders") {
  config::Push push;
  push.name = name;
  push.sample = share;
  std::vector<int> keys;
  for (int key = 0; key < kKeys; ++key)
    if (is_drawn(push, std::to_string(key), "")) keys.push_back(key);
  return keys;
}

TEST(Sample, DrawsItsShareOfManyKeys) {
  for (const double share : {0.001, 0.1, 0.25, 0.5, 0.9}) {
    const double deviation = std::sqrt(kKeys * share * (1 - share));
    EXPECT_NEAR(static_cast<double>(drawn(share).size()), kKeys * share, 5 * deviation) << share;
  }
  EXPECT_EQ(drawn(1).size(), std::size_t{kKeys});
}

TEST(Sample, DrawsTheSameAgainAndWithALargerShareTheOthersToo) {
  const auto few = drawn(0.1), more = drawn(0.2);
  EXPECT_EQ(few, drawn(0.1));
  EXPECT_TRUE(std::ranges::includes(more, few));
  std::vector<int> both;
  std::ranges::set_intersection(few, drawn(0.1, "visits"), std::back_inserter(both));
  EXPECT_NEAR(static_cast<double>(both.size()), kKeys * 0.01, 200) << "each push draws for itself";
}

TEST(Sample, DrawsPersonsWhereItIsToldTo) {
  config::Push push;
  push.name = "orders";
  push.sample = 0.5;
  push.sample_by = config::Push::SampleBy::person;
  int drawn = 0;
  for (int person = 0; person < 100; ++person) {
    const bool first = is_drawn(push, "first", std::to_string(person));
    EXPECT_EQ(is_drawn(push, "another", std::to_string(person)), first);
    drawn += first ? 1 : 0;
  }
  EXPECT_GT(drawn, 20);
  EXPECT_LT(drawn, 80);
}

TEST(RuleOn, WhatIsNotDrawnIsSuppressed) {
  const auto ruling = decide({"orders", false}, {}, nullptr, kRuled);
  EXPECT_EQ(ruling.what, What::suppress);
  EXPECT_EQ(ruling.reason, "not drawn (sample)");
}

TEST(Quota, LetsGoWhatIsLeftAndTellsWhatWaitsFromWhatIsOver) {
  using Says = QuotaLeft::Says;
  QuotaLeft quota(3, {{"a", 2}, {"b", 3}});
  EXPECT_EQ(quota.take("a"), Says::go);
  EXPECT_EQ(quota.take("a"), Says::wait) << "the one before it may not be claimed";
  EXPECT_EQ(quota.take("b"), Says::full);
  EXPECT_EQ(quota.take("c"), Says::go);
}

TEST(Quota, CountsFromTheBeginningOfItsTimeByTheClockOfTheCrm) {
  using namespace std::chrono;
  using Day = config::Report::Day;
  using Per = config::Push::Quota::Per;
  const std::string zone = "Europe/Amsterdam";
  const TimePoint now = sys_days{2026y / March / 29} + 12h;  // a Sunday, the clocks go forward
  EXPECT_EQ(quota_since(Per::day, Day::monday, zone, now), sys_days{2026y / March / 28} + 23h);
  EXPECT_EQ(quota_since(Per::week, Day::monday, zone, now), sys_days{2026y / March / 22} + 23h);
  EXPECT_EQ(quota_since(Per::week, Day::sunday, zone, now), sys_days{2026y / March / 28} + 23h);
  EXPECT_EQ(quota_since(Per::month, Day::monday, zone, now), sys_days{2026y / February / 28} + 23h);
  EXPECT_EQ(quota_since(Per::day, Day::monday, zone, now + 11h), sys_days{2026y / March / 29} + 22h)
      << "summer time";
}

}  // namespace
