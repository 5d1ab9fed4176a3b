#include "mapping/report/invitation.hpp"

#include <algorithm>
#include <map>

#include "config/text.hpp"
#include "mapping/interface/second_feedback.hpp"

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
  const std::string_view language = text_of(customer.value("Language"));
  std::int64_t position = -1;
  for (const Record& answer : answers) {
    ++position;
    const Fields& field = fields_of(*answer.resource);
    const auto* question = std::get_if<std::int64_t>(&answer.slots[field.question].value);
    const auto* at = std::get_if<Instant>(&answer.slots[field.at].value);
    if (question == nullptr || at == nullptr) continue;
    const auto* encrypted = std::get_if<bool>(&answer.slots[field.encrypted].value);
    const auto& description = text_of(answer.slots[field.description].value);
    all.push_back(
        {*question, occurrences.next(*question, all), position,
         score_of(answer.slots[field.chosen].records),
         !(encrypted && *encrypted) && !text_of(answer.slots[field.text].value).empty(), *at,
         description.empty() ? text_of(answer.slots[field.words].value) : description, language});
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

namespace {

// The single object in a field; null where it is absent.
const Record* object_in(const Record& record, std::string_view field) {
  const auto& records = record.at(field).records;
  return records.empty() ? nullptr : &records.front();
}

}  // namespace

std::string_view to_string(Stage stage) {
  static constexpr std::string_view kNames[] = {"sent",   "invited",   "opened",  "begun",
                                                "closed", "opted out", "bounced", "finished"};
  return kNames[static_cast<std::size_t>(stage)];
}

std::optional<bool> is_of_test_batch(const Record& customer) {
  const Record* batch = object_in(customer, "Batch");
  return batch == nullptr ? std::nullopt : batch->get<bool>("IsTest");
}

std::string mail_domain(std::string_view address) {
  const auto at = address.rfind('@');
  if (at == std::string_view::npos) return "";
  return config::lower_case(address.substr(at + 1));
}

Invitation invitation_of(const Record& customer, std::span<const Answered> answers) {
  Invitation one;
  const Record* batch = object_in(customer, "Batch");
  one.transaction_date = customer.get<Instant>("TransactionDate");
  if (!one.transaction_date && batch) one.transaction_date = batch->get<Instant>("CreatedDate");
  one.invited_at = customer.get<Instant>("DateInvited");
  one.opened_at = customer.get<Instant>("OpenDate");
  one.finished_at = customer.get<Instant>("SurveyFinishedDate");
  one.closed_at = customer.get<Instant>("SurveyClosedDate");
  one.opted_out_at = customer.get<Instant>("OptedOutDate");
  one.last_activity = customer.get<Instant>("LastActivityDate");
  for (const Answered& answer : answers)
    one.begun_at = one.begun_at ? std::min(*one.begun_at, answer.at) : answer.at;
  if (one.invited_at && one.finished_at && *one.finished_at >= *one.invited_at) {
    one.seconds_to_answer =
        std::chrono::duration_cast<std::chrono::seconds>(*one.finished_at - *one.invited_at)
            .count();
  }
  one.mail_domain = mail_domain(text_of(customer.value("Email")));
  one.finished = one.finished_at.has_value();
  one.begun = one.finished || one.begun_at.has_value();
  one.opened = one.begun || one.opened_at.has_value();
  one.closed = one.closed_at.has_value();
  one.opted_out = customer.is_true("OptedOut") || one.opted_out_at.has_value();
  one.test = customer.is_true("IsConcept") || is_of_test_batch(customer).value_or(false);
  one.second_feedback = is_second_feedback(customer);
  one.contact_requested = customer.is_true("IsContactRequested");
  return one;
}

Reached stage_of(const Invitation& one, bool bounced, const std::optional<Instant>& bounced_at) {
  if (one.finished) return {Stage::finished, one.finished_at};
  if (bounced) return {Stage::bounced, bounced_at};
  if (one.opted_out) return {Stage::opted_out, one.opted_out_at};
  if (one.closed) return {Stage::closed, one.closed_at};
  if (one.begun) return {Stage::begun, one.begun_at};
  if (one.opened) return {Stage::opened, one.opened_at};
  if (one.invited_at) return {Stage::invited, one.invited_at};
  return {Stage::sent, std::nullopt};
}

}  // namespace surveybridge::mapping
