// A pull whose service answers without a list where it has nothing to list, or where it is broken.
#include <algorithm>

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class BareAnswers : public in_process::Shop {
 protected:
  BareAnswers() {
    settings_.pushes.clear();
    settings_.pulls.resize(1);
  }
  // `bare`: is this URL answered so?
  void answer(const std::string& body, std::function<bool(const std::string& url)> bare) {
    outside_.on_exchange = [=, this](const service::Request& request, const auto& send) {
      ++requests_;
      const bool lists = request.url.find("/customer?") != std::string::npos;
      if (!lists) return send();
      if (bare(request.url))
        return service::Exchange{service::Response{
            body.empty() ? 204 : 200, {{"content-type", "application/json"}}, body}};
      return service::Exchange{service::Response{
          200,
          {{"content-type", "application/json"}},
          R"({"Customers":[{"Id":1,"Email":"x@example.test"}],"NextCursor":null})"}};
    };
  }
  // The window of the pull, and not the widest one.
  static bool has_window(const std::string& url) {
    return url.find(".From=2026") != std::string::npos;
  }
  std::string trouble(const Synced& synced) const {
    for (const auto& job : synced.result.jobs)
      if (job.job.starts_with("pull.customers")) return job.gave_up ? job.status.trouble : "";
    return "no such job";
  }
  std::int64_t finished() {
    return number(
        "SELECT COUNT(*) FROM survey_cursor WHERE finished_at IS NOT NULL AND list = 'customers'");
  }
  int requests_ = 0;
};

constexpr const char* kBare[] = {"", "null", "[]", "{}", R"({"Customers":null,"NextCursor":null})"};

TEST_F(BareAnswers, AreAnEmptyListWhereTheServiceListsSomethingInAnotherWindow) {
  for (const std::string body : kBare) {
    if (number("SELECT COUNT(*) FROM sqlite_master WHERE name = 'survey_cursor'") > 0)
      sql("DELETE FROM survey_cursor");
    answer(body, has_window);
    EXPECT_EQ(trouble(sync()), "") << body;
    EXPECT_EQ(finished(), 1) << body;
  }
}

TEST_F(BareAnswers, AreAnEmptyListWhereThereHasNeverBeenAnything) {
  answer("", [](const auto&) { return true; });
  EXPECT_EQ(trouble(sync()), "");
  EXPECT_EQ(finished(), 1);
}

TEST_F(BareAnswers, AreNotBelievedWhereNothingIsListedThoughSomethingWasStored) {
  answer("", [](const auto&) { return false; });
  sync();
  ASSERT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 1);
  sql("UPDATE survey_cursor SET finished_at = NULL WHERE list = 'customers'");
  for (const std::string body : kBare) {
    answer(body, [](const auto&) { return true; });
    EXPECT_NE(trouble(sync()).find("got an answer without that list"), std::string::npos) << body;
    EXPECT_EQ(finished(), 0) << body;
  }
}

TEST_F(BareAnswers, AreReadAgainWhereTheyCameOnce) {
  bool once = false;
  answer("", [&](const std::string& url) { return has_window(url) && !std::exchange(once, true); });
  EXPECT_EQ(trouble(sync()), "");
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 1);
}

// Page 1 has a cursor. Behind it the service answers so a few times, or always.
TEST_F(BareAnswers, BehindACursorAreNoEndUntilTheListEndsSoAgain) {
  for (const int times : {1, 3, 1000}) {
    if (number("SELECT COUNT(*) FROM sqlite_master WHERE name = 'survey_cursor'") > 0) {
      sql("DELETE FROM survey_cursor");
      sql("DELETE FROM survey_customer");
    }
    int left = times;
    outside_.on_exchange = [&](const service::Request& request, const auto& send) {
      if (request.url.find("/customer?") == std::string::npos) return send();
      const bool second = request.url.find("Cursor=c") != std::string::npos;
      if (second && left-- > 0) return service::Exchange{service::Response{204, {}, ""}};
      return service::Exchange{service::Response{
          200,
          {{"content-type", "application/json"}},
          second ? R"({"Customers":[{"Id":2,"Email":"y@example.test"}],"NextCursor":null})"
                 : R"({"Customers":[{"Id":1,"Email":"x@example.test"}],"NextCursor":"c"})"}};
    };
    EXPECT_EQ(trouble(sync()), "");
    EXPECT_EQ(finished(), 1);
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), times < 1000 ? 2 : 1);
  }
}

// Page 1 has a cursor. Behind it, and to the question whether it answers at all, the service says
// that its answer is not whole.
TEST_F(BareAnswers, WithAListThatIsNotWholeAreNoEnd) {
  for (const std::string word : {"Partial", "HasMore"}) {
    bool is_whole = false;
    outside_.on_exchange = [&](const service::Request& request, const auto& send) {
      if (request.url.find("/customer?") == std::string::npos) return send();
      const bool alone = !is_whole && request.url.ends_with("Limit=1");
      const bool second = alone || request.url.find("Cursor=c") != std::string::npos;
      const std::string end = is_whole ? R"({"Id":2,"Email":"y@example.test"}],")" : "],\"";
      return service::Exchange{service::Response{
          200,
          {{"content-type", "application/json"}},
          second ? R"({"Customers":[)" + end + word + "\":" + (is_whole ? "false}" : "true}")
                 : R"({"Customers":[{"Id":1,"Email":"x@example.test"}],"NextCursor":"c"})"}};
    };
    EXPECT_NE(trouble(sync()).find("says that it is not whole"), std::string::npos) << word;
    EXPECT_EQ(finished(), 0) << word;
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 1) << word;
    is_whole = true;
    EXPECT_EQ(trouble(sync()), "") << word;
    EXPECT_EQ(finished(), 1) << word;
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 2) << word;
    sql("DELETE FROM survey_cursor");
    sql("DELETE FROM survey_customer");
  }
}

// Page 1 has a cursor. Behind it the service fails twice, and then answers without a list.
TEST_F(BareAnswers, BehindACursorEndNoTrouble) {
  int failures = 0;
  bool is_bare = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.url.find("/customer?") == std::string::npos) return send();
    if (request.url.find("Cursor=c") == std::string::npos)
      return service::Exchange{service::Response{
          200,
          {{"content-type", "application/json"}},
          R"({"Customers":[{"Id":1,"Email":"x@example.test"}],"NextCursor":"c"})"}};
    is_bare = failures == 2;
    if (is_bare) return service::Exchange{service::Response{204, {}, ""}};
    ++failures;
    return service::Exchange{service::Response{500, {}, ""}};
  };
  in_process::Instance instance(settings_, outside_, ++seed_);
  for (int steps = 0; !is_bare && steps < 1000; ++steps)
    instance.step();
  ASSERT_TRUE(is_bare);
  EXPECT_TRUE(instance.log().has("ends with an answer without a list"));
  EXPECT_FALSE(instance.log().has("works again"));
  const auto pull = std::ranges::find_if(
      instance.jobs(), [](const auto& job) { return job->name().starts_with("pull.customers"); });
  ASSERT_TRUE(pull != instance.jobs().end());
  EXPECT_NE((*pull)->status().trouble.find("500"), std::string::npos) << (*pull)->status().trouble;
}

// Behind another cursor each time.
TEST_F(BareAnswers, ThatMoveAreNoEndAndAreTold) {
  int readings = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.url.find("/customer?") == std::string::npos) return send();
    const bool second = request.url.find("Cursor=c1") != std::string::npos;
    const bool third = request.url.find("Cursor=c2") != std::string::npos;
    if (!second && !third) ++readings;
    if (third || (second && readings % 2 == 1))
      return service::Exchange{service::Response{204, {}, ""}};
    return service::Exchange{service::Response{
        200,
        {{"content-type", "application/json"}},
        second ? R"({"Customers":[{"Id":2,"Email":"y@example.test"}],"NextCursor":"c2"})"
               : R"({"Customers":[{"Id":1,"Email":"x@example.test"}],"NextCursor":"c1"})"}};
  };
  EXPECT_NE(trouble(sync()).find("ends with an answer without a list"), std::string::npos);
  EXPECT_EQ(finished(), 0);
}

TEST_F(BareAnswers, OfOneListAreEmptyWhereAnotherIsAndNothingWasEverStored) {
  settings_.pulls.at(0).list = config::Pull::List::ratings;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "GET") return send();
    const bool customers = request.url.find("/customer?") != std::string::npos;
    if (!customers) return service::Exchange{service::Response{204, {}, ""}};
    return service::Exchange{in_process::no_customers()};
  };
  EXPECT_EQ(trouble(sync()), "");
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE finished_at IS NOT NULL AND list ="
                   " 'customers'"),
            1);
}

TEST_F(BareAnswers, WithOtherMembersAreNoList) {
  answer(R"({"Customers":null,"Message":"busy"})", has_window);
  EXPECT_NE(trouble(sync()), "");
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE watermark IS NOT NULL"), 0);
}

}  // namespace
