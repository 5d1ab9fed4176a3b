// The answers that a customer has given, apart from those that were pushed (docs/SERVICE.md 2.4).
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// One answer. A question that a page or section repeats is answered several times: `occurrence`
// counts its answers from 1, in the order of the record.
struct Answered {
  std::int64_t question = 0;  // BaseQuestionId
  int occurrence = 1;
  std::int64_t position = 0;          // of the answer in the record, from 0
  std::optional<std::int64_t> score;  // the value of the scale position, where just one is chosen
  bool has_text = false;
  Instant at;
  std::string_view words;  // the question's description, or its text: the record's own
};

// Only answers with a date: an answer that was pushed with the customer has none. An encrypted
// answer has no text. Answers without a BaseQuestionId are left out. Valid as long as the record
// is.
std::vector<Answered> answered(const Record& customer);
// Of several customers, parallel to them.
std::vector<std::vector<Answered>> answered(std::span<const Record> customers);

}  // namespace surveybridge::mapping
