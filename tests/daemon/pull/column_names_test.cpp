// A data column may be written by its name, its display name or its number, and an archived column
// may have the same name. Push, read-back and the pulled customers must mean the same column.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

struct Naming {
  const char* name;
  std::string written;  // in `correlate` and in Data
  std::vector<sandbox::DataColumn> columns;
};

const std::vector<sandbox::DataColumn> kPlain = {{1, "OrderNumber", "Order number", false, false}};
const std::vector<sandbox::DataColumn> kTwins = {{9, "OrderNumber", "Order number", false, true},
                                                 {1, "OrderNumber", "Order number", false, false}};

class ColumnNames : public in_process::Shop, public testing::WithParamInterface<Naming> {
 protected:
  static sandbox::Options with(const std::vector<sandbox::DataColumn>& columns) {
    auto options = still();
    options.columns = columns;
    return options;
  }
  ColumnNames() : Shop(with(GetParam().columns)) {
    auto& push = settings_.pushes.at(0);
    push.correlate = push.data.at(0).column = GetParam().written;
    push.doubt = config::Push::Doubt::resend;
    push.settle = 10min;
  }
};

TEST_P(ColumnNames, ThePulledCustomerTellsTheLedgerItsId) {
  order("1");
  sync();
  clock_.now += 20min;
  sync();
  ASSERT_EQ(state("1"), State::sent);
  EXPECT_TRUE(crm::Ledger(*crm_).find("orders", "1")->customer_id.has_value());
}

TEST_P(ColumnNames, ReadBackProvesAbsenceAndTheRowGoesAgain) {
  settings_.pulls.clear();
  order("900");
  sync();
  clock_.now += 20min;
  order("1");
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    return service::Exchange{service::Failure{service::Failure::Kind::unknown, "lost", 0}};
  };
  sync();
  ASSERT_EQ(state("1"), State::in_doubt);
  outside_.on_exchange = {};
  clock_.now += 20min;
  sync();
  sync();
  EXPECT_EQ(state("1"), State::sent) << crm::Ledger(*crm_).find("orders", "1")->reason;
  EXPECT_EQ(service_.customers().size(), 2u);
}

TEST_P(ColumnNames, APullFiltersByThatColumn) {
  auto& filters = settings_.pulls.at(0).filters;
  filters.push_back(
      {"DataFilters", {}, std::vector<config::Filter::Column>{{GetParam().written, "1"}}});
  order("1");
  order("2");
  sync();
  clock_.now += 20min;
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 1);
}

INSTANTIATE_TEST_SUITE_P(All, ColumnNames,
                         testing::Values(Naming{"Name", "OrderNumber", kPlain},
                                         Naming{"DisplayName", "order NUMBER", kPlain},
                                         Naming{"Number", "1", kPlain},
                                         Naming{"ArchivedTwinListedFirst", "OrderNumber", kTwins}),
                         [](const auto& naming) { return naming.param.name; });

}  // namespace
