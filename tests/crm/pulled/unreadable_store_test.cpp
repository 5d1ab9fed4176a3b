// survey_unreadable on every database.
#include "connectors/crm/pulled/unreadable_store.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/dialect/limits.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

mapping::Record customer(std::int64_t id) {
  mapping::Record record(mapping::customer());
  record.set("Id", id);
  return record;
}

class UnreadableStore : public OnOurTables {
 protected:
  void keep(std::int64_t id, const std::string& rule, const std::string& raw) {
    keep_unreadable(database, "customers", {{{{"Customers[0]", rule}, customer(id), raw}}},
                    database.now(), kept_names);
  }
  KeptNames kept_names;
  Database& database = open();
};

TEST_P(UnreadableStore, CutsALongReasonBetweenCharacters) {
  std::string rule;
  while (rule.size() < kReasonBytesMax + 10)
    rule += "\u20ac";
  keep(1, rule, "{}");
  const auto reason = database.query({"SELECT reason FROM survey_unreadable", {}}).rows.at(0).at(0);
  const auto text = std::get<std::string>(reason);
  EXPECT_LE(text.size(), kReasonBytesMax);
  EXPECT_TRUE(text.ends_with("\u20ac"));
}

TEST_P(UnreadableStore, KeepsTheLatestTextOfARecordUntilItIsRead) {
  keep(1, "no number", "{\"a\":1}");
  keep(1, "no number", "{\"a\":2}");
  keep(2, "no number", "{}");
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 2}));
  const auto raw =
      database.query({"SELECT raw FROM survey_unreadable WHERE record = '1'", {}}).rows.at(0).at(0);
  EXPECT_EQ(raw, Value{"{\"a\":2}"});
  const std::vector<mapping::Record> read{customer(1), customer(2), customer(3)};
  KeptNames of_ratings;
  drop_unreadable(database, "ratings", read, of_ratings);
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 2}));
  drop_unreadable(database, "customers", read, kept_names);
  EXPECT_THAT(unreadable_counts(database), IsEmpty());
  keep(3, "no number", "{}");
  drop_unreadable(database, "customers", read, kept_names);
  EXPECT_THAT(unreadable_counts(database), IsEmpty()) << "the names are not those of before";
}

TEST_P(UnreadableStore, CountsWhatHidesWhomNotToMail) {
  const auto of = [](std::optional<std::int64_t> id, const std::string& person) {
    mapping::Record partial(mapping::customer());
    if (id) partial.set("Id", *id);
    return UnreadRecord{
        {{"Customers[0]", "no"}, partial, "{" + person}, person, FactKind::unread_opt_out};
  };
  keep(1, "no number", "{}");
  keep_unreadable(database, "customers", {of(2, "ann"), of({}, "bob"), of({}, "")}, database.now(),
                  kept_names);
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 4, 2, 1}));
  EXPECT_TRUE(kept_names.has_keyless(database, "customers"));
  reveal_keyless(database, "customers", "bob");
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 4, 1, 1}));
  const std::vector<mapping::Record> read{customer(2), customer(7)};
  EXPECT_EQ(drop_unreadable(database, "customers", read, kept_names).size(), 1U);
  EXPECT_THAT(unreadable_counts(database), ElementsAre(UnreadableCount{"customers", 3, 0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Databases, UnreadableStore, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
