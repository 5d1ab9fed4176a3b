#include "connectors/crm/daemon_state/overview.hpp"

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/schema/schema_version.hpp"

namespace surveybridge::crm {
namespace {

constexpr int kBatchesShown = 3;

std::vector<Lease> leases(Database& database, Instant now) {
  return query_structs<Lease>(database,
                              R"(SELECT "name", "owner", "fence", "expires_at" FROM "survey_lease")"
                              R"( WHERE "expires_at" > {instant} ORDER BY "name")",
                              {now});
}

}  // namespace

bool has_run(Database& database) {
  try {
    query_rows(database, R"(SELECT 1 FROM "survey_lease" WHERE 1 = 0)");
    return true;
  } catch (const DatabaseError& error) {
    if (error.kind == DatabaseError::Kind::other) return false;
    throw;
  }
}

void try_write(Database& database, bool tables) {
  const Transaction never_committed(database);
  if (!tables) return;
  run_statement(database, R"(UPDATE "survey_lease" SET "name" = "name" WHERE 1 = 0)");
}

Tables tables_to_read(Database& database) {
  if (!has_run(database)) return Tables::none;
  try {
    make_schema(database);
    return Tables::whole;
  } catch (const RefusedTables&) {
    throw;
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other) throw;  // otherwise the account may not
  }
  return Tables::older;
}

namespace {

void add_push(Database& database, const std::string& push, const PartReader& parts,
              Overview& overview) {
  Ledger ledger(database);
  for (auto& each :
       parts.read("oldest transactions", [&] { return ledger.oldest(push, overview.now); }))
    overview.oldest.push_back(std::move(each));
  const auto batches =
      parts.read_required("latest batches", [&] { return ledger.batches(push, kBatchesShown); });
  for (const auto& batch : batches) {
    overview.batches.push_back(batch);
    const auto outcome = batch.answer.outcome;
    if (outcome != Outcome::unknown && outcome != Outcome::none) continue;
    overview.states_of_batches[batch.id] = parts.read_required(
        "transactions of a batch", [&] { return ledger.states_of_batch(batch.id); });
  }
}

}  // namespace

Overview overview(Database& database, const std::vector<std::string>& pushes,
                  const std::string& service, std::vector<LockedPart>* locked) {
  Overview overview;
  overview.now = database.now();
  overview.tables = tables_to_read(database);
  if (overview.tables == Tables::none) return overview;
  const PartReader parts(overview.tables, locked);
  overview.counts = parts.read_required("counts of the ledger", [&] {
    return overview.tables == Tables::whole ? count_by_kept(database) : Ledger(database).counts();
  });
  overview.walks = parts.read("walks", [&] { return all_walks(database); });
  overview.writes = parts.read("write-backs", [&] { return write_counts(database); });
  overview.waiting_writes =
      parts.read("records that wait for their row", [&] { return waiting_writes(database); });
  overview.write_queue =
      parts.read("queue of write-backs", [&] { return write_backlogs(database); });
  overview.unwritten =
      parts.read("write-backs that are missing", [&] { return unwritten_counts(database); });
  overview.unreadable =
      parts.read("unreadable records", [&] { return unreadable_counts(database); });
  overview.own_lists = parts.read("own lists", [&] { return last_list_readings(database); });
  overview.verify_results = parts.read("last verify", [&] { return verify_results(database); });
  overview.leases = parts.read("leases", [&] { return leases(database, overview.now); });
  overview.paces = parts.read("pace", [&] { return PaceStore(database).load(service); });
  for (const auto& push : pushes)
    add_push(database, push, parts, overview);
  return overview;
}

}  // namespace surveybridge::crm
