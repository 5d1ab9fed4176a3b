#include "sandbox/show.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sandbox/model/answers.hpp"
#include "sandbox/model/text.hpp"

namespace sandbox {
namespace {

constexpr std::string_view kQuestionnaire = "2b0c5f0e-3a51-4c8e-8f0d-5a7e6f1b9c10";

void put_encryption(Object& out, const Encryption& encryption) {
  put(out, "IsEncrypted", encryption.encrypted);
  put(out, "CertificateThumbprint", show_text(encryption.thumbprint));
  put(out, "EncryptionKey", show_text(encryption.key));
}

Node show(const Category& category) {
  return {object_of({{"Category", category.category},
                     {"SubCategory", category.sub_category},
                     {"Sentiment", sentiment(category.sentiment)}})};
}

Node show(const ScalePosition& position) {
  return {object_of({{"Id", show_integer(position.id)},
                     {"Label", show_text(position.label)},
                     {"Value", show_integer(position.value)},
                     {"Ranking", show_integer(position.ranking)}})};
}

Node show(const FileAnswer& file) {
  Object out;
  put(out, "Id", show_integer(file.id));
  put(out, "AnswerId", show_integer(file.answer_id));
  put(out, "FileName", show_text(file.name));
  put(out, "FileSize", show_integer(file.size));
  put(out, "FileType", show_text(file.type));
  put(out, "Data", show_text(file.content));
  put_encryption(out, file.encryption);
  return {std::move(out)};
}

Node show(const DataValue& data) {
  Object out;
  put(out, "CustomerDataColumnId", data.column);
  put(out, "Name", data.name);
  put(out, "Value", show_text(data.value));
  put_encryption(out, data.encryption);
  return {std::move(out)};
}

template <typename T>
List show_all(std::string_view item, const std::vector<T>& all) {
  List list{item, {}};
  for (const T& one : all)
    list.items.push_back(show(one));
  return list;
}

Node show(const Answer& answer, const View& view) {
  const Question* question = find_question(answer.question);
  Object out;
  put(out, "QuestionId",
      question ? std::string(question->guid) : "00000000-0000-0000-0000-000000000000");
  put(out, "BaseQuestionId", answer.question);
  put(out, "QuestionDescription", question ? std::string(question->description) : std::string());
  put(out, "QuestionText", question ? std::string(question->text) : std::string());
  put(out, "Categories", show_all("AnswerCategory", answer.categories));
  put(out, "PageRepetition", show_integer(answer.page));
  put(out, "SectionRepetition", show_integer(answer.section));
  put_encryption(out, {});
  put(out, "Text", show_text(answer.text));
  put(out, "SelectedScalePositions", show_all("ScalePosition", answer.positions));
  put(out, "DateAnswered", show_instant(answer.answered, view));
  put(out, "FileAnswers", show_all("FileAnswer", answer.files));
  return {std::move(out)};
}

List show_data(const Customer& customer) {
  return show_all("CustomerData", customer.in.data);
}

// From its data, if a column has it; else en.
std::string language_of(const Customer& customer) {
  for (const DataValue& data : customer.in.data) {
    if (data.name == "Language" && data.value && !data.encryption.encrypted) return *data.value;
  }
  return "en";
}

// A GUID that is always the same for these arguments.
std::string guid(std::int64_t id, std::string_view purpose) {
  const auto a = fingerprint(fmt::format("{}{}", purpose, id));
  const auto b = fingerprint(fmt::format("{}{}", id, purpose));
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     b >> 48 & 0xfff, b & 0xffffffffffff);
}

Object show_status(Status status) {
  return object_of({{"StatusCode", static_cast<std::int64_t>(status)},
                    {"StatusName", std::string(status_name(status))}});
}

Object show_batch(const Batch& batch, const View& view) {
  return object_of({{"Id", batch.id},
                    {"IsTest", batch.test},
                    {"TypeBatch", std::string(batch.portal ? "portal" : "email")},
                    {"CreatedDate", show_instant(batch.created, view)}});
}

Object show_second_feedback(const Customer& customer) {
  const auto id = [](std::int64_t value) { return value == 0 ? Integer() : Integer(value); };
  return object_of({{"OriginalCustomerId", show_integer(id(customer.original))},
                    {"SecondFeedbackCustomerId", show_integer(id(customer.second))}});
}

Object show_review(const Customer& customer, const View& view) {
  return object_of({{"ReviewStatus", as_enumeration(review_status(customer, view.now))},
                    {"ReviewApprovedDate",
                     show_instant(customer.life.at(Step::review_approved, view.now), view)}});
}

Node show_note(const Customer& customer, TimePoint at, NoteType type, const View& view) {
  const bool system = type == NoteType::by_system;
  return {object_of(
      {{"CustomerId", customer.id},
       {"Date", show_instant(at, view)},
       {"User", std::string(system ? "system" : "front office")},
       {"Note", std::string(system ? "Contact was requested." : "Called back; all is well.")},
       {"Type", as_enumeration(type)}})};
}

List show_notes(const Customer& customer, const View& view) {
  List notes{"FormNote", {}};
  const auto add = [&](Step step, NoteType type) {
    const auto at = customer.life.at(step, view.now);
    if (at) notes.items.push_back(show_note(customer, *at, type, view));
  };
  if (!customer.life.contact_requested) return notes;
  add(Step::finished, NoteType::by_system);
  add(Step::contact_settled, NoteType::by_user);
  return notes;
}

void put_dates(Object& out, const Customer& customer, const View& view) {
  const auto at = [&](Step step) { return show_instant(customer.life.at(step, view.now), view); };
  put(out, "ScheduledInvitationDate", show_instant(customer.life.scheduled, view));
  put(out, "DateInvited", at(Step::invited));
  put(out, "DateReminded", at(Step::reminded));
  put(out, "SurveyFinishedDate", at(Step::finished));
  put(out, "OpenDate", at(Step::opened));
  put(out, "LastActivityDate", show_instant(customer.life.last_activity(view.now), view));
  put(out, "CompletionTimeInSeconds",
      customer.life.at(Step::finished, view.now) ? show_integer(customer.life.completion_seconds)
                                                 : Node::Value(Null{}));
}

void put_form(Object& out, const Customer& customer, const View& view, bool notes) {
  const bool opened = customer.life.at(Step::opened, view.now).has_value();
  put(out, "UserAgent",
      opened ? Node::Value(std::string("Mozilla/5.0 (X11; Linux x86_64) Sandbox/1"))
             : Node::Value(Null{}));
  put(out, "Priority", customer.in.priority.value_or(0));
  put(out, "PartiallyAnsweredRemindedDate",
      show_instant(customer.life.at(Step::reminded_partly, view.now), view));
  put(out, "PreviousId", show_integer(customer.in.previous_id));
  put(out, "Overtime", customer.life.at(Step::overtime, view.now).has_value());
  put(out, "FormStatus", as_enumeration(form_status(customer, view.now)));
  put(out, "FormNotes", notes ? show_notes(customer, view) : List{"FormNote", {}});
  put(out, "Review", show_review(customer, view));
}

// Ratings have ids of their own.
constexpr std::int64_t kRatingOffset = 4000000;

// docs/SERVICE.md 4.3 leaves ConcatAnswersForQuestionIds open; here it has no effect.
Node show_rated(const Answer& answer) {
  const Question* question = find_question(answer.question);
  const ScalePosition chosen =
      answer.positions.empty() ? ScalePosition() : answer.positions.front();
  return {object_of({{"QuestionId", answer.question},
                     {"Description", question ? std::string(question->description) : ""},
                     {"Text", show_text(answer.text ? answer.text : chosen.label)},
                     {"Score", show_integer(chosen.value)}})};
}

List show_rating_data(const Customer& customer, std::span<const DataColumn> columns) {
  List list{"RatingData", {}};
  for (const DataValue& data : customer.in.data) {
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const DataColumn& one) { return one.id == data.column; });
    list.items.push_back(
        {object_of({{"DisplayName", column == columns.end() ? data.name : column->display_name},
                    {"Value", show_text(data.value)}})});
  }
  return list;
}

List show_reactions(const Customer& customer, const View& view) {
  List list{"RatingReaction", {}};
  const auto at = customer.life.at(Step::reacted, view.now);
  if (!at) return list;
  list.items.push_back({object_of({{"UserName", std::string("front office")},
                                   {"Date", show_instant(at, view)},
                                   {"Reaction", std::string("Thank you for your kind words!")}})});
  return list;
}

}  // namespace

Node::Value show_instant(const Instant& instant, const View& view) {
  if (instant) return write_date(*instant, view.style.dates);
  if (view.style.unset_is_year_one) return std::string("0001-01-01T00:00:00");
  return Null{};
}

Node::Value show_text(const Text& text) {
  if (!text) return Null{};
  return *text;
}

Node::Value show_integer(const Integer& number) {
  if (!number) return Null{};
  return *number;
}

List show_answers(const Customer& customer, const View& view) {
  List list{"ExportAnswer", {}};
  for (const Answer& answer : answers_of(customer, view.seed, view.now)) {
    list.items.push_back(show(answer, view));
  }
  return list;
}

Node show_customer(const Customer& customer, const Batch& batch, std::span<const DataColumn>,
                   const View& view, const Filter& filter) {
  const Life& life = customer.life;
  const auto opted_out = life.at(Step::opted_out, view.now);
  const bool finished = life.at(Step::finished, view.now).has_value();
  Object out;
  out.members.reserve(40);
  put(out, "Id", customer.id);
  put(out, "AccessKey", fmt::format("{:016x}", fingerprint(std::to_string(customer.id))));
  put(out, "QuestionnaireId", std::string(kQuestionnaire));
  put(out, "Status", show_status(life.status(view.now)));
  put_dates(out, customer, view);
  put(out, "HasSecondFeedBack", customer.second != 0);
  put(out, "IsSecondFeedBack", customer.original != 0);
  put(out, "SecondFeedbackInformation", show_second_feedback(customer));
  put(out, "Batch", show_batch(batch, view));
  put(out, "OptedOut", opted_out.has_value());
  put(out, "ExternalUniqueId", guid(customer.id, "external"));
  put(out, "OptedOutDate", show_instant(opted_out, view));
  put(out, "Answers", show_answers(customer, view));
  put_form(out, customer, view, filter.notes);
  put(out, "Email", show_text(customer.in.email));
  put(out, "TransactionDate", show_instant(customer.in.transaction_date, view));
  put(out, "SurveyClosedDate", show_instant(life.at(Step::closed, view.now), view));
  put(out, "Data", show_data(customer));
  put(out, "Language", language_of(customer));
  put(out, "IsContactRequested", finished && life.contact_requested);
  put(out, "IsConcept", batch.concept_only);
  if (view.style.extra_members) {
    put(out, "AddedInVersion4", std::string("a reader that knows only 3 skips this"));
  }
  return {std::move(out)};
}

Node show_rating(const Customer& customer, const Batch&, std::span<const DataColumn> columns,
                 const View& view, const Filter&) {
  List answers{"RatingAnswer", {}};
  for (const Answer& answer : answers_of(customer, view.seed, view.now))
    answers.items.push_back(show_rated(answer));
  return {
      object_of({{"Id", customer.id + kRatingOffset},
                 {"TransactionDate", show_instant(customer.in.transaction_date, view)},
                 {"FinishedDate", show_instant(customer.life.at(Step::finished, view.now), view)},
                 {"ReviewApprovedDate",
                  show_instant(customer.life.at(Step::review_approved, view.now), view)},
                 {"Data", show_rating_data(customer, columns)},
                 {"Answers", std::move(answers)},
                 {"Reactions", show_reactions(customer, view)}})};
}

Node show_bouncer(const Customer& customer, const Batch& batch, std::span<const DataColumn>,
                  const View& view, const Filter&) {
  const Life& life = customer.life;
  const Status status = life.status(view.now);
  const bool hard = status == Status::hard_bounce;
  return {object_of(
      {{"Reason", std::string(hard ? "HardBounce" : "SoftBounce")},
       {"Exception", std::string(hard ? "550 5.1.1 no such user" : "452 4.2.2 mailbox full")},
       {"CustomerStatus", std::string(status_name(status))},
       {"DateSent", show_instant(life.at(Step::invited, view.now), view)},
       {"DateReminded", show_instant(life.at(Step::reminded, view.now), view)},
       {"Email", show_text(customer.in.email)},
       {"TransactionDate", show_instant(customer.in.transaction_date, view)},
       {"SurveyClosedDate", show_instant(life.at(Step::closed, view.now), view)},
       {"Data", show_data(customer)},
       {"Language", language_of(customer)},
       {"IsContactRequested", false},
       {"IsConcept", batch.concept_only}})};
}

Node show_columns(std::span<const DataColumn> columns) {
  List list{"CustomerDataColumn", {}};
  for (const DataColumn& column : columns) {
    list.items.push_back({object_of({{"Id", column.id},
                                     {"Required", column.required},
                                     {"Archived", column.archived},
                                     {"Name", column.name},
                                     {"DisplayName", column.display_name}})});
  }
  Object root;
  put(root, "CustomerDataColumns", std::move(list));
  return {std::move(root)};
}

Node show_statuses() {
  List list{"CustomerStatus", {}};
  for (auto code = static_cast<int>(kFirstStatus); code <= static_cast<int>(kLastStatus); ++code) {
    list.items.push_back(
        {object_of({{"StatusCode", static_cast<std::int64_t>(code)},
                    {"StatusName", std::string(status_name(static_cast<Status>(code)))}})});
  }
  Object root;
  put(root, "Statuses", std::move(list));
  return {std::move(root)};
}

}  // namespace sandbox
