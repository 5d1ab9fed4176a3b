#include "connectors/crm/schema/report_tables.hpp"

#include "config/settings.hpp"

namespace surveybridge::crm {
namespace {

using mapping::kRequired;
using enum ColumnType;

// What reports show of each customer: see report_store.hpp. `push` and `key` are those of our
// transaction; empty: the customer is not from here. A claim looks its keys up here, too.
// `seen_at`: since when the bridge knows the customer as the row says; empty:
// survey_customer_history has it.
Table invitation() {
  Table made{"survey_invitation",
             {{"customer_id", integer},
              {"push", key_text},
              {"key", key_text},
              {"stage", key_text, kRequired},
              {"stage_at", instant},
              {"transaction_date", instant},
              {"invited_at", instant},
              {"opened_at", instant},
              {"begun_at", instant},
              {"finished_at", instant},
              {"closed_at", instant},
              {"bounced_at", instant},
              {"opted_out_at", instant},
              {"last_activity", instant},
              {"seconds_to_answer", integer},
              {"mail_domain", text},
              {"opened", integer, kRequired},
              {"begun", integer, kRequired},
              {"finished", integer, kRequired},
              {"closed", integer, kRequired},
              {"bounced", integer, kRequired},
              {"opted_out", integer, kRequired},
              {"test", integer, kRequired},
              {"second_feedback", integer, kRequired},
              {"contact_requested", integer, kRequired},
              {"seen_at", instant}},
             1};
  for (std::size_t i = 1; i <= config::kReportSegments; ++i)
    made.columns.push_back({"segment_" + std::to_string(i), text});
  return made;
}

// How each customer who has changed was, and since when the bridge knows it: see history_store.hpp.
// It gets the columns of scores that survey_invitation gets.
Table history() {
  return {"survey_customer_history",
          {{"customer_id", integer},
           {"version", integer},
           {"seen_at", instant, kRequired},
           {"stage", key_text, kRequired},
           {"bounced", integer, kRequired},
           {"opted_out", integer, kRequired}},
          2};
}

Table bounce() {
  return {"survey_bounce",
          {{"bouncer_id", key_text},
           {"push", key_text},
           {"key", key_text},
           {"kind", key_text, kRequired},
           {"mail_domain", text},
           {"bounced_at", instant},
           {"transaction_date", instant},
           {"test", integer, kRequired}},
          1};
}

Table rating_match() {
  return {
      "survey_rating_match", {{"rating_id", integer}, {"push", key_text}, {"key", key_text}}, 1};
}

// Every question that somebody has answered.
Table question() {
  return {"survey_question",
          {{"id", integer},
           {"words", text},
           {"language", text},
           {"kind", key_text, kRequired},
           {"low", integer},
           {"high", integer},
           {"first_seen", instant, kRequired},
           {"last_seen", instant, kRequired}},
          1};
}

// The columns of survey_report_customer that are made of data columns and questions.
Table report_column() {
  return {"survey_report_column",
          {{"position", integer},
           {"name", key_text, kRequired},
           {"kind", key_text, kRequired},
           {"source", integer, kRequired},
           {"occurrence", integer, kRequired}},
          1};
}

Table report_state() {
  return {"survey_report_state", {{"name", key_text}, {"value", text}}, 1};
}

}  // namespace

const Table& invitation_table() {
  static const Table table = invitation();
  return table;
}

const Table& history_table() {
  static const Table table = history();
  return table;
}

const Table& bounce_table() {
  static const Table table = bounce();
  return table;
}

const Table& rating_match_table() {
  static const Table table = rating_match();
  return table;
}

const Table& question_table() {
  static const Table table = question();
  return table;
}

const Table& report_column_table() {
  static const Table table = report_column();
  return table;
}

const Table& report_state_table() {
  static const Table table = report_state();
  return table;
}

std::vector<const Table*> report_tables() {
  return {&invitation_table(), &history_table(),       &bounce_table(),      &rating_match_table(),
          &question_table(),   &report_column_table(), &report_state_table()};
}

}  // namespace surveybridge::crm
