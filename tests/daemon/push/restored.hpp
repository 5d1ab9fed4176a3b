// A shop whose ledger is that of a backup: what was mailed since, the service alone knows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/daemon/shop.hpp"

namespace in_process {

class Restored : public Shop {
 protected:
  // Without pulls, which would tell of customers as well.
  explicit Restored(sandbox::Options options = still()) : Shop(std::move(options)) {
    std::swap(settings_.pulls, pulls_);
  }

  // The backup, and the ledger of the backup.
  void save() {
    for (const char* table : kTables)
      sql(std::string("CREATE TABLE saved_") + table + " AS SELECT * FROM " + table);
  }
  void restore() {
    for (const char* table : kTables) {
      sql(std::string("DELETE FROM ") + table);
      sql(std::string("INSERT INTO ") + table + " SELECT * FROM saved_" + table);
    }
  }
  void drop_saved() {
    for (const char* table : kTables)
      sql(std::string("DROP TABLE saved_") + table);
  }
  void empty_the_tables() {
    for (const char* table : kTables)
      sql(std::string("DELETE FROM ") + table);
  }
  // Orders that the backup has, and orders that it lacks; all were mailed, and it was restored.
  void push_many(int before, int after) {
    for (int i = 0; i < before; ++i)
      order("a" + std::to_string(i));
    sync();
    save();
    clock_.now += std::chrono::hours{24};
    for (int i = 0; i < after; ++i)
      order("b" + std::to_string(i));
    sync();
    ASSERT_EQ(mailed(), static_cast<std::size_t>(before + after));
    clock_.now += std::chrono::hours{1};
    restore();
  }
  void order_of_ann(const std::string& id) {
    sql("INSERT INTO orders VALUES ('" + id +
        "', 'ann@example.test', '5', '2026-11-09T12:00:00Z')");
  }

  std::string reason_of_brake() {
    const auto found = crm_->query({"SELECT reason FROM survey_brake", {}});
    const auto* text = std::get_if<std::string>(&found.rows.at(0).at(0));
    return text == nullptr ? "" : *text;
  }
  // So often, an hour apart.
  void sync_and_release(int times, std::int64_t rows) {
    for (int i = 0; i < times; ++i) {
      sync();
      release(rows);
      clock_.now += std::chrono::hours{1};
    }
  }
  // Whatever a person lets go, all of it.
  void settle_all() { sync_and_release(4, 1000); }
  void sync_hourly(int times) {
    for (int i = 0; i < times; ++i) {
      sync();
      clock_.now += std::chrono::hours{1};
    }
  }
  using Answer = std::optional<surveybridge::service::Exchange>;
  static Answer status(int code) { return surveybridge::service::Response{code, {}, ""}; }
  static Answer listed(const std::string& body) {
    return surveybridge::service::Response{200, {{"content-type", "application/json"}}, body};
  }
  static Answer nothing_listed() { return listed(R"({"Customers":[],"NextCursor":null})"); }
  static bool is_list(const surveybridge::service::Request& request) {
    return request.method == "GET" && request.url.find("DateFilter") != std::string::npos;
  }
  static bool is_by_activity(const std::string& url) {
    return url.find("LastActivityDateFilter") != std::string::npos;
  }
  // Answers the lists of customers; empty: as the service does.
  void answer_lists(std::function<Answer(const std::string& url)> answer) {
    outside_.on_exchange = [answer = std::move(answer)](
                               const surveybridge::service::Request& request, const auto& send) {
      if (is_list(request))
        if (auto given = answer(request.url)) return *std::move(given);
      return send();
    };
  }
  // Changes what the service lists of customers.
  void change_lists(std::function<void(const std::string& url, nlohmann::json& page)> change) {
    change_answers([change = std::move(change)](const surveybridge::service::Request& request,
                                                surveybridge::service::Response& response) {
      if (!is_list(request)) return;
      auto page = nlohmann::json::parse(response.body);
      change(request.url, page);
      response.body = page.dump();
    });
  }

  std::vector<surveybridge::config::Pull> pulls_;
  static constexpr const char* kTables[] = {"survey_push",  "survey_push_event", "survey_batch",
                                            "survey_brake", "survey_cursor",     "survey_person"};
};

}  // namespace in_process
