// Walks of a list of customers that do not go straight on to its end.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

constexpr const char* kList = "/external/api/v3/customer?";

class Walks : public whole::Shop {
 protected:
  Walks() {
    settings_.pushes.clear();
    settings_.pulls.resize(1);
  }
  // A page of the list by the cursor that asks for it; the first one's is empty.
  using PageOf = std::function<service::Response(const std::string& cursor)>;
  void list(PageOf page_of) {
    outside_.on_exchange = [page_of](const service::Request& request, const auto& send) {
      if (request.url.find(kList) == std::string::npos) return send();
      const auto at = request.url.find("Cursor=");
      const auto begin = at == std::string::npos ? request.url.size() : at + 7;
      const auto end = std::min(request.url.find('&', begin), request.url.size());
      return service::Exchange{page_of(request.url.substr(begin, end - begin))};
    };
  }
  static service::Response page(const std::string& customers, const std::string& next) {
    return {200,
            {{"content-type", "application/json"}},
            R"({"NextCursor":")" + next + R"(","Customers":[)" + customers + "]}"};
  }
  static std::string customer(int id) {
    return R"({"Id":)" + std::to_string(id) + R"(,"Email":"x@example.test"})";
  }
};

TEST_F(Walks, DoNotEndAtOneEmptyPageThatCouldNotBeStoredAtFirst) {
  bool empty_listed = false, failed = false;
  list([&](const std::string& cursor) {
    if (cursor.empty()) return page(customer(1), "empty");
    empty_listed = empty_listed || cursor == "empty";
    return cursor == "empty" ? page("", "last") : page(customer(2), "");
  });
  outside_.on_moment = [&](const whole::Moment& moment) {
    if (moment.what != whole::Moment::What::commit || !empty_listed) return;
    if (!std::exchange(failed, true))
      throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "busy");
  };
  sync();
  EXPECT_TRUE(failed);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 2);
}

}  // namespace
