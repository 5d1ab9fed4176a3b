#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/service_list.hpp"
#include "tests/interface/document.hpp"

namespace interface {
namespace {

namespace config = surveybridge::config;
using List = config::Pull::List;

std::string type_of(const config::Parameter& parameter) {
  switch (parameter.type) {
    case config::ParameterType::date_filter:
      return "DateFilter";
    case config::ParameterType::data_filters:
      return "[CustomerDataFilter]";
    case config::ParameterType::answer_filters:
      return "[CustomerAnswerFilter]";
    case config::ParameterType::boolean:
      return "boolean";
    case config::ParameterType::integers:
      return "[integer]";
    case config::ParameterType::texts:
      return "[string]";
    case config::ParameterType::review_status:
      return "ReviewSiteReviewStatus";
    case config::ParameterType::paging:
      break;
  }
  return parameter.name == "Limit" ? "integer" : "string";
}

TEST(Parameters, AreThoseOfTheDocumentInItsOrder) {
  std::vector<std::string> described, document;
  const std::pair<const char*, List> lists[] = {
      {"customers", List::customers}, {"ratings", List::ratings}, {"bouncers", List::bouncers}};
  for (const auto& [name, list] : lists)
    for (const auto& one : config::parameters_of(list))
      described.push_back(std::string(name) + " " + std::string(one.name) + " " + type_of(one));
  for (const Parameter& one : parameters())
    document.push_back(one.list + " " + one.name + " " + one.type);
  EXPECT_EQ(described, document);
}

}  // namespace
}  // namespace interface
