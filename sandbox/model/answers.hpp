// The questionnaire, and a customer's answers: scale positions, texts, sentiment, sometimes a file.
// Pure: the same seed and customer give the same answers.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sandbox/model/model.hpp"

namespace sandbox {

struct Question {
  std::int64_t id;  // BaseQuestionId
  std::string_view guid;
  std::string_view description, text;
  int lowest, highest;  // of the scale; equal: no scale
};

std::span<const Question> questionnaire();
// nullptr: pre-supplied answers may belong to questions that are not asked here.
const Question* find_question(std::int64_t id);

// The id of the scale position with this value, for AnswerFilters.
std::int64_t position_id(std::int64_t question, std::int64_t value);

// Pre-supplied answers first; the respondent answers only the other questions, and not before
// `now`.
std::vector<Answer> answers_of(const Customer& customer, std::uint64_t seed, TimePoint now);

}  // namespace sandbox
