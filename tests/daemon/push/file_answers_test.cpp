// Files of a CRM, in a binary column or in a folder, become answers at the service, and the pull
// returns the same bytes.
#include <filesystem>

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using crm::State;

const std::string kFirst("%PDF\0\xFF\x01", 7), kSecond("PNG\r\n\x1A\n\0", 8);

std::string configuration(const std::string& folder, const std::string& format) {
  return R"(
[service]
base_url = "http://127.0.0.1:1"
format = ")" +
         format + R"("
[service.auth]
kind = "none"
[service.pace]
max_per_second = 1000
[crm]
connection = "sqlite3:///unused"
[push.orders]
brake = false
query = "SELECT * FROM papers"
key = "id"
when = "delivered_at"
start = 2026-11-01
[push.orders.batch]
ApproveAutomatically = true
[push.orders.customer]
Email = "email"
[[push.orders.customer.Answers]]
BaseQuestionId = 1203
[[push.orders.customer.Answers.FileAnswers]]
FileName = { value = "scan.pdf" }
Data = "scan"
[[push.orders.customer.Answers.FileAnswers]]
FileName = "file"
Data = { column = "file", folder = ")" +
         folder + R"(", max_bytes = 1000 }
[pull.customers]
from = 2026-11-01
)";
}

class FileAnswers : public in_process::Shop, public testing::WithParamInterface<std::string> {
 protected:
  FileAnswers() {
    settings_ = in_process::settings_of(configuration(files_.path(), GetParam()));
    sql("CREATE TABLE papers (id TEXT, email TEXT, delivered_at TEXT, scan BLOB, file TEXT)");
  }
  void paper(const std::string& id, const crm::Value& scan, const crm::Value& file) {
    crm_->execute({"INSERT INTO papers VALUES (:p1, :p2, '2026-11-09T12:00:00Z', :p3, :p4)",
                   {id, "person" + id + "@example.test", scan, file}});
  }
  std::vector<std::vector<crm::Value>> rows(const std::string& text) {
    std::vector<std::vector<crm::Value>> rows;
    for (const auto& row : crm_->query({text, {}}).rows)
      rows.push_back(row);
    return rows;
  }
  std::string reason(const std::string& key) {
    return crm::Ledger(*crm_).find("orders", key)->reason;
  }

  support::TemporaryFolder files_;
};

TEST_P(FileAnswers, GoOutAndComeBackAsTheSameBytes) {
  files_.write("second.png", kSecond);
  paper("1", mapping::Bytes{kFirst}, std::string("second.png"));
  paper("2", mapping::Null{}, mapping::Null{});
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  sync();
  const auto found = rows("SELECT file_name, data FROM survey_answer_file ORDER BY position");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0][0], crm::Value{std::string("scan.pdf")});
  EXPECT_EQ(found[0][1], crm::Value{mapping::Bytes{kFirst}});
  EXPECT_EQ(found[1][0], crm::Value{std::string("second.png")});
  EXPECT_EQ(found[1][1], crm::Value{mapping::Bytes{kSecond}});
  EXPECT_EQ(state("2"), State::sent) << "who has none goes without";
}

TEST_P(FileAnswers, ThatCannotBeReadCostOnlyTheirOwnRow) {
  files_.write("good", kFirst);
  files_.write("large", std::string(1001, 'x'));
  paper("1", mapping::Null{}, std::string("gone"));
  paper("2", mapping::Null{}, std::string("large"));
  paper("3", mapping::Null{}, std::string("/etc/passwd"));
  paper("4", mapping::Null{}, std::string("good"));
  sync();
  EXPECT_EQ(state("4"), State::sent);
  const std::string file = "Answers[0].FileAnswers[1].Data: the file named by the column \"file\" ";
  EXPECT_EQ(reason("1"), file + "is not there");
  EXPECT_EQ(reason("2"), file + "has more than 1000 bytes");
  EXPECT_EQ(reason("3"), file + "is not in the folder");
  for (const char* key : {"1", "2", "3"})
    EXPECT_EQ(state(key), State::quarantined);
}

TEST_P(FileAnswers, OfAFolderThatIsAwayWaitForIt) {
  files_.write("good", kFirst);
  paper("1", mapping::Null{}, std::string("good"));
  const std::string away = files_.path() + "-away";
  std::filesystem::rename(files_.path(), away);
  const auto synced = sync();
  EXPECT_NE(synced.result.exit_code, daemon::kDone);
  EXPECT_EQ(crm::Ledger(*crm_).find("orders", "1"), std::nullopt) << "no row is set aside for it";
  std::filesystem::rename(away, files_.path());
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(state("1"), State::sent);
}

TEST_P(FileAnswers, ThatWouldNotFitOneRequestGoInSeveral) {
  settings_.pushes.at(0).batch.bytes = 3000;
  for (int i = 0; i < 9; ++i)
    paper(std::to_string(i), mapping::Bytes{std::string(900, static_cast<char>('a' + i))},
          mapping::Null{});
  std::size_t largest = 0;
  int posts = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method == "POST") ++posts;
    if (request.method == "POST") largest = std::max(largest, request.body.size());
    return send();
  };
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_GE(posts, 4);
  EXPECT_LT(largest, 4000U);
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(state(std::to_string(i)), State::sent);
}

INSTANTIATE_TEST_SUITE_P(In, FileAnswers, testing::Values("json", "xml"),
                         [](const auto& one) { return one.param; });

}  // namespace
