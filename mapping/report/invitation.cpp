#include "mapping/report/invitation.hpp"

#include <algorithm>

#include "config/text.hpp"
#include "mapping/interface/second_feedback.hpp"

namespace surveybridge::mapping {
namespace {

std::optional<Instant> instant_of(const Record& record, std::string_view field) {
  const auto* at = std::get_if<Instant>(&record.value(field));
  return at ? std::optional(*at) : std::nullopt;
}

bool is_true(const Record& record, std::string_view field) {
  return record.value(field) == Value{true};
}

// The single object in a field; null where it is absent.
const Record* object_in(const Record& record, std::string_view field) {
  const auto& records = record.at(field).records;
  return records.empty() ? nullptr : &records.front();
}

}  // namespace

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::sent:
      return "sent";
    case Stage::invited:
      return "invited";
    case Stage::opened:
      return "opened";
    case Stage::begun:
      return "begun";
    case Stage::closed:
      return "closed";
    case Stage::opted_out:
      return "opted out";
    case Stage::bounced:
      return "bounced";
    case Stage::finished:
      return "finished";
  }
  return "";
}

std::string mail_domain(std::string_view address) {
  const auto at = address.rfind('@');
  if (at == std::string_view::npos) return "";
  return config::lower_case(address.substr(at + 1));
}

Invitation invitation_of(const Record& customer) {
  return invitation_of(customer, answered(customer));
}

Invitation invitation_of(const Record& customer, std::span<const Answered> answers) {
  Invitation one;
  const Record* batch = object_in(customer, "Batch");
  one.transaction_date = instant_of(customer, "TransactionDate");
  if (!one.transaction_date && batch) one.transaction_date = instant_of(*batch, "CreatedDate");
  one.invited_at = instant_of(customer, "DateInvited");
  one.opened_at = instant_of(customer, "OpenDate");
  one.finished_at = instant_of(customer, "SurveyFinishedDate");
  one.closed_at = instant_of(customer, "SurveyClosedDate");
  one.opted_out_at = instant_of(customer, "OptedOutDate");
  one.last_activity = instant_of(customer, "LastActivityDate");
  for (const Answered& answer : answers)
    one.begun_at = one.begun_at ? std::min(*one.begun_at, answer.at) : answer.at;
  if (one.invited_at && one.finished_at && *one.finished_at >= *one.invited_at) {
    one.seconds_to_answer =
        std::chrono::duration_cast<std::chrono::seconds>(*one.finished_at - *one.invited_at)
            .count();
  }
  if (const auto* address = std::get_if<std::string>(&customer.value("Email")))
    one.mail_domain = mail_domain(*address);
  one.finished = one.finished_at.has_value();
  one.begun = one.finished || one.begun_at.has_value();
  one.opened = one.begun || one.opened_at.has_value();
  one.closed = one.closed_at.has_value();
  one.opted_out = is_true(customer, "OptedOut") || one.opted_out_at.has_value();
  one.test = is_true(customer, "IsConcept") || (batch && is_true(*batch, "IsTest"));
  one.second_feedback = is_second_feedback(customer);
  one.contact_requested = is_true(customer, "IsContactRequested");
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
