// Each status code of docs/SERVICE.md 7, as the bridge understands it.
#include <gtest/gtest.h>

#include "connectors/service/outcome.hpp"
#include "tests/interface/document.hpp"

namespace interface {
namespace {

using namespace surveybridge::service;

std::string get_means(int status) {
  const auto read = classify_read(Response{status, {}, "{}"}, {});
  const auto* trouble = std::get_if<Trouble>(&read);
  if (trouble == nullptr) return "answer";
  EXPECT_EQ(trouble->status, status);
  static const std::map<Trouble::Kind, std::string> names = {
      {Trouble::Kind::rejected, "rejected"},   {Trouble::Kind::unauthorized, "unauthorized"},
      {Trouble::Kind::forbidden, "forbidden"}, {Trouble::Kind::unavailable, "unavailable"},
      {Trouble::Kind::too_many, "too_many"},
  };
  return names.at(trouble->kind);
}

std::string add_means(int status) {
  const AddOutcome outcome = classify_add(Response{status, {}, ""}, {});
  if (std::holds_alternative<NotSent>(outcome)) return "not_sent";
  if (std::holds_alternative<Refused>(outcome)) return "refused";
  if (std::holds_alternative<TooLarge>(outcome)) return "too_large";
  return std::holds_alternative<Accepted>(outcome) ? "accepted" : "unknown";
}

TEST(StatusCodes, MeanWhatTheTableSays) {
  for (const Code& code : codes()) {
    EXPECT_EQ(get_means(code.status), code.get) << code.name;
    EXPECT_EQ(add_means(code.status), code.add) << code.name;
  }
}

}  // namespace
}  // namespace interface
