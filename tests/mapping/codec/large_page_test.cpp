// A page ten times as long as the service allows, with complete customers: it is read in both
// formats, well within the limits for hostile pages.
#include <gtest/gtest.h>

#include "tests/mapping/codec_bodies.hpp"

namespace surveybridge::mapping {
namespace {

constexpr std::size_t kCustomers = 1000, kEach = 60;

Record large_customer(std::int64_t id) {
  Record one(customer());
  one.set("Id", id);
  for (const auto* field : {"AccessKey", "Email", "Language", "UserAgent", "ExternalUniqueId"})
    one.set(field, std::string("some text"));
  for (const auto* field : {"DateInvited", "OpenDate", "LastActivityDate", "TransactionDate"})
    one.set(field, Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}});
  for (std::size_t i = 0; i < kEach; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    Record& item = one.at("Data").records.emplace_back(customer_data());
    item.set("CustomerDataColumnId", number);
    item.set("Name", "Column " + std::to_string(i));
    item.set("Value", std::string("its value"));
    item.set("IsEncrypted", false);
    Record& answer = one.at("Answers").records.emplace_back(*customer().find("Answers")->of);
    answer.set("BaseQuestionId", number);
    for (const auto* field : {"QuestionDescription", "QuestionText", "Text"})
      answer.set(field, std::string("some text"));
    answer.set("IsEncrypted", false);
    const Field& positions = *answer.resource->find("SelectedScalePositions");
    Record& position = answer.at(positions.name).records.emplace_back(*positions.of);
    for (const auto* field : {"Id", "Value", "Ranking"})
      position.set(field, number);
    position.set("Label", std::string("very"));
  }
  return one;
}

void expect_to_be_read(Format format) {
  const Field members[] = {{"Customers", Type::object, true, &customer(), "Customer"}};
  const Resource shape{"page", "", members};
  Record sent(shape);
  for (std::size_t i = 0; i < kCustomers; ++i)
    sent.at("Customers").records.push_back(large_customer(static_cast<std::int64_t>(i)));
  const Page read = page(write(sent, format));
  EXPECT_TRUE(read.records == sent.at("Customers").records);
}

TEST(LargePage, OfJsonIsRead) {
  expect_to_be_read(Format::json);
}

TEST(LargePage, OfXmlIsRead) {
  expect_to_be_read(Format::xml);
}

}  // namespace
}  // namespace surveybridge::mapping
