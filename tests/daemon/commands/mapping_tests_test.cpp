// `test`: rows of a file through the maps of a configuration.
#include "daemon/commands/mapping_tests.hpp"

#include <iostream>

#include <gmock/gmock.h>

#include "daemon/commands/commands.hpp"
#include "daemon/job/json_text.hpp"
#include "tests/in_process/instance.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace surveybridge;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTestedPush = R"([service]
base_url = "http://127.0.0.1:1"
[crm]
connection = "sqlite3:///unused"
time_zone = "Europe/Amsterdam"
[push.orders]
query = "SELECT * FROM orders"
key = "id"
when = "at"
start = 2026-11-01
correlate = "OrderNumber"
[push.orders.customer]
Email = { column = "email", required = "skip" }
TransactionDate = "at"
Priority = { column = "tier", map = { gold = 1 } }
AnswersToCopy = ["question"]
[[push.orders.customer.Answers]]
BaseQuestionId = 1200
Text = "remark"
[push.orders.customer.Data]
OrderNumber = "id"
FirstName = { column = "first", default = "customer", trim = true }
)";

const std::string kAnn = R"([[test]]
name = "Ann"
push = "orders"
row = { id = 17, email = "ann@example.test", at = 2026-11-05T10:00:00, tier = "gold", question = 7, first = " Ann ", remark = "fine" }
)";

daemon::MappingTested tested(const std::string& text) {
  const auto settings = in_process::settings_of(kTestedPush);
  auto done = daemon::run_mapping_tests(text, "tests.toml", settings, {});
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&done))
    throw std::runtime_error(to_string(problems->front()));
  return std::get<daemon::MappingTested>(std::move(done));
}

// "Ann: Email: ann@example.test, nothing": what was expected, and found.
std::vector<std::string> faults(const std::string& text) {
  std::vector<std::string> all;
  for (const auto& [test, place, field, expected, found] : tested(text).faults)
    all.push_back(test + ": " + field + ": " + expected.value_or("nothing") + ", " +
                  found.value_or("nothing"));
  return all;
}

std::vector<std::string> problems_of(const std::string& text) {
  const auto settings = in_process::settings_of(kTestedPush);
  const auto done = daemon::run_mapping_tests(text, "tests.toml", settings, {});
  std::vector<std::string> all;
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&done))
    for (const auto& problem : *problems)
      all.push_back(to_string(problem));
  return all;
}

TEST(MappingTests, PassWhereTheCustomerIsTheExpectedOne) {
  EXPECT_THAT(faults(kAnn + R"(whole = true
[test.customer]
Email = "ann@example.test"
TransactionDate = 2026-11-05T09:00:00Z
Priority = 1
"AnswersToCopy[0]" = 7
"Answers[1200].BaseQuestionId" = 1200
"Answers[1200].Text" = "fine"
"Data[OrderNumber]" = "17"
"Data[FirstName]" = "Ann"
)"),
              IsEmpty());
}

TEST(MappingTests, NameTheFieldWhatWasExpectedAndFound) {
  const auto faulty =
      kAnn +
      R"(customer = { Email = "bob@example.test", Priority = 1, PhoneNumber = "1", "Data[FirstName]" = "" }
)";
  EXPECT_THAT(faults(faulty),
              ElementsAre("Ann: Email: bob@example.test, ann@example.test",
                          "Ann: PhoneNumber: 1, nothing", "Ann: Data[FirstName]: nothing, Ann"));
  EXPECT_EQ(tested(faulty).tests, 1u);
  EXPECT_EQ(tested(faulty).faults.at(0).place.line, 1);
}

TEST(MappingTests, FindAFieldThatNobodyExpectedWhereTheWholeIsNamed) {
  EXPECT_THAT(
      faults(R"([[test]]
push = "orders"
row = { email = "a@b.test", tier = "gold" }
customer = { Email = "a@b.test" }
whole = true
)"),
      ElementsAre("test 1: Priority: nothing, 1", "test 1: Data[FirstName]: nothing, customer"));
}

TEST(MappingTests, ExpectAReasonInTheWordsOfPreview) {
  const std::string begin = "[[test]]\npush = \"orders\"\n";
  const auto says = [&](const std::string& row, const std::string& reason) {
    return faults(begin + "row = { " + row + " }\nreason = \"" + reason + "\"\n");
  };
  EXPECT_THAT(says("email = ''", "suppressed: Email"), IsEmpty());
  EXPECT_THAT(says("email = 'a@b.test', tier = 'x'", "quarantined: Priority"), IsEmpty());
  EXPECT_THAT(says("email = 'no address'", "quarantined: Email"), IsEmpty());
  EXPECT_THAT(says("email = 'a@b.test', at = 2026-10-31T23:59:59", "left out: before start"),
              IsEmpty());
  EXPECT_THAT(says("email = 'a@b.test', at = 2026-11-01T00:00:00", "left out"),
              ElementsAre("test 1: reason: left out, a customer"));
  EXPECT_THAT(says("email = 'a@b.test', at = ''", "quarantined: when: no date"), IsEmpty());
  EXPECT_THAT(says("email = 'a@b.test', id = ''", "left out: 1 row has no"), IsEmpty());
  EXPECT_THAT(faults(begin + "row = { email = '' }\ncustomer = { Email = 'a@b.test' }\n"),
              ElementsAre(HasSubstr("test 1: reason: a customer, suppressed: Email")));
}

TEST(MappingTests, RefuseAFileThatCanNeverBeRight) {
  EXPECT_THAT(problems_of(kAnn), ElementsAre(HasSubstr("needs either customer or reason")));
  EXPECT_THAT(problems_of("[[test]]\npush = \"order\"\nrow = {}\nreason = \"x\"\n"),
              ElementsAre(HasSubstr("test[0].push: there is no push \"order\" (did you mean "
                                    "\"orders\"?)")));
  EXPECT_THAT(problems_of("[[test]]\npush = \"orders\"\nrow = { emial = \"a\" }\n"
                          "customer = { Emial = \"a\" }\n"),
              ElementsAre(HasSubstr("tests.toml:3:9: test[0].row.emial: push \"orders\" reads no "
                                    "such column (did you mean \"email\"?)"),
                          HasSubstr("test[0].customer.Emial: ")));
  EXPECT_THAT(problems_of("[[test]]\npush = \"orders\"\nrow = { email = [1] }\nreason = \"x\"\n"),
              ElementsAre(HasSubstr("test[0].row.email: must be a text, number, date")));
  EXPECT_THAT(problems_of("[[tests]]\n"), testing::Not(IsEmpty()));
  EXPECT_THAT(problems_of("[[test"), testing::SizeIs(1));
}

TEST(MappingTests, AreACommandWhoseExitCodeSaysWhatIsWrong) {
  const support::TemporaryFolder folder;
  daemon::Invocation invocation;
  invocation.json = true;
  std::string out;
  const auto run = [&](const std::string& config, const std::string& tests) {
    invocation.config = folder.write("bridge.toml", config);
    invocation.name = folder.write("tests.toml", tests);
    testing::internal::CaptureStdout();
    const auto code = daemon::command_test(invocation);
    std::cout.flush();
    out = testing::internal::GetCapturedStdout();
    return code;
  };
  EXPECT_EQ(run(kTestedPush, kAnn + "customer = { Priority = 1 }\n"), 0);
  EXPECT_EQ(run(kTestedPush, kAnn + "customer = { Priority = 2 }\n"), 1);
  const auto failed = daemon::Json::parse(out).at("failed").at(0);
  EXPECT_EQ(failed.at("field"), "Priority");
  EXPECT_EQ(failed.at("expected"), "2");
  EXPECT_EQ(failed.at("found"), "1");
  EXPECT_EQ(run(kTestedPush, kAnn), 2);
  EXPECT_EQ(run("[service]\n", kAnn), 78);
}

}  // namespace
