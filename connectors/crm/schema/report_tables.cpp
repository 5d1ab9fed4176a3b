#include "connectors/crm/schema/report_tables.hpp"

#include "config/settings.hpp"

namespace surveybridge::crm {
namespace {

using mapping::kRequired;
using enum ColumnType;

std::vector<std::string> segments() {
  std::vector<std::string> columns;
  for (std::size_t i = 1; i <= config::kReportSegments; ++i)
    columns.push_back("segment_" + std::to_string(i));
  return columns;
}

Table table_of(const TableWords& words) {
  Table table{words.name, {}, words.key_size};
  for (const auto& group : words.columns)
    for (const auto& column : group.columns)
      table.columns.push_back({column, group.type, group.required});
  return table;
}

const Table& table_at(std::size_t position) {
  static const std::vector<Table> tables = [] {
    std::vector<Table> all;
    for (const auto& words : table_words())
      all.push_back(table_of(words));
    return all;
  }();
  return tables.at(position);
}

}  // namespace

const std::vector<TableWords>& table_words() {
  static const std::vector<TableWords> tables = {
      // Written by report_store.hpp. A claim looks its keys up here, too.
      {"survey_invitation",
       "one row for each invitation: what the views for reports are made of",
       {{{"customer_id"}, "the service's number", integer},
        {{"push", "key"}, "our transaction; NULL: the customer is not from here", key_text},
        {{"stage"}, "how far the invitation has come, and since when", key_text, kRequired},
        {{"stage_at"}, "how far the invitation has come, and since when", instant},
        {{"transaction_date", "invited_at", "opened_at", "begun_at", "finished_at", "closed_at",
          "bounced_at", "opted_out_at", "last_activity"},
         "in UTC",
         instant},
        {{"seconds_to_answer"}, "from the invitation to the end", integer},
        {{"mail_domain"}, "the part of the address behind the @"},
        {{"opened", "begun", "finished", "closed", "bounced", "opted_out"},
         "1 where it came that far, otherwise 0",
         integer,
         kRequired},
        {{"test", "second_feedback", "contact_requested"}, "1 or 0", integer, kRequired},
        {{"seen_at"},
         "since when the bridge knows it so, in UTC; NULL: `survey_customer_history` says it",
         instant},
        {segments(), "the values of the configured segments, in their order"}}},
      // Written by history_store.hpp. It gets the columns of scores that survey_invitation gets.
      {"survey_customer_history",
       "one row for each change of an invitation that has changed: how it was since then",
       {{{"customer_id"}, "the service's number", integer},
        {{"version"}, "counts a customer's rows from 1", integer},
        {{"seen_at"}, "when the bridge saw it, in UTC", instant, kRequired},
        {{"stage"}, "how it was", key_text, kRequired},
        {{"bounced", "opted_out"}, "how it was", integer, kRequired}},
       2},
      {"survey_bounce",
       "one row for each bounced e-mail",
       {{{"bouncer_id"}, "made of its content", key_text},
        {{"push", "key"}, "our transaction; NULL: not known", key_text},
        {{"kind"}, "`hard` or `soft`", key_text, kRequired},
        {{"mail_domain"}, "the part of the address behind the @"},
        {{"bounced_at", "transaction_date"}, "in UTC", instant},
        {{"test"}, "1 or 0", integer, kRequired}}},
      {"survey_rating_match",
       "one row for each rating: whose it is",
       {{{"rating_id"}, "the service's number", integer},
        {{"push", "key"}, "our transaction; NULL: not known", key_text}}},
      {"survey_question",
       "one row for each question that somebody has answered",
       {{{"id"}, "its `BaseQuestionId`", integer},
        {{"words"}, "as the customers read it"},
        {{"language"}, "of the customers whose words these are"},
        {{"kind"},
         "`scale`, or `text` for all others: texts, files and choices",
         key_text,
         kRequired},
        {{"low", "high"}, "the lowest and the highest value that was answered", integer},
        {{"first_seen", "last_seen"},
         "when it was answered first and last; the last time to the day",
         instant,
         kRequired}}},
      {"survey_report_column",
       "one row for each column of survey_report_customer that is made of a data column or a "
       "question",
       {{{"position"}, "the order of the columns", integer},
        {{"name"}, "of the column", key_text, kRequired},
        {{"kind"}, "`data`, `score` or `text`", key_text, kRequired},
        {{"source"}, "the number of the data column or question", integer, kRequired},
        {{"occurrence"}, "which time, of a question that a page repeats", integer, kRequired}}},
      {"survey_report_state",
       "how far the tables and views for reports are up to date",
       {{{"name"}, "what is known, by name", key_text}, {{"value"}, "what is known, by name"}}},
      {"survey_question_text",
       "one row for each question and language of the customers who have answered it",
       {{{"id"}, "the question's `BaseQuestionId`", integer},
        {{"language"}, "of the customers; empty: not known", key_text},
        {{"words"}, "as they read it", text, kRequired},
        {{"answers"}, "about how many had these words", integer, kRequired}},
       2}};
  return tables;
}

const Table& invitation_table() {
  return table_at(0);
}

const Table& history_table() {
  return table_at(1);
}

const Table& bounce_table() {
  return table_at(2);
}

const Table& rating_match_table() {
  return table_at(3);
}

const Table& question_table() {
  return table_at(4);
}

const Table& report_column_table() {
  return table_at(5);
}

const Table& report_state_table() {
  return table_at(6);
}

const Table& question_text_table() {
  return table_at(7);
}

std::vector<const Table*> report_tables() {
  std::vector<const Table*> all;
  for (std::size_t i = 0; i < table_words().size(); ++i)
    all.push_back(&table_at(i));
  return all;
}

const std::vector<TableWords>& view_words() {
  static const std::vector<TableWords> views = {
      {"survey_report_customer",
       "one row for each invitation; no address",
       {{{"customer_id"}, "the service's number"},
        {{"push", "key"}, "our transaction; NULL in `key`: the customer is not from here"},
        {{"stage", "stage_at"},
         "`sent`, `invited`, `opened`, `begun`, `finished`, `closed` (without an answer), "
         "`bounced` or `opted out`, and since when"},
        {{"status_code", "status_name"}, "as the service says it"},
        {{"transaction_date", "invited_at", "opened_at", "begun_at", "finished_at", "closed_at",
          "bounced_at", "opted_out_at"},
         "in UTC"},
        {{"seconds_to_answer"}, "from the invitation to the end"},
        {{"completion_time_in_seconds", "language"}, "as the service says it"},
        {{"mail_domain"}, "the part of the address behind the @"},
        {{"test", "second_feedback", "contact_requested"}, "1 or 0"},
        {{"original_customer_id"}, "of second feedback: the first customer"},
        {{"form_status_name", "review_status_name", "review_approved_date"},
         "as the service says it; see `[service.enumerations]`"},
        {{"rating_id"}, "the published rating, if there is one"}}},
      {"survey_report_funnel",
       "one row for each push, period and segment: how many transactions came how far",
       {{{"push", "period", "starts"},
         "the period is `week` or `month`; `starts` is its first day"},
        {{"segment", "segment_value"},
         "`all` and `all`, or the name of a segment and a value of it (empty where there is none)"},
        {{"transactions"}, "all that were found"},
        {{"suppressed", "quarantined", "waiting", "in_doubt"}, "not sent, or not known to be sent"},
        {{"sent", "invited", "opened", "begun", "finished", "bounced", "opted_out"},
         "how many came that far"},
        {{"closed"},
         "how many can no longer answer, those who have answered or bounced among them"},
        {{"due", "due_finished"}, "the response rate is `due_finished / due`"},
        {{"never_invited"},
         "of those sent: without an invitation, and closed, opted out, bounced or finished"},
        {{"unlisted"}, "of those sent: no customer is stored; not pulled yet, or removed"},
        {{"not_drawn", "over_quota"}, "of those suppressed: by `sample`, and by `quota`"}}},
      {"survey_report_score",
       "one row for each push, question, period and segment",
       {{{"push", "question", "kind", "period", "starts", "segment", "segment_value"},
         "as in `survey_report_funnel`; `question` is the label"},
        {{"n"}, "the number of answers"},
        {{"promoters", "passives", "detractors"}, "of kind `nps`"},
        {{"satisfied"}, "of kinds `csat` and `ces`: answers in the upper part of the scale"},
        {{"mean"}, "of the values"},
        {{"score", "score_from", "score_to"},
         "the net promoter score, the share in percent or the mean, with its 95 % interval"}}},
      {"survey_report_history",
       "one row for each change of an invitation: how it was, and from when to when",
       {{{"customer_id", "push", "key", "transaction_date", "invited_at", "test",
          "second_feedback"},
         "as in `survey_report_customer`"},
        {{"seen_from", "seen_until"}, "when it was so, in UTC; NULL in `seen_until`: it still is"},
        {{"stage", "bounced", "opted_out"}, "how it was; the last two are 1 or 0"}}},
      {"survey_report_bounce",
       "one row for each push, period, kind of bounce and mail domain",
       {{{"push", "period", "starts"}, "as in `survey_report_funnel`"},
        {{"kind"}, "`hard` or `soft`"},
        {{"mail_domain"}, "the part of the address behind the @"},
        {{"n"}, "the number of bounces"}}},
      {"survey_report_mailed",
       "one row for each push and period, by the day of the mail and not of the transaction",
       {{{"push", "period", "starts"}, "as in `survey_report_funnel`"},
        {{"n"}, "the number of customers who were mailed their invitation"}}},
      {"survey_report_contact",
       "one row for each customer who asked to be contacted",
       {{{"customer_id", "push", "key"}, "as in `survey_report_customer`"},
        {{"form_status_name"}, "as the service says it"},
        {{"is_open"}, "1: the status of its form is `New`, or has no name"},
        {{"requested_at", "age_days"}, "when it was asked for, and how many days ago"},
        {{"last_note_at"}, "when somebody last wrote a note"}}},
      {"survey_report_suppressed",
       "one row for each transaction that was not sent",
       {{{"push", "key"}, "our transaction"},
        {{"state"}, "`suppressed` or `quarantined`"},
        {{"reason"}, "why, without words of the service"},
        {{"seen_at", "decided_at"}, "when the bridge met it, and when it was decided"}}},
      {"survey_report_rating",
       "one row for each rating",
       {{{"rating_id"}, "the service's number"},
        {{"push", "key", "customer_id"}, "of its transaction; NULL where it is not known"},
        {{"transaction_date", "finished_date", "review_approved_date"}, "as the service says it"}}},
      {"survey_report_text",
       "one row for each text that a customer wrote",
       {{{"customer_id", "push", "key"}, "as in `survey_report_customer`"},
        {{"day"}, "the day of the transaction, by the CRM's clock"},
        {{"question"}, "the label or the words of the question"},
        {{"score"}, "what the same answer chose on a scale"},
        {{"text", "date_answered"}, "what was written, and when"}}},
      {"survey_report_distribution",
       "one row for each push, question, period, segment and value",
       {{{"push", "question", "kind", "period", "starts", "segment", "segment_value"},
         "as in `survey_report_score`"},
        {{"score"}, "a value of the scale"},
        {{"n"}, "the number of answers with it"}}},
  };
  return views;
}

}  // namespace surveybridge::crm
