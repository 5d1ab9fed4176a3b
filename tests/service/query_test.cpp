#include "connectors/service/query.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::service;
using config::ServiceDialect;

const mapping::Instant kFrom{std::chrono::sys_days{std::chrono::year{2026} / 7 / 1}};

std::string written(const Parameter& parameter, const ServiceDialect& dialect = {}) {
  return write_query({parameter}, dialect, "Europe/Amsterdam");
}

TEST(Query, WritesADateFilterInEveryDialect) {
  const Parameter filter{"TransactionDateFilter", DateFilter{kFrom, std::nullopt}};
  EXPECT_EQ(written(filter), "TransactionDateFilter.From=2026-07-01T00%3A00%3A00Z");
  ServiceDialect dialect;
  dialect.members = ServiceDialect::Members::bracket;
  dialect.from = "Start";
  dialect.dates = ServiceDialect::Dates::offset;
  EXPECT_EQ(written(filter, dialect),
            "TransactionDateFilter[Start]=2026-07-01T02%3A00%3A00%2B02%3A00");
  dialect.dates = ServiceDialect::Dates::date;
  EXPECT_EQ(written(filter, dialect), "TransactionDateFilter[Start]=2026-07-01");
}

TEST(Query, WritesListsInEveryDialect) {
  const Parameter list{"Statuses", Scalars{"1", "2"}};
  EXPECT_EQ(written(list), "Statuses=1&Statuses=2");
  ServiceDialect dialect;
  dialect.lists = ServiceDialect::Lists::indexed;
  EXPECT_EQ(written(list, dialect), "Statuses[0]=1&Statuses[1]=2");
  dialect.lists = ServiceDialect::Lists::comma;
  EXPECT_EQ(written(list, dialect), "Statuses=1%2C2");
}

TEST(Query, NumbersObjectsFromZero) {
  const Parameter filter{"DataFilters", std::vector<DataFilter>{{7, "a b"}, {8, "ö"}}};
  EXPECT_EQ(written(filter),
            "DataFilters[0].CustomerDataColumnId=7&DataFilters[0].Value=a%20b"
            "&DataFilters[1].CustomerDataColumnId=8&DataFilters[1].Value=%C3%B6");
}

TEST(Query, EncodesEverythingThatCouldMeanSomething) {
  EXPECT_EQ(percent_encode("a+b/c=d:e@f&g?h#i%j k"), "a%2Bb%2Fc%3Dd%3Ae%40f%26g%3Fh%23i%25j%20k");
  EXPECT_EQ(percent_encode("A-z0.9_~"), "A-z0.9_~");
}

TEST(Query, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(write_query({{"Cursor", std::string()},
                         {"Statuses", Scalars{}},
                         {"XFilter", DateFilter{}},
                         {"Limit", std::string("100")}},
                        {}, "UTC"),
            "Limit=100");
}

TEST(Query, CutsLongListsByTheBytesTheyTake) {
  ServiceDialect dialect;
  dialect.query_bytes = 300;
  Scalars addresses;
  for (int i = 0; i < 40; ++i)
    addresses.push_back("person+" + std::to_string(i) + "@example.test");
  const auto parts = chunks("EmailAddresses", addresses, 100, dialect);
  std::size_t total = 0;
  for (const auto& part : parts) {
    total += part.size();
    EXPECT_LE(written({"EmailAddresses", part}, dialect).size(), 200u);
  }
  EXPECT_EQ(total, addresses.size());
  EXPECT_GT(parts.size(), 5u);
}

TEST(Query, SendsAnAddressThatIsTooLongForAnyQueryAlone) {
  ServiceDialect dialect;
  dialect.query_bytes = 200;
  const auto parts = chunks("EmailAddresses", {std::string(400, 'x'), "a@b.test"}, 0, dialect);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].size(), 1u);
}

}  // namespace
