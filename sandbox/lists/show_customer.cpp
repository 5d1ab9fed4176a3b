#include <fmt/format.h>

#include "sandbox/lists/cursor.hpp"
#include "sandbox/lists/show.hpp"
#include "sandbox/model/enumerations.hpp"

namespace sandbox {
namespace {

constexpr std::string_view kQuestionnaire = "2b0c5f0e-3a51-4c8e-8f0d-5a7e6f1b9c10";

// A GUID that is always the same for these arguments.
std::string guid(std::int64_t id, std::string_view purpose) {
  const auto a = fingerprint(fmt::format("{}{}", purpose, id));
  const auto b = fingerprint(fmt::format("{}{}", id, purpose));
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     b >> 48 & 0xfff, b & 0xffffffffffff);
}

Object show_status(Status status) {
  Object out;
  put(out, "StatusCode", static_cast<std::int64_t>(status));
  put(out, "StatusName", std::string(status_name(status)));
  return out;
}

Object show_batch(const Batch& batch, const View& view) {
  Object out;
  put(out, "Id", batch.id);
  put(out, "IsTest", batch.test);
  put(out, "TypeBatch", std::string(batch.portal ? "portal" : "email"));
  put(out, "CreatedDate", show_instant(batch.created, view));
  return out;
}

Object show_second_feedback(const Customer& customer) {
  const auto id = [](std::int64_t value) { return value == 0 ? Integer() : Integer(value); };
  Object out;
  put(out, "OriginalCustomerId", show_integer(id(customer.original)));
  put(out, "SecondFeedbackCustomerId", show_integer(id(customer.second)));
  return out;
}

Object show_review(const Customer& customer, const View& view) {
  Object out;
  put(out, "ReviewStatus", as_enumeration(review_status(customer, view.now)));
  put(out, "ReviewApprovedDate",
      show_instant(customer.life.at(Step::review_approved, view.now), view));
  return out;
}

Node show_note(const Customer& customer, TimePoint at, NoteType type, const View& view) {
  const bool system = type == NoteType::by_system;
  Object out;
  put(out, "CustomerId", customer.id);
  put(out, "Date", show_instant(at, view));
  put(out, "User", std::string(system ? "system" : "front office"));
  put(out, "Note", std::string(system ? "Contact was requested." : "Called back; all is well."));
  put(out, "Type", as_enumeration(type));
  return {std::move(out)};
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

}  // namespace

Node show_customer(const Customer& customer, const Batch& batch, const View& view, bool notes) {
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
  put_form(out, customer, view, notes);
  put(out, "Email", show_text(customer.in.email));
  put(out, "TransactionDate", show_instant(customer.in.transaction_date, view));
  put(out, "SurveyClosedDate", show_instant(life.at(Step::closed, view.now), view));
  put(out, "Data", show_data(customer, view));
  put(out, "Language", language_of(customer));
  put(out, "IsContactRequested", finished && life.contact_requested);
  put(out, "IsConcept", batch.concept_only);
  if (view.style.extra_members) {
    put(out, "AddedInVersion4", std::string("a reader that knows only 3 skips this"));
  }
  return {std::move(out)};
}

}  // namespace sandbox
