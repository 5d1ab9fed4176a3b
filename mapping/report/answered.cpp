#include "mapping/report/answered.hpp"

#include <algorithm>
#include <map>

namespace surveybridge::mapping {
namespace {

// Where an answer has its fields: looked up once, for there are ten answers to a customer.
struct Fields {
  std::size_t question, at, encrypted, text, description, words, chosen;
};

const Fields& fields_of(const Resource& answer) {
  const auto index = [&](std::string_view name) { return answer.index(*answer.find(name)); };
  static const Fields fields{index("BaseQuestionId"),        index("DateAnswered"),
                             index("IsEncrypted"),           index("Text"),
                             index("QuestionDescription"),   index("QuestionText"),
                             index("SelectedScalePositions")};
  return fields;
}

std::optional<std::int64_t> score_of(const std::vector<Record>& chosen) {
  if (chosen.size() != 1) return std::nullopt;
  const auto* number = std::get_if<std::int64_t>(&chosen.front().value("Value"));
  return number ? std::optional(*number) : std::nullopt;
}

// Counts the answers to a question. Few answers are compared with each other, which is faster than
// a map; many are not, because that would take the square of their number.
class Occurrences {
 public:
  int next(std::int64_t question, const std::vector<Answered>& before) {
    constexpr std::size_t kFew = 32;
    if (before.size() < kFew) {
      return 1 + static_cast<int>(std::ranges::count(before, question, &Answered::question));
    }
    if (counts_.empty()) {
      for (const auto& answer : before)
        ++counts_[answer.question];
    }
    return ++counts_[question];
  }

 private:
  std::map<std::int64_t, int> counts_;
};

}  // namespace

std::vector<Answered> answered(const Record& customer) {
  const auto& answers = customer.at("Answers").records;
  std::vector<Answered> all;
  all.reserve(answers.size());
  Occurrences occurrences;
  std::int64_t position = -1;
  for (const Record& answer : answers) {
    ++position;
    const Fields& field = fields_of(*answer.resource);
    const auto* question = std::get_if<std::int64_t>(&answer.slots[field.question].value);
    const auto* at = std::get_if<Instant>(&answer.slots[field.at].value);
    if (question == nullptr || at == nullptr) continue;
    const auto* encrypted = std::get_if<bool>(&answer.slots[field.encrypted].value);
    const auto& description = text_of(answer.slots[field.description].value);
    all.push_back({*question, occurrences.next(*question, all), position,
                   score_of(answer.slots[field.chosen].records),
                   !(encrypted && *encrypted) && !text_of(answer.slots[field.text].value).empty(),
                   *at,
                   description.empty() ? text_of(answer.slots[field.words].value) : description});
  }
  return all;
}

std::vector<std::vector<Answered>> answered(std::span<const Record> customers) {
  std::vector<std::vector<Answered>> all;
  all.reserve(customers.size());
  for (const Record& customer : customers)
    all.push_back(answered(customer));
  return all;
}

}  // namespace surveybridge::mapping
