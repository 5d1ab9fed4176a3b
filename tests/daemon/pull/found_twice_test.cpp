// A customer that the service lists twice: the log names the transaction and what to type.
#include "daemon/lists/found_twice.hpp"

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class LastLine final : public daemon::Log {
 public:
  void write(Level, std::string_view text, const daemon::LogFields& fields) override {
    text_ = text;
    job_ = fields.job;
    key_ = fields.key;
  }
  std::string text_, job_, key_;
};

TEST(FoundTwice, IsLoggedWithTheFieldsOfItsTransaction) {
  LastLine log;
  daemon::tell_found_twice(log, "pull.customers", "orders", 2, "a b", "bridge.toml");
  EXPECT_EQ(log.key_, "a b");
  EXPECT_EQ(log.job_, "pull.customers");
  EXPECT_EQ(log.text_,
            "2 transactions of push \"orders\" at the service MORE THAN ONCE; the first: see"
            " `surveybridge explain 'a b' -c bridge.toml`");
}

class ListedTwice : public in_process::Shop {};

TEST_F(ListedTwice, IsToldByThePullThatMeetsIt) {
  order("1");
  sync();
  ASSERT_EQ(state("1"), crm::State::sent);
  service_.handle({"POST",
                   "/external/api/v3/customer/add",
                   {{"Content-Type", "application/json"}},
                   R"({"Customers":[{"Email":"person1@example.test","Data":[)"
                   R"({"CustomerDataColumnId":1,"Value":"1"}]}]})"});
  ASSERT_EQ(service_.customers().size(), 2u);
  in_process::Instance instance(settings_, outside_, 5);
  instance.run_until(clock_.now + 3h);
  EXPECT_TRUE(
      instance.log().has("1 transaction of push \"orders\" at the service MORE THAN ONCE; the "
                         "first: see `surveybridge explain 1"));
}

}  // namespace
