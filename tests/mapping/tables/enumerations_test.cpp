#include "mapping/tables/enumerations.hpp"

#include <gmock/gmock.h>

namespace surveybridge::mapping {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const std::string kForm = "Customer.FormStatus", kReview = "Review.ReviewStatus",
                  kNote = "FormNote.Type", kSentiment = "AnswerCategory.Sentiment";

Enumerator number(std::int64_t value) {
  return {value, ""};
}
Enumerator name(std::string value) {
  return {std::nullopt, std::move(value)};
}

Record& add(Record& to, std::string_view list) {
  return to.at(list).records.emplace_back(*to.resource->find(list)->of);
}

// A customer with these values in its four enumerations.
Record customer_with(std::int64_t id, const std::vector<Enumerator>& choices) {
  Record one(customer());
  one.set("Id", id);
  one.set("FormStatus", choices[0]);
  add(one, "Review").set("ReviewStatus", choices[1]);
  add(one, "FormNotes").set("Type", choices[2]);
  add(add(one, "Answers"), "Categories").set("Sentiment", choices[3]);
  return one;
}

const std::vector<Enumerator> kNumbers = {number(1), number(2), number(0), number(7)};
const std::vector<Enumerator> kNames = {name("New"), name("Approved"), name("ByUser"), name("Mad")};

TEST(Enumerations, AreLearnedFromTheSameRecordInBothFormats) {
  const Record by_number = customer_with(5, kNumbers), by_name = customer_with(5, kNames);
  EXPECT_THAT(
      enumerations_between({by_number}, {by_name}),
      ElementsAre(EnumerationPair{kSentiment, 7, "Mad"}, EnumerationPair{kForm, 1, "New"},
                  EnumerationPair{kNote, 0, "ByUser"}, EnumerationPair{kReview, 2, "Approved"}));
}

TEST(Enumerations, AreNotLearnedFromOtherRecordsOrFromWhatSaysNoMore) {
  const Record one = customer_with(5, kNumbers);
  EXPECT_THAT(enumerations_between({one}, {customer_with(6, kNames)}), IsEmpty());
  EXPECT_THAT(enumerations_between({one}, {one}), IsEmpty()) << "numbers in both";
  EXPECT_THAT(enumerations_between({customer_with(5, kNames)}, {one}), IsEmpty())
      << "the wrong way";
  EXPECT_THAT(enumerations_between({Record(customer())}, {Record(customer())}), IsEmpty())
      << "no id";
  EXPECT_THAT(enumerations_between({one}, {Record(customer())}), IsEmpty());
}

TEST(Enumerations, AreNotLearnedFromWhatHasChangedInBetween) {
  Record one = customer_with(5, kNumbers), other = customer_with(5, kNames);
  add(other, "FormNotes").set("Type", name("BySystem"));  // one more note
  EXPECT_THAT(enumerations_between({one}, {other}), IsEmpty());
  add(one, "FormNotes").set("Type", number(1));
  one.at("FormNotes").records[1].set("Note", std::string("hello"));
  other.at("FormNotes").records[1].set("Note", std::string("goodbye"));
  EXPECT_EQ(enumerations_between({one}, {other}).size(), 4U) << "another note's type says nothing";
  one.set("LastActivityDate", Instant{});
  EXPECT_EQ(enumerations_between({one}, {other}).size(), 4U) << "absent contradicts nothing";
  other.set("LastActivityDate", Instant{} + std::chrono::seconds{1});
  EXPECT_THAT(enumerations_between({one}, {other}), IsEmpty());
}

TEST(Enumerations, ThatContradictEachOtherAreNone) {
  auto numbers = kNumbers, names = kNames;
  numbers[0] = number(3);  // "New" is 1 and 3
  EXPECT_EQ(enumerations_between({customer_with(5, kNumbers), customer_with(6, numbers)},
                                 {customer_with(5, kNames), customer_with(6, kNames)})
                .count({kForm, 1, "New"}),
            0U);
  names[0] = name("Open");  // 1 is "New" and "Open"
  const auto left = enumerations_between({customer_with(5, kNumbers), customer_with(6, kNumbers)},
                                         {customer_with(5, kNames), customer_with(6, names)});
  EXPECT_EQ(left.size(), 3U);
  EXPECT_EQ(left.count({kReview, 2, "Approved"}), 1U);
}

TEST(Enumerations, CompleteWhatIsKnownByHalf) {
  Enumerations known;
  Record untouched = customer_with(5, kNumbers);
  known.complete(untouched);
  EXPECT_EQ(untouched, customer_with(5, kNumbers)) << "nothing is known yet";
  known.learn({kForm, 1, "New"});
  known.learn({kSentiment, 7, "Mad"});
  const std::vector<Enumerator> both = {{1, "New"}, number(2), number(0), {7, "Mad"}};
  Record by_number = customer_with(5, kNumbers);
  known.complete(by_number);
  EXPECT_EQ(by_number, customer_with(5, both));
  Record by_name = customer_with(5, kNames);
  known.complete(by_name);
  EXPECT_EQ(by_name, customer_with(5, {{1, "New"}, name("Approved"), name("ByUser"), {7, "Mad"}}));
  Record others = customer_with(5, {number(9), number(1), name("New"), {7, "Glad"}});
  const Record as_they_came = others;
  known.complete(others);
  EXPECT_EQ(others, as_they_came) << "unknown, of another enumeration, or whole already";
}

TEST(Enumerations, GuessNoNumberForANameThatSeveralHave) {
  Enumerations known;
  known.learn({kForm, 1, "New"});
  known.learn({kForm, 2, "New"});
  Record by_name = customer_with(5, kNames), by_number = customer_with(5, kNumbers);
  known.complete(by_name);
  known.complete(by_number);
  EXPECT_EQ(by_name.value("FormStatus"), Value{name("New")});
  EXPECT_EQ(by_number.value("FormStatus"), (Value{Enumerator{1, "New"}}));
}

TEST(Enumerations, AreKnownByHalfAsTheyCame) {
  const Record whole = customer_with(5, {{1, "New"}, {2, "a"}, {3, "b"}, name("Mad")});
  EXPECT_THAT(partial_enums_in(std::vector{whole}), ElementsAre(Pair(kSentiment, "Mad")));
  EXPECT_THAT(
      partial_enums_in(std::vector{customer_with(5, kNumbers)}),
      ElementsAre(Pair(kSentiment, "7"), Pair(kForm, "1"), Pair(kNote, "0"), Pair(kReview, "2")));
  EXPECT_THAT(partial_enums_in(std::vector{
                  customer_with(5, {{1, "New"}, {2, "a"}, {3, "b"}, name(std::string(101, 'x'))})}),
              IsEmpty());
}

TEST(Enumerations, HaveTheirColumnsInTheTables) {
  std::vector<std::string> all;
  for (const auto& at : enumeration_columns(customer()))
    all.push_back(at.of + " " + at.table + " " + at.key + " " + at.number + " " + at.name);
  EXPECT_THAT(all, testing::UnorderedElementsAre(
                       kForm + " survey_customer id form_status form_status_name",
                       kReview + " survey_customer id review_status review_status_name",
                       kSentiment + " survey_answer_category customer_id sentiment sentiment_name",
                       kNote + " survey_customer_note customer_id type type_name"));
  EXPECT_THAT(enumeration_columns(rating()), IsEmpty());
}

}  // namespace
}  // namespace surveybridge::mapping
