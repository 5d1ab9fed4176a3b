#include "mapping/codec/enumerations.hpp"

#include <gmock/gmock.h>

#include "mapping/codec/codec.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::mapping {
namespace {

using config::EnumerationNames;
using testing::IsEmpty;

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
  EXPECT_EQ(enumerations_between({by_number}, {by_name}),
            (EnumerationNames{{"FormStatus", {{1, "New"}}},
                              {"ReviewStatus", {{2, "Approved"}}},
                              {"Sentiment", {{7, "Mad"}}},
                              {"Type", {{0, "ByUser"}}}}));
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
                .count("FormStatus"),
            0U);
  names[0] = name("Open");  // 1 is "New" and "Open"
  const auto left = enumerations_between({customer_with(5, kNumbers), customer_with(6, kNumbers)},
                                         {customer_with(5, kNames), customer_with(6, names)});
  EXPECT_EQ(left.size(), 3U);
  EXPECT_EQ(left.count("FormStatus"), 0U);
}

// Of a customer whose four enumerations have this value.
std::string body_with(const std::string& value) {
  return R"({"Customers":[{"Id":5,"FormStatus":)" + value + R"(,"Review":{"ReviewStatus":)" +
         value + R"(},"FormNotes":[{"Type":)" + value +
         R"(}],"Answers":[{"Categories":[{"Sentiment":)" + value + "}]}]}]}";
}

Record read_with(const EnumerationNames& names, const std::string& value) {
  Reading reading;
  reading.names = &names;
  const auto read =
      read_page(body_with(value), "application/json", "Customers", customer(), reading);
  return std::get<Page>(read).records.at(0);
}

TEST(Enumerations, AreCompletedWhereTheirOtherHalfIsKnown) {
  const EnumerationNames known{{"FormStatus", {{1, "New"}, {2, "Old"}}},
                               {"Sentiment", {{1, "Mad"}}}};
  EXPECT_EQ(read_with(known, "1"),
            customer_with(5, {{1, "New"}, number(1), number(1), {1, "Mad"}}));
  EXPECT_EQ(read_with(known, "\"1\""), read_with(known, "1"));
  EXPECT_EQ(read_with(known, "\"New\""),
            customer_with(5, {{1, "New"}, name("New"), name("New"), name("New")}));
  EXPECT_EQ(read_with(known, "9"), read_with({}, "9")) << "unknown: as it came";
  EXPECT_EQ(read_with(known, "\"Glad\""), read_with({}, "\"Glad\""));
}

TEST(Enumerations, HaveADigestThatDoesNotDependOnTheirNames) {
  const EnumerationNames known{{"FormStatus", {{1, "New"}}}}, other{{"FormStatus", {{1, "Old"}}}};
  EXPECT_EQ(digest_of(read_with(known, "1")), digest_of(read_with({}, "1")));
  EXPECT_EQ(digest_of(read_with(known, "1")), digest_of(read_with(other, "1")));
}

}  // namespace
}  // namespace surveybridge::mapping
