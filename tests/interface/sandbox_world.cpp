#include "tests/interface/sandbox_world.hpp"

#include <gtest/gtest.h>

#include "connectors/service/query.hpp"

namespace interface {
namespace {

const std::map<std::string, Json>& fitting() {
  static const std::map<std::string, Json> values = {
      {"TypeBatch", "email"},
      {"NotificationEmailAddresses", "desk@example.test,night@example.test"},
      {"Customers[].Email", "b@example.test"},
      {"Customers[].Data[].CustomerDataColumnId", 2},
      {"Customers[].Data[].Name", "FirstName"},
      {"Customers[].Answers[].BaseQuestionId", 1200},
      {"EndDate", "2026-04-30T23:59:59Z"},
      {"Customers[].EndDate", "2026-04-15T23:59:59Z"},
  };
  return values;
}

}  // namespace

SandboxWorld::SandboxWorld(sandbox::Options options)
    : service(std::move(options), [this] { return now; }) {}

sandbox::Reply SandboxWorld::get(const std::string& target) {
  return service.handle({"GET", target, {{"Authorization", "Bearer sandbox-token"}}, ""});
}

sandbox::Reply SandboxWorld::add(const std::string& body, const std::string& type) {
  return service.handle({"POST",
                         "/external/api/v3/customer/add",
                         {{"Authorization", "Bearer sandbox-token"}, {"Content-Type", type}},
                         body});
}

void SandboxWorld::walk(const std::string& path, const std::string& query,
                        const std::function<void(const Json&)>& look) {
  std::string cursor;
  do {
    const auto reply =
        get(path + "?" + query + "&Cursor=" + surveybridge::service::percent_encode(cursor));
    ASSERT_EQ(reply.status, 200) << reply.body;
    const Json page = Json::parse(reply.body);
    look(page);
    const Json& next = page.at("NextCursor");
    cursor = next.is_string() ? next.get<std::string>() : "";
  } while (!cursor.empty());
}

Json least_batch() {
  return {{"ApproveAutomatically", true}, {"Customers", {{{"Email", "a@example.test"}}}}};
}

Json batch_with(const Leaf& leaf) {
  Json batch = least_batch();
  const std::string path = leaf.path();
  Json& one = batch["Customers"][0];
  if (path.find(".Data[]") != path.npos) one["Data"] = {{{"CustomerDataColumnId", 2}}};
  if (path.find(".Answers[]") != path.npos) one["Answers"] = {{{"BaseQuestionId", 1200}}};
  const auto known = fitting().find(path);
  const bool known_value = known != fitting().end();
  batch[Json::json_pointer(leaf.pointer())] =
      known_value ? known->second : sample(leaf.field().type).json;
  return batch;
}

}  // namespace interface
