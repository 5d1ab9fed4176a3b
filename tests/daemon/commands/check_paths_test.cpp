// Names in paths that the service does not have, as far as `check` knows what it has.
#include "daemon/commands/check_paths.hpp"

#include <gmock/gmock.h>

namespace surveybridge::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

config::Pull pull_of(config::Pull::List list, const std::string& path) {
  config::Pull pull;
  pull.list = list;
  pull.name = "mine";
  pull.follow_ups = {{"low", {}, {{{path, {}, {}}}}, {}, {}, ""}};
  return pull;
}

TEST(UnknownInPaths, AreNotToldWhereNobodyKnowsWhatThereIs) {
  for (const char* path : {"Data[Oder]", "Answers[7].Text", "Status.StatusName"})
    EXPECT_THAT(unknown_in_paths(pull_of(config::Pull::List::customers, path), {}), IsEmpty());
}

TEST(UnknownInPaths, AreQuestionsOfCustomersAlone) {
  const NamesOfService known{{}, {}, {1200}};
  EXPECT_THAT(
      unknown_in_paths(pull_of(config::Pull::List::customers, "Answers[7].Text"), known),
      ElementsAre(HasSubstr("pull.mine.follow_up.low.when: nobody has answered a question with")));
  EXPECT_THAT(unknown_in_paths(pull_of(config::Pull::List::customers, "Answers[1200].Text"), known),
              IsEmpty());
  EXPECT_THAT(unknown_in_paths(pull_of(config::Pull::List::ratings, "Answers[7].Text"), known),
              IsEmpty());
}

TEST(UnknownInPaths, AreNamesThatRatingsDoNotShow) {
  const NamesOfService known{{{1, "OrderNumber", "Order number", false, false}}, {}, {}};
  EXPECT_THAT(unknown_in_paths(pull_of(config::Pull::List::ratings, "Data[OrderNumber]"), known),
              ElementsAre(HasSubstr("that is Data[Order number]")));
  EXPECT_THAT(unknown_in_paths(pull_of(config::Pull::List::ratings, "Data[order number]"), known),
              IsEmpty());
  EXPECT_THAT(unknown_in_paths(pull_of(config::Pull::List::customers, "Data[OrderNumber]"), known),
              IsEmpty());
}

}  // namespace
}  // namespace surveybridge::daemon
