// Comparing ledger and service.
#include "daemon/reconcile/verify_plan.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using crm::State;
using std::chrono::hours;
using std::chrono::minutes;

const TimePoint kNow{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};

crm::Entry row(const std::string& key, State state, Duration age = hours{1}) {
  crm::Entry entry;
  entry.push = "orders";
  entry.key = key;
  entry.state = state;
  entry.seen_at = entry.changed_at = kNow - age;
  return entry;
}

Comparison compared(const std::vector<crm::Entry>& rows, Listed listed) {
  Comparison comparison;
  compare(rows, minutes{10}, kNow, listed, comparison);
  compare_rest(listed, comparison);
  return comparison;
}

std::string only(const Comparison& comparison) {
  if (comparison.differences.size() != 1) return std::to_string(comparison.differences.size());
  return comparison.differences[0].key + ": " + comparison.differences[0].what;
}

TEST(Compare, SentAndListedOnceAgreesAndSoDoesUnsentAndUnlisted) {
  const auto comparison = compared({row("1", State::sent), row("2", State::suppressed),
                                    row("3", State::quarantined), row("4", State::held)},
                                   {{"1", 1}});
  EXPECT_EQ(comparison.agree, 4);
  EXPECT_TRUE(comparison.differences.empty());
}

TEST(Compare, NamesWhatWasSentAndIsNotListed) {
  EXPECT_EQ(only(compared({row("1", State::sent)}, {})),
            "1: sent, and the service does not list it");
  const auto young = compared({row("1", State::sent, minutes{9})}, {});
  EXPECT_TRUE(young.differences.empty());
  EXPECT_EQ(young.young, 1);
}

TEST(Compare, TellsWhatAPersonMarkedSent) {
  auto marked = row("1", State::sent);
  marked.reason = std::string(crm::kMarkedSent) + "jo";
  const auto comparison = compared({marked}, {});
  EXPECT_EQ(only(comparison), "1: sent, as a person has decided, and the service does not list it");
  EXPECT_EQ(comparison.differences.at(0).kind, Difference::Kind::marked_sent);
  EXPECT_EQ(compared({row("1", State::sent)}, {}).differences.at(0).kind,
            Difference::Kind::not_listed);
  marked.customer_id = 9;
  EXPECT_EQ(only(compared({marked}, {})), "1: sent, and the service does not list it")
      << "the service has listed it before";
}

TEST(Compare, NamesWhatIsListedThoughItWasNotSent) {
  EXPECT_EQ(only(compared({row("1", State::quarantined)}, {{"1", 1}})),
            "1: quarantined, and the service lists it");
  EXPECT_EQ(only(compared({}, {{"9", 1}})),
            "9: the service lists it, and the ledger does not know it");
}

TEST(Compare, SortsTheDifferencesByWhatHasToBeDoneAndNumbersAsNumbers) {
  std::string keys;
  const auto comparison =
      compared({row("10", State::sent), row("b", State::sent), row("9", State::sent),
                row("11", State::held), row("8", State::held)},
               {{"11", 1}, {"8", 1}, {"7", 1}});
  for (const auto& each : comparison.differences)
    keys += each.key + " ";
  EXPECT_EQ(keys, "7 8 11 9 10 b ");
  EXPECT_EQ(step_for(Difference::Kind::held_listed, "8", ""),
            "they have arrived: `surveybridge doubt sent 8`");
}

TEST(Compare, NamesWhatIsListedTwiceWhateverItsState) {
  EXPECT_EQ(only(compared({row("1", State::sent)}, {{"1", 2}})), "1: the service lists it 2 times");
  EXPECT_EQ(only(compared({row("1", State::in_doubt)}, {{"1", 3}})),
            "1: the service lists it 3 times");
}

TEST(Compare, TellsTwoPersonsUnderOneKeyFromOneWhoWasMailedTwice) {
  ListedKey shared{2};
  shared.has_several_persons = true;
  const auto comparison =
      compared({row("1", State::sent), row("2", State::sent)}, {{"1", shared}, {"2", 2}});
  ASSERT_EQ(comparison.differences.size(), 2u);
  EXPECT_EQ(comparison.differences[0].key, "2");
  EXPECT_EQ(comparison.differences[1].what, "the service lists it 2 times, for several addresses");
  EXPECT_EQ(comparison.differences[1].kind, Difference::Kind::shared);
}

TEST(Compare, LeavesWhatIsInDoubtToReadBack) {
  const auto comparison =
      compared({row("1", State::in_doubt), row("2", State::claimed)}, {{"1", 1}});
  EXPECT_EQ(comparison.open, 2);
  EXPECT_TRUE(comparison.differences.empty());
}

BatchItem now_in_the_crm(const std::string& key, const std::string& email, Duration age) {
  return {{key, email, kNow - age}, mapping::Record(mapping::customer())};
}

TEST(ComparePersons, NamesKeysThatAreOfAnotherAddressAndAnotherDate) {
  ListedKey mailed{1};
  mailed.email = "Ann@example.test";
  mailed.transaction_date = kNow - hours{200};
  const Listed listed{{"1", mailed}, {"2", mailed}, {"3", mailed}, {"4", mailed}};
  Comparison comparison;
  compare_persons({now_in_the_crm("1", "bob@example.test", hours{1}),
                   now_in_the_crm("2", "bob@example.test", hours{200}),  // its address is corrected
                   now_in_the_crm("3", "ann@example.test", hours{1}),    // its date is corrected
                   now_in_the_crm("9", "bob@example.test", hours{1})},
                  listed, comparison);
  EXPECT_EQ(only(comparison),
            "1: the service lists it for another address and another transaction date than the CRM "
            "has");
}

// Of a CRM that was restored on the same day, the dates are near. Whether they are other people
// say the dates of those who are the same.
TEST(ComparePersons, NamesNearDatesWhereTheServiceMovesThemByLess) {
  const auto found = [](hours moved, int same) {
    ListedKey listed{1};
    listed.email = "ann@example.test";
    listed.transaction_date = kNow - hours{20};
    Listed all{{"1", listed}};
    std::vector<BatchItem> rows{now_in_the_crm("1", "bob@example.test", hours{15})};
    for (int i = 0; i < same; ++i) {
      const std::string key = "same " + std::to_string(i);
      all[key] = listed;
      rows.push_back(now_in_the_crm(key.c_str(), "ann@example.test", hours{20} + moved));
    }
    Comparison comparison;
    compare_persons(rows, all, comparison);
    compare_rest({}, comparison);
    return comparison.differences.size();
  };
  EXPECT_EQ(found(hours{0}, 3), 1U);
  EXPECT_EQ(found(hours{2}, 3), 1U);
  EXPECT_EQ(found(hours{6}, 3), 0U) << "it rounds to days, say";
  EXPECT_EQ(found(hours{0}, 2), 0U) << "nobody knows";
}

// A list that shows neither tells nothing.
TEST(ComparePersons, NamesNobodyWhereTheListShowsNoAddressOrNoDate) {
  ListedKey no_address{1}, no_date{1};
  no_address.transaction_date = kNow - hours{200};
  no_date.email = "ann@example.test";
  Comparison comparison;
  compare_persons({now_in_the_crm("1", "bob@example.test", hours{1}),
                   now_in_the_crm("2", "bob@example.test", hours{1})},
                  {{"1", no_address}, {"2", no_date}}, comparison);
  EXPECT_TRUE(comparison.differences.empty());
}

}  // namespace
