#include "mapping/report/answered.hpp"

#include <map>

namespace surveybridge::mapping {
namespace {

std::optional<std::int64_t> integer_of(const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number ? std::optional(*number) : std::nullopt;
}

std::string text_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? *text : "";
}

std::optional<std::int64_t> score_of(const Record& answer) {
  const auto& chosen = answer.at("SelectedScalePositions").records;
  return chosen.size() == 1 ? integer_of(chosen.front().value("Value")) : std::nullopt;
}

std::string words_of(const Record& answer) {
  const std::string description = text_of(answer.value("QuestionDescription"));
  return description.empty() ? text_of(answer.value("QuestionText")) : description;
}

}  // namespace

std::vector<Answered> answered(const Record& customer) {
  std::vector<Answered> all;
  std::map<std::int64_t, int> seen;
  std::int64_t position = -1;
  for (const Record& answer : customer.at("Answers").records) {
    ++position;
    const auto question = integer_of(answer.value("BaseQuestionId"));
    const auto* at = std::get_if<Instant>(&answer.value("DateAnswered"));
    if (!question || !at) continue;
    const bool encrypted = answer.value("IsEncrypted") == Value{true};
    all.push_back({*question, ++seen[*question], position, score_of(answer),
                   !encrypted && !text_of(answer.value("Text")).empty(), *at, words_of(answer)});
  }
  return all;
}

}  // namespace surveybridge::mapping
