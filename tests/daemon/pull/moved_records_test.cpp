// Windows of several pages, of a service whose cursor counts rows: a customer who becomes active
// while the window is read leaves it, and each later one moves up by a row.
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "daemon/lists/page_walk.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class MovedRecords : public in_process::Shop {
 protected:
  static sandbox::Options lively(bool by_offset) {
    auto options = still();
    options.paging.by_offset = by_offset;
    options.lives_speed = 1000;
    return options;
  }
  explicit MovedRecords(const sandbox::Options& options = lively(true)) : Shop(options) {}

  // The service gets `orders` customers, who live for two minutes. Then they are pulled, four a
  // page, and each page takes twenty seconds.
  void begin(int customers) {
    for (int i = 0; i < customers; ++i)
      add(i);
    settings_.pushes.clear();
    settings_.pulls.resize(1);
    settings_.pulls.at(0).limit = 4;
    settings_.pulls.at(0).overlap = 1min;
    clock_.now += 2min;
    outside_.on_exchange = [this](const service::Request& request, const auto& send) {
      const bool list = request.url.find("LastActivityDateFilter") != std::string::npos;
      if (list) clock_.now += 20s;
      requests_ += list ? 1 : 0;
      return send();
    };
  }
  void add(int number) {
    const std::string address = "person" + std::to_string(number) + "@example.test";
    const auto reply = service_.handle(
        {"POST",
         "/external/api/v3/customer/add",
         {{"Content-Type", "application/json"}},
         R"({"ApproveAutomatically":true,"Customers":[{"Email":")" + address + R"("}]})"});
    ASSERT_EQ(reply.status, 200) << reply.body;
    clock_.now += 1s;
  }
  // On one page, at one moment.
  std::size_t listed() {
    const auto reply = service_.handle(
        {"GET", "/external/api/v3/customer?LastActivityDateFilter.From=2026-11-01", {}, ""});
    return nlohmann::json::parse(reply.body).at("Customers").size();
  }
  std::size_t stored() {
    return static_cast<std::size_t>(number("SELECT COUNT(*) FROM survey_customer"));
  }

  // Those who moved before they were read are in a later window.
  void come_to_rest() {
    for (int i = 0; i < 2; ++i) {
      clock_.now += 1h;
      sync();
    }
  }

  int requests_ = 0;
};

TEST_F(MovedRecords, OfALongWindowSkipNobody) {
  begin(40);
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_GT(requests_, 11) << "nobody has moved, and nothing was read again";
  come_to_rest();
  EXPECT_EQ(stored(), listed());
}

TEST_F(MovedRecords, OfAShortWindowAreReadWithTheNextOne) {
  begin(40);
  settings_.pulls.at(0).overlap = 24h * 30;
  sync();
  EXPECT_EQ(
      number(
          "SELECT COUNT(*) FROM survey_cursor WHERE list = 'customers' AND watermark IS NOT NULL"),
      0);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE list = 'customers' AND finished_at IS "
                   "NOT NULL"),
            1);
}

// Who has moved is not answered, behind a cursor that is not known any more, or behind one that
// cannot be sent.
TEST_F(MovedRecords, AreReadAgainWhereItCannotBeKnownWhoHasMoved) {
  begin(40);
  const std::string endless(daemon::kCursorBytesMax + 1, 'x');
  const auto page = [](const std::string& next) {
    return service::Response{200,
                             {{"content-type", "application/json"}},
                             R"({"NextCursor":")" + next + R"(","Customers":[]})"};
  };
  using AnswerTo = std::function<service::Response(const std::string& url)>;
  const AnswerTo fails = [](const std::string&) { return service::Response{500, {}, ""}; };
  const AnswerTo forgets = [&](const std::string& url) {
    const bool first = url.find("Cursor=gone") == std::string::npos;
    return first ? page("gone") : service::Response{410, {}, "{}"};
  };
  const AnswerTo goes_too_far = [&](const std::string& url) {
    EXPECT_LT(url.size(), endless.size());
    return page(endless);
  };
  for (const auto& answer : {fails, forgets, goes_too_far}) {
    outside_.on_exchange = [&](const service::Request& request, const auto& send) {
      const bool asks_who_moved =
          request.url.find("LastActivityDateFilter.From=") != std::string::npos &&
          request.url.find("LastActivityDateFilter.To=") == std::string::npos;
      return asks_who_moved ? service::Exchange{answer(request.url)} : send();
    };
    EXPECT_EQ(sync().result.exit_code, daemon::kDone);
    come_to_rest();
    EXPECT_EQ(stored(), listed());
    sql("DELETE FROM survey_customer");
    sql("DELETE FROM survey_cursor");
  }
}

// It is asked a few times, and not for ever.
TEST_F(MovedRecords, AreReadAgainWhereTheQuestionWhoHasMovedIsRefused) {
  begin(40);
  for (const int status : {400, 403, 404}) {
    int asked = 0;
    outside_.on_exchange = [&](const service::Request& request, const auto& send) {
      const bool asks_who_moved =
          request.url.find("LastActivityDateFilter.From=") != std::string::npos &&
          request.url.find("LastActivityDateFilter.To=") == std::string::npos;
      if (!asks_who_moved) return send();
      ++asked;
      return service::Exchange{service::Response{status, {}, "{}"}};
    };
    in_process::Instance instance(settings_, outside_, ++seed_);
    instance.run_until(clock_.now + 12h);
    EXPECT_GE(asked, 3) << status;
    EXPECT_EQ(stored(), listed()) << status;
    sql("DELETE FROM survey_customer");
    sql("DELETE FROM survey_cursor");
  }
}

// The window is divided because its cursor expired after one page. Its first part has two pages,
// and a record leaves it; the other parts are read all the same.
TEST_F(MovedRecords, OfAPartDoNotEndTheWholeWindow) {
  settings_.pushes.clear();
  settings_.pulls.resize(1);
  settings_.pulls.at(0).from =
      config::Date{std::chrono::local_days{std::chrono::year{2026} / 11 / 9}, {}};
  const auto page = [](int id, const std::string& day, const std::string& next) {
    return service::Exchange{service::Response{
        200,
        {{"content-type", "application/json"}},
        R"({"NextCursor":")" + next + R"(","Customers":[{"Id":)" + std::to_string(id) +
            R"(,"LastActivityDate":"2026-11-)" + day + R"("}]})"}};
  };
  int expired = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    const auto has = [&](const char* text) { return request.url.find(text) != std::string::npos; };
    if (!has("LastActivityDateFilter")) return send();
    if (!has("Filter.To=")) return page(1, "10T00:30:00Z", "");  // who has moved
    if (has("Cursor=whole") && expired++ < 2)
      return service::Exchange{service::Response{410, {}, "{}"}};
    if (expired < 2) return page(1, "09T00:30:00Z", "whole");
    if (has("Cursor=part")) return page(2, "09T00:40:00Z", "");
    if (has("From=2026-11-09T00%3A00%3A00Z")) return page(1, "09T00:30:00Z", "part");
    return page(3, "09T20:00:00Z", "");
  };
  sync();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer WHERE id = 3"), 1);
}

class ShortLivedCursors : public MovedRecords {
 protected:
  static sandbox::Options options() {
    auto options = lively(false);
    options.paging.cursor_lifetime = 10s;
    return options;
  }
  ShortLivedCursors() : MovedRecords(options()) {}
};

TEST_F(ShortLivedCursors, LetAWindowBeReadInParts) {
  begin(40);
  settings_.pulls.at(0).from =
      config::Date{std::chrono::local_days{std::chrono::year{2026} / 11 / 9}, {}};
  sync();
  come_to_rest();
  EXPECT_EQ(stored(), listed());
}

}  // namespace
