#include "connectors/crm/schema/bridge_tables.hpp"

#include <algorithm>
#include <stdexcept>

#include "connectors/crm/schema/report_tables.hpp"
#include "mapping/interface/resource.hpp"

namespace surveybridge::crm {
namespace {

using mapping::kRequired;
using enum ColumnType;

}  // namespace

const std::vector<BridgeTable>& bridge_tables() {
  static const std::vector<BridgeTable> tables = {
      // One row a transaction, for ever. E-mail and transaction date are there only while the row
      // is claimed or in doubt, when a read-back may need them; `person` is the address's keyed
      // hash and stays. A pending row with `not_before` waits until then. `service` and `correlate`
      // say where a row is looked up that is in doubt without a batch. `digest` is the keyed hash
      // of the cells that were mapped, while the row may be tried again once they have changed;
      // `quota` that of the value by which the row's claim was counted.
      {{"survey_push",
        {{"push", key_text},
         {"key", key_text},
         {"state", key_text, kRequired},
         {"reason", text},
         {"batch", key_text},
         {"customer_id", integer},
         {"attempts", integer, kRequired},
         {"owner", key_text},
         {"email", text},
         {"transaction_date", instant},
         {"test", boolean},
         {"doubt_since", instant},
         {"person", key_text},
         {"not_before", instant},
         {"seen_at", instant, kRequired},
         {"changed_at", instant, kRequired},
         {"service", key_text},
         {"correlate", key_text},
         {"digest", key_text},
         {"quota", key_text}},
        2}},
      // Every transition of a row of survey_push as it was then: the evidence behind `explain`.
      {{"survey_push_event",
        {{"id", integer},
         {"push", key_text, kRequired},
         {"key", key_text, kRequired},
         {"at", instant, kRequired},
         {"state", key_text, kRequired},
         {"batch", key_text},
         {"detail", text}},
        1},
       Numbering::database},
      {{"survey_batch",
        {{"id", key_text},
         {"push", key_text, kRequired},
         {"owner", key_text, kRequired},
         {"rows", integer, kRequired},
         {"sent_at", instant, kRequired},
         {"outcome", key_text},
         {"http_status", integer},
         {"detail", text},
         {"test", boolean, kRequired},
         {"settled_at", instant},
         {"service", key_text},
         {"correlate", key_text}},
        1}},
      // What is known of a person, by the keyed hash of the address: see people.hpp.
      {{"survey_person",
        {{"person", key_text}, {"kind", key_text}, {"ref", key_text}, {"at", instant, kRequired}},
        3}},
      // The key of that hash.
      {{"survey_seal", {{"name", key_text}, {"value", key_text, kRequired}}, 1}},
      // Each push's brake: see brakes.hpp.
      {{"survey_brake",
        {{"push", key_text},
         {"fingerprint", key_text, kRequired},
         {"allowance", integer, kRequired},
         {"passed", integer, kRequired},
         {"reason", text},
         {"since", instant},
         {"service", key_text},
         {"query", text}},
        1}},
      // Each decision to let rows go: see brakes.hpp.
      {{"survey_release",
        {{"id", integer},
         {"push", key_text, kRequired},
         {"at", instant, kRequired},
         {"rows", integer, kRequired},
         {"decided_by", text},
         {"reason", text}},
        1},
       Numbering::database},
      {{"survey_cursor",
        {{"list", key_text},
         {"walk", key_text},
         {"window_from", instant},
         {"window_to", instant},
         {"cursor", text},
         {"watermark", instant},
         {"pages", integer, kRequired},
         {"restarts", integer, kRequired},
         {"finished_at", instant},
         {"ignored", text},
         {"begun_at", instant},
         {"whole_to", instant},
         {"read_from", instant},
         {"service", key_text}},
        2}},
      // What became of write-backs: see write_counts.hpp.
      {{"survey_write",
        {{"list", key_text},
         {"target", key_text},
         {"written", integer, kRequired},
         {"matched_none", integer, kRequired},
         {"matched_many", integer, kRequired},
         {"unfit", integer, kRequired}},
        2}},
      {{"survey_lease",
        {{"name", key_text},
         {"owner", key_text, kRequired},
         {"fence", integer, kRequired},
         {"expires_at", instant, kRequired},
         {"session", key_text}},
        1}},
      // What `verify` found last: see verify_store.hpp.
      {{"survey_verify",
        {{"push", key_text},
         {"at", instant, kRequired},
         {"eligible", integer, kRequired},
         {"unaccounted", integer, kRequired},
         {"differences", integer},
         {"besides", text}},
        1}},
      // The last sweep of each push's whole window: see sweep_store.hpp.
      {{"survey_sweep",
        {{"push", key_text},
         {"began_at", instant, kRequired},
         {"ended_at", instant, kRequired},
         {"rows", integer, kRequired},
         {"within", integer}},
        1}},
      // The learned rate of each instance: see pace_store.hpp. Rates are requests in 1,000 s.
      {{"survey_pace",
        {{"service", key_text},
         {"owner", key_text},
         {"rate", integer, kRequired},
         {"edge", integer, kRequired},
         {"share", integer, kRequired},
         {"refused_at", instant},
         {"held_until", instant},
         {"seen_at", instant, kRequired},
         {"live_until", instant, kRequired},
         {"waiting", text},
         {"read_rate", integer},
         {"read_edge", integer}},
        2}},
      // Records that could not be read: see unreadable_store.hpp.
      {{"survey_unreadable",
        {{"list", key_text},
         {"record", key_text},
         {"reason", text, kRequired},
         {"raw", text},
         {"seen_at", instant, kRequired},
         {"person", key_text},
         {"hides", key_text}},
        2}},
      // How far writes have come, and records that met no row: see write_mark.hpp.
      {{"survey_write_mark",
        {{"list", key_text},
         {"mark", key_text},
         {"reached", text},
         {"through", integer, kRequired}},
        2}},
      {{"survey_unmatched",
        {{"list", key_text},
         {"mark", key_text},
         {"record", key_text},
         {"tried_at", instant, kRequired},
         {"since", instant}},
        3}},
      // See unwritten.hpp.
      {{"survey_unwritten",
        {{"list", key_text},
         {"mark", key_text},
         {"record", key_text},
         {"column", key_text},
         {"target", key_text, kRequired},
         {"reason", key_text, kRequired},
         {"since", instant, kRequired}},
        4}},
      // Records that wait to be written into the CRM: see write_queue.hpp.
      {{"survey_write_queue",
        {{"id", integer},
         {"list", key_text, kRequired},
         {"record", key_text, kRequired},
         {"queued_at", instant, kRequired}},
        1},
       Numbering::database},
      // Kept counts of the ledger: see count_store.hpp.
      {{"survey_count",
        {{"push", key_text},
         {"counted", key_text},
         {"rows", integer, kRequired},
         {"before", instant, kRequired}},
        2}},
      // Customers whose keys the ledger does not know as sent, and where they were listed: see
      // ledger_sightings.cpp.
      {{"survey_listed",
        {{"push", key_text},
         {"key", key_text},
         {"customer_id", integer},
         {"person", key_text},
         {"transaction_date", instant},
         {"seen_at", instant, kRequired},
         {"opted_out", boolean},
         {"service", key_text},
         {"correlate", key_text}},
        3}},
      // What each receiver of [alert] was told, and is to be told: see alert_store.hpp.
      {{"survey_alert",
        {{"receiver", key_text},
         {"subject", key_text},
         {"what", text},
         {"command", text},
         {"since", instant, kRequired},
         {"seen_at", instant, kRequired},
         {"told_at", instant},
         {"cause", key_text},
         {"told", text}},
        2}},
      // What came in an hour: see arrivals.hpp.
      {{"survey_arrival", {{"job", key_text}, {"hour", integer}, {"rows", integer, kRequired}}, 2}},
      // Where to look when too few rows of a push come: see few_store.hpp.
      {{"survey_few",
        {{"push", key_text},
         {"columns", text},
         {"columns_before", text},
         {"changed_at", instant},
         {"look", text},
         {"looked_at", instant}},
        1}},
      // Which answers receivers are told of: see follow_up_store.hpp.
      {{"survey_follow_up",
        {{"list", key_text},
         {"record", key_text},
         {"name", key_text},
         {"receiver", key_text},
         {"found_at", instant, kRequired},
         {"claimed_at", instant},
         {"told_at", instant}},
        4}},
      // Cells of the CRM that write-backs have written, and, without a cell, rows that they have
      // made: see written_cells.hpp.
      {{"survey_written",
        {{"match", key_text},
         {"cell", key_text},
         {"target", key_text, kRequired},
         {"list", key_text, kRequired},
         {"record", key_text, kRequired},
         {"dated", instant},
         {"forget", integer, kRequired},
         {"key", key_text}},
        2}},
  };
  return tables;
}

const std::vector<Index>& bridge_indexes() {
  static const std::vector<Index> indexes = {
      {"survey_push_by_state", "survey_push", {"push", "state", "changed_at"}},
      {"survey_push_by_batch", "survey_push", {"batch"}},
      {"survey_push_by_person", "survey_push", {"person"}},
      {"survey_push_by_quota", "survey_push", {"push", "quota", "changed_at"}},
      {"survey_push_event_by_key", "survey_push_event", {"push", "key"}},
      {"survey_listed_by_person", "survey_listed", {"person"}},
      {"survey_batch_by_time", "survey_batch", {"push", "sent_at"}},
      {"survey_write_queue_by_list", "survey_write_queue", {"list", "id"}},
      {"survey_unwritten_by_reason", "survey_unwritten", {"list", "target", "column", "reason"}},
      {"survey_written_by_record", "survey_written", {"list", "record"}},
      {"survey_follow_up_by_receiver", "survey_follow_up", {"receiver", "told_at"}},
      {"survey_batch_by_outcome", "survey_batch", {"push", "outcome", "sent_at"}},
      {"survey_invitation_by_key", "survey_invitation", {"push", "key"}},
      {"survey_bounce_by_key", "survey_bounce", {"push", "key"}},
      {"survey_rating_match_by_key", "survey_rating_match", {"push", "key"}},
  };
  return indexes;
}

const Table& unreadable_table() {
  return table_named("survey_unreadable").table;
}

const Table& write_mark_table() {
  return table_named("survey_write_mark").table;
}

const Table& unmatched_table() {
  return table_named("survey_unmatched").table;
}

const Table& unwritten_table() {
  return table_named("survey_unwritten").table;
}

const Table& write_queue_table() {
  return table_named("survey_write_queue").table;
}

const Table& listed_table() {
  return table_named("survey_listed").table;
}

const Table& event_table() {
  return table_named("survey_push_event").table;
}

const Table& written_table() {
  return table_named("survey_written").table;
}

const std::vector<BridgeTable>& every_table() {
  static const std::vector<BridgeTable> tables = [] {
    std::vector<BridgeTable> all = bridge_tables();
    for (const Table* table : report_tables())
      all.push_back({*table});
    for (const auto* root : mapping::root_resources()) {
      for (const auto& table : mapping::tables_of(*root))
        all.push_back({table});
    }
    return all;
  }();
  return tables;
}

const BridgeTable& table_named(const std::string& name) {
  const auto& tables = every_table();
  const auto found = std::ranges::find_if(
      tables, [&](const BridgeTable& each) { return each.table.name == name; });
  if (found == tables.end()) throw std::logic_error("there is no table " + name);
  return *found;
}

}  // namespace surveybridge::crm
