// `surveybridge init --template` on a small database with the tables of each system that it knows:
// from the template to customers at the service, value by value, and to their status in the field
// that the system has for it. The rows that must not go out are there, too (templates/NAME.sql).
#include <date/date.h>

#include "tests/program/init_world.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/tables.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAreArray;

// Ten o'clock UTC two days ago is the first one's date, an hour later the second one's.
struct KnownSystem {
  std::string name;
  Server server;
  std::string push, zone;              // zone: an option; empty: that of the template
  std::vector<std::string> customers;  // address, clock, and data, with "|" between them
  std::string suppressed;              // the key that goes to nobody, or a pattern of several
  std::string field;                   // a query for key and status of the rows that were written
  Cells keys;                          // these, and no other
  std::string found = "3";             // how many rows the query returns
};

std::ostream& operator<<(std::ostream& out, const KnownSystem& system) {
  return out << system.name;
}

const KnownSystem kSystems[] = {
    {"dolibarr",
     Server::mariadb,
     "orders",
     "Asia/Tokyo",
     {"ada@private.test|10:00:00Z|1|Ada|Xanthippe|nl_NL|121.50",
      "office@private.test|11:00:00Z|2||Xanthippe & Co|fr_FR|10.00"},
     "5",
     "SELECT fk_object, survey_status FROM llx_commande_extrafields ORDER BY 1",
     {"1", "2"}},
    {"prestashop",
     Server::mariadb,
     "orders",
     "Asia/Tokyo",
     {"ada@private.test|10:00:00Z|1|Ada|Xanthippe|nl|49.95",
      "guest@private.test|11:00:00Z|2|Guest|Xanthippe|fr|10.00"},
     "6",
     "SELECT id_order, survey_status FROM ps_order_survey ORDER BY 1",
     {"1", "2"}},
    {"woocommerce:shop_",
     Server::mariadb,
     "orders",
     "",
     {"guest@private.test|10:00:00Z|1|Guest|Xanthippe|fr|49.95",
      "ada@private.test|11:00:00Z|2|Ada|Xanthippe|nl|10.00"},
     "[58]",
     "SELECT order_id, meta_value FROM shop_wc_orders_meta WHERE meta_key = 'survey_status'"
     " ORDER BY 1",
     {"1", "2"},
     "4"},
    {"espocrm",
     Server::mariadb,
     "cases",
     "",
     {"ada@private.test|10:00:00Z|1|Ada|Xanthippe||",
      "Bob@private.test|11:00:00Z|2|Bob|Xanthippe||"},
     "5",
     "SELECT number, c_survey_status FROM `case` WHERE c_survey_status IS NOT NULL ORDER BY 1",
     {"1", "2"}},
    {"odoo",
     Server::postgresql,
     "orders",
     "",
     {"ada@private.test|10:00:00Z|1||Ada Xanthippe|nl_NL|49.95",
      "office@private.test|11:00:00Z|2||Xanthippe & Co||10"},
     "5",
     "SELECT id, x_survey_status FROM sale_order WHERE x_survey_status IS NOT NULL ORDER BY 1",
     {"1", "2"}},
    {"zammad",
     Server::postgresql,
     "tickets",
     "",
     {"ada@private.test|10:00:00Z|70001|Ada|Xanthippe|nl|",
      "bob@private.test|11:00:00.25Z|70002|Bob|Xanthippe||"},
     "70006",
     "SELECT number, survey_status FROM tickets WHERE survey_status IS NOT NULL ORDER BY 1",
     {"70001", "70002"}}};

std::string two_days_ago() {
  using Days = date::sys_days;
  return date::format(
      "%F", date::floor<date::days>(std::chrono::system_clock::now()) - Days::duration(2));
}

void fill_crm(Crm& crm, const std::string& system) {
  const std::string text =
      replaced(support::read_file(support::source_dir() + "/tests/program/templates/" +
                                  system.substr(0, system.find(':')) + ".sql"),
               "{day}", two_days_ago());
  for (std::size_t at = 0; at + 1 < text.size();) {
    const auto end = text.find(";\n", at);
    crm.execute(text.substr(at, end - at));
    at = end + 2;
  }
}

class InitOfSystem : public testing::Test {
 protected:
  explicit InitOfSystem(Server server) : crm_(server) {}
  support::Finished init(const Arguments& more) {
    Arguments all{
        "init",       "-c",           file_,          "--token",        "env:BRIDGE_TOKEN",
        "--base-url", sandbox_.url(), "--connection", crm_.connection()};
    all.insert(all.end(), more.begin(), more.end());
    auto ran = run(bridge_program(all));
    expect_no_private_words(ran.err);
    return ran;
  }
  support::Finished command(Arguments words) {
    words.insert(words.end(), {"-c", file_});
    return bridge(words);
  }
  std::string written() const { return support::read_file(file_); }

  Crm crm_;
  SandboxProgram sandbox_{[] {
    auto flags = demo_service();
    flags.insert(flags.end(), {"--speed", "0"});
    return flags;
  }()};
  support::TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/bridge.toml";
};

class Template : public InitOfSystem, public testing::WithParamInterface<KnownSystem> {
 protected:
  Template() : InitOfSystem(GetParam().server) { fill_crm(crm_, GetParam().name); }
  std::vector<std::string> customers() const {
    std::vector<std::string> all;
    for (const auto& each : sandbox_.customers()) {
      const std::string date = each.at("transaction_date");
      EXPECT_EQ(date.substr(0, 11), two_days_ago() + "T");
      std::string text = std::string(each.at("email")) + "|" + date.substr(11);
      for (const char* name : {"OrderNumber", "FirstName", "LastName", "Language", "Amount"})
        text += "|" + each.at("data").value(name, "");
      all.push_back(text);
    }
    return all;
  }
};

TEST_P(Template, BringsCustomersOutAndTheirStatusBack) {
  const auto& system = GetParam();
  Arguments options{"--template", system.name};
  if (!system.zone.empty()) options.insert(options.end(), {"--time-zone", system.zone});
  const auto made = init(options);
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  EXPECT_THAT(made.out, HasSubstr("push." + system.push + ": 2 customers in the next batch"));
  EXPECT_THAT(made.out, testing::ContainsRegex("  " + system.suppressed + " +suppressed: "));
  EXPECT_THAT(made.out, HasSubstr("[suppress] has the opt-outs of "));
  EXPECT_THAT(made.out, HasSubstr(system.zone.empty() ? "taken to be in UTC, as " : ""));

  EXPECT_EQ(command({"release", system.push}).status, 1);
  const auto released = command({"release", system.push, "--confirm", system.found});
  EXPECT_EQ(released.status, 0) << released.out << released.err;
  const auto pushed = command({"sync", "push"});
  EXPECT_EQ(pushed.status, 0) << pushed.out << pushed.err;
  EXPECT_THAT(customers(), UnorderedElementsAreArray(system.customers));

  const auto pulled = command({"sync", "pull"});
  EXPECT_EQ(pulled.status, 0) << pulled.out << pulled.err;
  const std::string status = crm_.cell("SELECT MIN(status_name) FROM survey_customer");
  EXPECT_NE(status, "-");
  EXPECT_THAT(crm_.rows(system.field),
              ElementsAre(Cells{system.keys[0], status}, Cells{system.keys[1], status}));
}

INSTANTIATE_TEST_SUITE_P(Systems, Template, testing::ValuesIn(kSystems), [](const auto& each) {
  return each.param.name.substr(0, each.param.name.find(':'));
});

struct InitOfOdoo : InitOfSystem {
  InitOfOdoo() : InitOfSystem(Server::postgresql) { fill_crm(crm_, "odoo"); }
};

// Without a terminal a proposal is an answer, and the configuration loads.
TEST_F(InitOfOdoo, ProposesTheTemplateThatFitsTheTablesAndLeavesOutWhatIsNotThere) {
  crm_.execute("ALTER TABLE sale_order DROP COLUMN x_survey_status");
  const auto made = init({});
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  EXPECT_THAT(made.out, HasSubstr("in UTC, as Odoo has it"));
  EXPECT_THAT(written(), HasSubstr("\n# Cannot be written yet: its table or column is not there"));
  EXPECT_THAT(written(), HasSubstr("\n# [[pull.customers.write]]\n"));
  EXPECT_THAT(written(), HasSubstr("\n# Odoo: sales orders that are delivered."));
  EXPECT_THAT(written(), HasSubstr("\n[suppress]  # whom no push may mail\nquery = "));
}

TEST_F(InitOfOdoo, AsksForNothingThatTheTemplateAnswers) {
  support::Terminal terminal(bridge_program({"init", "-c", file_, "--token", "env:BRIDGE_TOKEN",
                                             "--auth", "bearer", "--base-url", sandbox_.url()}));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"time zone of the CRM's clock [", "Asia/Tokyo"},
                          {"CRM's database: ", crm_.connection()},
                          {"tables that are there (odoo), or none [odoo]: ", ""},
                          {"is ever sent [", ""}}));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(terminal.shown(), HasSubstr("are those of Odoo; its clock is in UTC"));
  EXPECT_THAT(written(), HasSubstr("time_zone = \"UTC\""));
}

TEST_F(InitOfOdoo, TakesNoTemplateWhereNoneIsWanted) {
  const auto none = init({"--template", "none"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("init: --query: is required"));
  const auto own = init({"--query",
                         "SELECT id, effective_date AS at, name AS email, name AS "
                         "last_name FROM sale_order WHERE id < 3"});
  EXPECT_THAT(own.out, Not(HasSubstr("Odoo"))) << own.err;
}

TEST_F(InitOfOdoo, SaysWhichTemplatesThereAreAndWhatTheirTablesLack) {
  EXPECT_THAT(init({"--template", "magento"}).err,
              HasSubstr("init: --template: must be none or \"dolibarr\", "));
  const auto other = init({"--template", "zammad"});
  EXPECT_EQ(other.status, 78);
  EXPECT_THAT(other.err, HasSubstr("init: --template: the database has not all tables of Zammad: "
                                   "tickets, ticket_states, "));
  EXPECT_EQ(files_in(folder_.path()), 0);
}

struct InitOfShops : InitOfSystem {
  InitOfShops() : InitOfSystem(Server::mariadb) { fill_crm(crm_, "woocommerce"); }
};

// Orders of the site whose tables are not in use would be old ones.
TEST_F(InitOfShops, AsksForThePrefixAndFindsNothingWhereTheTablesAreNotInUse) {
  for (const Arguments& options : {Arguments{}, Arguments{"--template", "woocommerce"}}) {
    const auto which = init(options);
    EXPECT_EQ(which.status, 2) << which.out;
    EXPECT_THAT(which.err, testing::ContainsRegex("init: --template: .*shop_2_, .*shop_[^2]"));
    EXPECT_THAT(which.err, Not(HasSubstr("--query")));
  }
  const auto second = init({"--template", "woocommerce:shop_2_"});
  EXPECT_THAT(second.out, HasSubstr("push.orders: nothing waits: the query returns no row"))
      << second.err;
  EXPECT_THAT(second.out, HasSubstr("[suppress] is still a comment in the file"));
  EXPECT_THAT(written(), HasSubstr("\n# query = \"SELECT email FROM shop_2_mailpoet_subscribers"));
}

}  // namespace
}  // namespace program
