#include <algorithm>

#include "sandbox/lists/show.hpp"
#include "sandbox/model/answers.hpp"

namespace sandbox {
namespace {

// Ratings have ids of their own.
constexpr std::int64_t kRatingOffset = 4000000;

struct RatedAnswer {
  std::int64_t question = 0;
  std::string description;
  Text text;
  Integer score;
};

RatedAnswer rated(const Answer& answer) {
  const Question* question = find_question(answer.question);
  RatedAnswer out{answer.question, question ? std::string(question->description) : "", answer.text,
                  std::nullopt};
  if (!answer.positions.empty()) out.score = answer.positions.front().value;
  if (!out.text && !answer.positions.empty()) out.text = answer.positions.front().label;
  return out;
}

// docs/SERVICE.md 4.3 leaves ConcatAnswersForQuestionIds open; here all answers to such a question
// become one, with their texts joined.
std::vector<RatedAnswer> rated_answers(const Customer& customer, const View& view,
                                       const std::set<std::int64_t>& concatenated) {
  std::vector<RatedAnswer> all;
  for (const Answer& answer : answers_of(customer, view.seed, view.now)) {
    RatedAnswer one = rated(answer);
    const auto same = std::find_if(all.begin(), all.end(), [&](const RatedAnswer& other) {
      return other.question == one.question && concatenated.contains(one.question);
    });
    if (same == all.end()) {
      all.push_back(std::move(one));
    } else if (one.text) {
      same->text = same->text ? *same->text + ", " + *one.text : *one.text;
    }
  }
  return all;
}

Node show(const RatedAnswer& answer) {
  Object out;
  put(out, "QuestionId", answer.question);
  put(out, "Description", answer.description);
  put(out, "Text", show_text(answer.text));
  put(out, "Score", show_integer(answer.score));
  return {std::move(out)};
}

List show_rating_data(const Customer& customer, std::span<const DataColumn> columns,
                      const View& view) {
  List list{"RatingData", {}};
  for (const DataValue& data : view.echo_data ? customer.in.data : std::vector<DataValue>()) {
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const DataColumn& one) { return one.id == data.column; });
    Object out;
    put(out, "DisplayName", column == columns.end() ? data.name : column->display_name);
    put(out, "Value", show_text(data.value));
    list.items.push_back({std::move(out)});
  }
  return list;
}

List show_reactions(const Customer& customer, const View& view) {
  List list{"RatingReaction", {}};
  const auto at = customer.life.at(Step::reacted, view.now);
  if (!at) return list;
  Object out;
  put(out, "UserName", std::string("front office"));
  put(out, "Date", show_instant(at, view));
  put(out, "Reaction", std::string("Thank you for your kind words!"));
  list.items.push_back({std::move(out)});
  return list;
}

}  // namespace

Node show_rating(const Customer& customer, std::span<const DataColumn> columns, const View& view,
                 const std::set<std::int64_t>& concatenated) {
  List answers{"RatingAnswer", {}};
  for (const RatedAnswer& answer : rated_answers(customer, view, concatenated)) {
    answers.items.push_back(show(answer));
  }
  Object out;
  put(out, "Id", customer.id + kRatingOffset);
  put(out, "TransactionDate", show_instant(customer.in.transaction_date, view));
  put(out, "FinishedDate", show_instant(customer.life.at(Step::finished, view.now), view));
  put(out, "ReviewApprovedDate",
      show_instant(customer.life.at(Step::review_approved, view.now), view));
  put(out, "Data", show_rating_data(customer, columns, view));
  put(out, "Answers", std::move(answers));
  put(out, "Reactions", show_reactions(customer, view));
  return {std::move(out)};
}

Node show_bouncer(const Customer& customer, const Batch& batch, const View& view) {
  const Life& life = customer.life;
  const Status status = life.status(view.now);
  const bool hard = status == Status::hard_bounce;
  Object out;
  put(out, "Reason", std::string(hard ? "HardBounce" : "SoftBounce"));
  put(out, "Exception", std::string(hard ? "550 5.1.1 no such user" : "452 4.2.2 mailbox full"));
  put(out, "CustomerStatus", std::string(status_name(status)));
  put(out, "DateSent", show_instant(life.at(Step::invited, view.now), view));
  put(out, "DateReminded", show_instant(life.at(Step::reminded, view.now), view));
  put(out, "Email", show_text(customer.in.email));
  put(out, "TransactionDate", show_instant(customer.in.transaction_date, view));
  put(out, "SurveyClosedDate", show_instant(life.at(Step::closed, view.now), view));
  put(out, "Data", show_data(customer, view));
  put(out, "Language", language_of(customer));
  put(out, "IsContactRequested", false);
  put(out, "IsConcept", batch.concept_only);
  return {std::move(out)};
}

Node show_columns(std::span<const DataColumn> columns) {
  List list{"CustomerDataColumn", {}};
  for (const DataColumn& column : columns) {
    Object out;
    put(out, "Id", column.id);
    put(out, "Required", column.required);
    put(out, "Archived", column.archived);
    put(out, "Name", column.name);
    put(out, "DisplayName", column.display_name);
    list.items.push_back({std::move(out)});
  }
  Object root;
  put(root, "CustomerDataColumns", std::move(list));
  return {std::move(root)};
}

Node show_statuses() {
  List list{"CustomerStatus", {}};
  for (auto code = static_cast<int>(kFirstStatus); code <= static_cast<int>(kLastStatus); ++code) {
    Object out;
    put(out, "StatusCode", static_cast<std::int64_t>(code));
    put(out, "StatusName", std::string(status_name(static_cast<Status>(code))));
    list.items.push_back({std::move(out)});
  }
  Object root;
  put(root, "Statuses", std::move(list));
  return {std::move(root)};
}

}  // namespace sandbox
