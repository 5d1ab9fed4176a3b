#include "daemon/reconcile/reconcile_plan.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using crm::State;
using std::chrono::hours;
using std::chrono::minutes;

const mapping::DataColumn kCorrelate{11, "OrderNumber", "", false, false};
const TimePoint kToday{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};

crm::Doubt doubt(const std::string& key, const std::string& email = "x@e.test",
                 Duration age = hours{1}) {
  return {key, "batch", email, kToday - hours{5}, kToday - age, false};
}

mapping::Record customer(std::int64_t id, const std::string& email, const std::string& key) {
  mapping::Record record(mapping::customer());
  record.set("Id", id);
  record.set("Email", email);
  mapping::Record data(mapping::customer_data());
  data.set("CustomerDataColumnId", std::int64_t{11});
  data.set("Value", key);
  record.at("Data").records.push_back(std::move(data));
  return record;
}

Search broad(std::vector<crm::Doubt> doubts) {
  return plan_searches(std::move(doubts), {}, kToday).front();
}

Rules rules(bool resend = false, Control control = Control::found) {
  return {minutes{30}, resend, control, true};
}

std::string verdict(const ReadBackDecision& judgement) {
  std::string text;
  for (const auto& one : judgement.verdicts) {
    text += one.key + ":" + to_string(one.state) + " ";
  }
  for (const auto& one : judgement.absent)
    text += one.verdict.key + ":" + to_string(one.verdict.state) + " ";
  for (const auto& one : judgement.look_exactly)
    text += one.key + ":look ";
  return text;
}

TEST(PlanSearches, AsksForTheAddressesInAWindowWiderThanTheDates) {
  const Search search = broad({doubt("1", "a@e.test"), doubt("2", "b@e.test")});
  const auto& dates = std::get<service::DateFilter>(search.filters.at(0).argument);
  EXPECT_LT(*dates.from, kToday - hours{24});
  EXPECT_GT(*dates.to, kToday + hours{24});
  EXPECT_EQ(std::get<service::Scalars>(search.filters.at(1).argument).size(), 2u);
}

TEST(PlanSearches, OneAddressInTwoCasesIsAskedForOnce) {
  EXPECT_EQ(plan_searches({doubt("1", "A@e.test"), doubt("2", "a@e.test")}, {}, kToday).size(), 1u);
}

TEST(PlanSearches, KeepsToTheBytesOfAQuery) {
  std::vector<crm::Doubt> doubts;
  for (int i = 0; i < 200; ++i) {
    doubts.push_back(doubt(std::to_string(i), "person" + std::to_string(i) + "@example.test"));
  }
  const auto searches = plan_searches(doubts, {}, kToday);
  std::size_t rows = 0;
  for (const auto& search : searches) {
    rows += search.doubts.size();
    EXPECT_LE(service::write_query(search.filters, {}, "UTC").size(), 1800u);
  }
  EXPECT_EQ(rows, 200u);
}

TEST(PlanSearches, AreByKeyWhereNothingElseIsKnown) {
  auto undone = doubt("1", "");
  undone.dated = false;
  auto undated = doubt("3");
  undated.dated = false;
  const auto parted = part_by_what_is_known({undone, doubt("2", ""), undated}, true);
  ASSERT_EQ(parted.by_key.size(), 2u);
  EXPECT_EQ(parted.by_key.at(0).key, "1");
  EXPECT_EQ(parted.by_key.at(1).key, "3");
  EXPECT_EQ(parted.by_address.size(), 1u) << "of which the date is known";
  EXPECT_EQ(part_by_what_is_known({undone}, false).by_key.size(), 0u) << "no column has the key";
}

TEST(PlanSearches, IncludesTestRecordsWhereTheyWereSentAsSuch) {
  auto test = doubt("1");
  test.test = true;
  EXPECT_EQ(broad({test}).filters.back().name, "IncludeTestRecords");
}

TEST(Judge, FoundIsSentWithItsId) {
  Search search = broad({doubt("1")});
  take_page(search, {customer(77, "X@e.test", "1")}, kCorrelate);
  const auto judgement = judge(search, rules());
  EXPECT_EQ(verdict(judgement), "1:sent ");
  EXPECT_EQ(judgement.verdicts[0].customer_id, 77);
}

TEST(Judge, FoundTwiceIsSentAndLoud) {
  Search search = broad({doubt("1")});
  take_page(search, {customer(77, "x@e.test", "1"), customer(78, "x@e.test", "1")}, kCorrelate);
  EXPECT_EQ(judge(search, rules()).found_twice, 1);
  EXPECT_EQ(judge(search, rules()).first_twice, "1");
}

TEST(Judge, ASecondFeedbackIsNoSecondCustomer) {
  Search search = broad({doubt("1")});
  auto second = customer(78, "x@e.test", "1");
  second.set("IsSecondFeedBack", true);
  take_page(search, {customer(77, "x@e.test", "1"), second}, kCorrelate);
  const auto judgement = judge(search, rules());
  EXPECT_EQ(judgement.found_twice, 0);
  EXPECT_EQ(judgement.verdicts.at(0).customer_id, 77);
}

TEST(Judge, TheSameCustomerListedTwiceIsOne) {
  Search search = broad({doubt("1")});
  take_page(search, {customer(77, "x@e.test", "1"), customer(77, "x@e.test", "1")}, kCorrelate);
  EXPECT_EQ(judge(search, rules()).found_twice, 0);
}

// Another push's customer may carry the same value.
TEST(Judge, ACustomerWithTheKeyButAnotherAddressOrDateIsNotTheRow) {
  Search search = broad({doubt("1")});
  take_page(search, {customer(77, "other@e.test", "1")}, kCorrelate);
  auto judgement = judge(search, rules(true));
  EXPECT_EQ(verdict(judgement), "1:held ");
  EXPECT_NE(judgement.verdicts[0].reason.find("another address"), std::string::npos);
  take_page(search, {customer(78, "x@e.test", "1")}, kCorrelate);
  judgement = judge(search, rules());
  EXPECT_EQ(verdict(judgement), "1:sent ");
  EXPECT_EQ(judgement.verdicts[0].customer_id, 78);
  EXPECT_EQ(judgement.found_twice, 0);
  auto late = customer(79, "x@e.test", "1");
  late.set("TransactionDate", doubt("1").transaction_date + std::chrono::hours{24 * 30});
  Search other = broad({doubt("1")});
  take_page(other, {late}, kCorrelate);
  EXPECT_EQ(verdict(judge(other, rules(true))), "1:held ");
}

// A service that cuts keys or changes their case: the customer is there under a key of nobody's.
TEST(Judge, ACustomerOfItsAddressAndDateUnderAnotherKeyHoldsTheRow) {
  Search search = broad({doubt("b001")});
  auto copy = customer(77, "X@e.test", "B001");
  copy.set("TransactionDate", doubt("").transaction_date + hours{1});
  auto other = customer(78, "x@e.test", "B002");
  other.set("TransactionDate", doubt("").transaction_date + minutes{7});
  take_page(search, {copy, copy, other}, kCorrelate);
  ASSERT_EQ(search.alike["b001"].size(), 1u);
  EXPECT_EQ(search.alike["b001"].front().key, "B001");
  const auto judgement = judge(search, rules(true));
  EXPECT_EQ(verdict(judgement), "b001:held ");
  EXPECT_NE(judgement.verdicts[0].reason.find("customer 77"), std::string::npos);
  search.alike.clear();  // the ledger knows them
  EXPECT_EQ(verdict(judge(search, rules(true))), "b001:look ");
}

TEST(Grouped, AreDoubtsByTheKeyThatVouchesForThem) {
  const auto groups = grouped({doubt("7"), doubt("1000"), doubt("a1"), doubt("b2"), doubt("Ä")},
                              "OrderNumber", {"x1", "999", "1001"});
  std::string text;
  for (const auto& group : groups) {
    text += group.column + " " + group.control + ":";
    for (const auto& each : group.doubts)
      text += " " + each.key;
    text += "\n";
  }
  EXPECT_EQ(text, "OrderNumber 999: 1000 7\nOrderNumber x1: a1 b2\nOrderNumber : Ä\n");
}

TEST(Judge, ATestCustomerIsNotARowThatWentOutForReal) {
  auto test = customer(77, "x@e.test", "1");
  mapping::Record batch(*test.resource->find("Batch")->of);
  batch.set("IsTest", true);
  test.at("Batch").records.push_back(std::move(batch));
  Search search = broad({doubt("1")});
  take_page(search, {test}, kCorrelate);
  EXPECT_EQ(verdict(judge(search, rules())), "1:held ");
  auto sent_as_test = doubt("1");
  sent_as_test.test = true;
  Search ours = broad({sent_as_test});
  take_page(ours, {test}, kCorrelate);
  EXPECT_EQ(verdict(judge(ours, rules())), "1:sent ");
}

TEST(Judge, WhatBreaksTheServiceFiveTimesIsHeld) {
  auto breaks = doubt("1");
  breaks.broken = 5;
  Search search = exact_search(Search::Kind::exact, breaks, 7, kToday);
  const auto judgement = judge(search, rules(true));
  EXPECT_EQ(verdict(judgement), "1:held ");
  EXPECT_NE(judgement.absent[0].verdict.reason.find("500"), std::string::npos);
}

TEST(Judge, AbsentIsUnclearUntilSettleIsOver) {
  EXPECT_EQ(verdict(judge(broad({doubt("1", "x@e.test", minutes{29})}), rules())), "");
  EXPECT_EQ(verdict(judge(broad({doubt("1", "x@e.test", minutes{30})}), rules())), "1:held ");
}

// A service that was away may still work on what it got before.
TEST(Judge, AbsentIsUnclearUntilTheServiceHasAnsweredForSettle) {
  const auto after = [](Duration answering, Duration age) {
    Search search = broad({doubt("1", "x@e.test", age)});
    search.answering["1"] = answering;
    return verdict(judge(search, rules()));
  };
  EXPECT_EQ(after(minutes{29}, hours{5}), "");
  EXPECT_EQ(after(minutes{30}, hours{5}), "1:held ");
  EXPECT_EQ(after(minutes{29}, hours{24}), "1:held ") << "it is away again and again";
}

// Searches that find nothing today may work in an hour, and a row may then be there.
TEST(Judge, WithoutProofARowStaysInDoubtForADayAndIsThenHeld) {
  for (const bool resend : {false, true}) {
    for (const Control control : {Control::none, Control::missed}) {
      const Rules unproved = rules(resend, control);
      const auto after = [&](Duration age) {
        return verdict(judge(broad({doubt("1", "x@e.test", age)}), unproved));
      };
      EXPECT_EQ(after(hours{23}), "");
      EXPECT_EQ(after(hours{24}), "1:held ");
    }
  }
  const auto missed =
      judge(broad({doubt("1", "x@e.test", hours{24})}), rules(true, Control::missed));
  EXPECT_NE(missed.verdicts[0].reason.find("not found either"), std::string::npos);
  const auto none = judge(broad({doubt("1", "x@e.test", hours{24})}), rules(true, Control::none));
  EXPECT_NE(none.verdicts[0].reason.find("no key of its form"), std::string::npos);
}

// One record that the service cannot list may lie among those of many rows.
TEST(Judge, LooksForEachRowAloneWhereTheirSearchIsNotAnswered) {
  for (const Control control : {Control::none, Control::missed, Control::found}) {
    Search search = broad({doubt("1", "x@e.test", hours{24}), doubt("2", "y@e.test")});
    search.complete = search.answered = false;
    EXPECT_EQ(verdict(judge(search, rules(false, control))), "1:look 2:look ");
  }
}

TEST(Confirmed, AnAbsenceIsBelievedBetweenTwoControlSearchesWithLittleTimeBetween) {
  const auto absent = judge(broad({doubt("1")}), rules()).absent;
  ASSERT_EQ(absent.size(), 1u);
  const auto after = [&](Control control, Duration between, Duration later) {
    const auto verdicts = confirmed(absent, control, between, kToday + later);
    return verdicts.empty() ? std::string() : verdicts.front().reason;
  };
  EXPECT_EQ(after(Control::found, minutes{5}, {}), "the service does not list it after settle");
  EXPECT_EQ(after(Control::found, minutes{6}, {}), "");
  EXPECT_EQ(after(Control::missed, minutes{1}, {}), "");
  EXPECT_NE(
      after(Control::found, minutes{6}, hours{23}).find("cannot be told whether it has arrived"),
      std::string::npos);
  EXPECT_NE(
      after(Control::missed, minutes{1}, hours{23}).find("cannot be told whether it has arrived"),
      std::string::npos);
}

TEST(UntilNextRound, GrowsWithTheAgeOfTheYoungestDoubtToFiveMinutes) {
  EXPECT_EQ(until_next_round(minutes{1}), std::chrono::seconds{30});
  EXPECT_EQ(until_next_round(minutes{16}), minutes{2});
  EXPECT_EQ(until_next_round(hours{20}), minutes{5});
}

TEST(Judge, WithProofARowIsLookedForOnceMoreByItsKeyBeforeItGoesAgain) {
  EXPECT_EQ(verdict(judge(broad({doubt("1")}), rules(true))), "1:look ");
  const Search exact = exact_search(Search::Kind::exact, doubt("1"), 11, kToday);
  EXPECT_EQ(verdict(judge(exact, rules(true))), "1:pending ");
}

TEST(Judge, AFilterThatIsIgnoredProvesNothing) {
  Search exact = exact_search(Search::Kind::exact, doubt("1"), 11, kToday);
  take_page(exact, {customer(5, "y@e.test", "another")}, kCorrelate);
  EXPECT_EQ(verdict(judge(exact, rules(true))), "1:held ");
  Search by_address = broad({doubt("1")});
  take_page(by_address, {customer(5, "stranger@e.test", "9")}, kCorrelate);
  EXPECT_EQ(verdict(judge(by_address, rules(true))), "1:held ");
}

TEST(Judge, WhatWasRefusedGoesAgainOnceItsAbsenceIsProved) {
  auto refused = doubt("1");
  refused.refused = true;
  EXPECT_EQ(verdict(judge(broad({refused}), rules(false))), "1:look ");
  const Search exact = exact_search(Search::Kind::exact, refused, 11, kToday);
  EXPECT_EQ(verdict(judge(exact, rules(false))), "1:pending ");
  EXPECT_EQ(verdict(judge(exact, rules(false, Control::missed))), "");
  refused.alone = true;
  refused.words = "bad grade";
  const auto judgement =
      judge(exact_search(Search::Kind::exact, refused, 11, kToday), rules(false));
  EXPECT_EQ(verdict(judgement), "1:quarantined ");
  EXPECT_NE(judgement.absent[0].verdict.reason.find("bad grade"), std::string::npos);
}

TEST(Judge, WithoutAColumnThatCarriesTheKeyEverythingIsHeld) {
  EXPECT_EQ(verdict(judge(broad({doubt("1")}), {minutes{30}, true, Control::found, false})),
            "1:held ");
}

TEST(Proves, OnlyWhenTheKnownCustomerIsThere) {
  Search control = exact_search(Search::Kind::control, doubt("known"), 11, kToday);
  EXPECT_FALSE(proves(control));
  take_page(control, {customer(5, "x@e.test", "known")}, kCorrelate);
  EXPECT_TRUE(proves(control));
}

}  // namespace
