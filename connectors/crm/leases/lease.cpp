#include "connectors/crm/leases/lease.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::chrono::hours kKept{24};  // the lease of an instance that has ended

// Locks the row until the transaction ends, so that the lease cannot change hands meanwhile.
std::string select_locked(Dialect dialect) {
  return in_dialect(dialect, R"(SELECT "owner", "fence", "expires_at" FROM "survey_lease")" +
                                 std::string(traits(dialect).lock_hint) +
                                 R"( WHERE "name" = {key})" +
                                 std::string(traits(dialect).lock_clause));
}

std::optional<Lease> stored(Database& database, const std::string& name) {
  const auto found = database.query({select_locked(database.dialect()), {name}});
  if (found.rows.empty()) return std::nullopt;
  const auto& row = found.rows.front();
  return Lease{name, text_in(row.at(0)), integer_in(row.at(1)),
               instant_in(row.at(2)).value_or(Instant{})};
}

void insert(Database& database, const Lease& lease) {
  database.execute({in_dialect(database.dialect(),
                               R"(INSERT INTO "survey_lease" ("name", "owner", "fence",)"
                               R"( "expires_at") VALUES ({key}, {key}, {integer}, {instant}))"),
                    {lease.name, lease.owner, lease.fence, lease.expires_at}});
}

void update(Database& database, const Lease& lease) {
  database.execute({in_dialect(database.dialect(),
                               R"(UPDATE "survey_lease" SET "owner" = {key}, "fence" = {integer},)"
                               R"( "expires_at" = {instant} WHERE "name" = {key})"),
                    {lease.owner, lease.fence, lease.expires_at, lease.name}});
}

}  // namespace

std::optional<Lease> Leases::take(const std::string& name, const std::string& owner,
                                  std::chrono::seconds duration) {
  try {
    Transaction transaction(database_);
    const auto held = stored(database_, name);
    const Instant now = database_.now();  // read after the wait for the row's lock
    Lease lease{name, owner, held ? held->fence : 1, now + duration};
    if (held && held->owner != owner) {
      // A released lease is free whatever its time: the database's clock may have been ahead.
      const bool valid = held->expires_at > now && held->expires_at <= now + kLeaseAhead;
      if (!held->owner.empty() && valid) return std::nullopt;
      ++lease.fence;
    }
    held ? update(database_, lease) : insert(database_, lease);
    transaction.commit();
    return lease;
  } catch (const DatabaseError& error) {
    // Both saw no row and the other instance inserted first: it has the lease.
    if (error.kind == DatabaseError::Kind::constraint) return std::nullopt;
    throw;
  }
}

void Leases::release(const Lease& lease) {
  Transaction transaction(database_);
  const Instant now = database_.now();
  database_.execute(
      {in_dialect(database_.dialect(),
                  R"(UPDATE "survey_lease" SET "owner" = '', "expires_at" = {instant})"
                  R"( WHERE "name" = {key} AND "owner" = {key})"
                  R"( AND "fence" = {integer})"),
       {now, lease.name, lease.owner, lease.fence}});
  transaction.commit();
}

void Leases::confirm(const Lease& lease) {
  const auto held = stored(database_, lease.name);
  if (!held || held->owner != lease.owner || held->fence != lease.fence) {
    throw LeaseLost("the lease " + lease.name + " has another holder");
  }
  if (held->expires_at <= database_.now()) {
    throw LeaseLost("the lease " + lease.name + " has expired");
  }
}

std::int64_t Leases::end_those_of(const std::function<bool(const std::string&)>& has_ended) {
  const Dialect dialect = database_.dialect();
  const Instant now = database_.now();
  const auto valid = database_.query(
      {in_dialect(dialect, R"(SELECT "name", "owner" FROM "survey_lease" WHERE "owner" <> '')"
                           R"( AND "expires_at" > {instant})"),
       {now}});
  const std::string end = in_dialect(
      dialect, R"(UPDATE "survey_lease" SET "expires_at" = {instant} WHERE "name" = {key})"
               R"( AND "owner" = {key})");
  std::int64_t ended = 0;
  for (const auto& row : valid.rows)
    if (has_ended(text_in(row.at(1))))
      ended += database_.execute({end, {now, row.at(0), row.at(1)}});
  return ended;
}

// An owner's name is never used again, so the number of its lease need not be kept.
std::int64_t Leases::remove_ended() {
  return database_.execute(
      {in_dialect(database_.dialect(),
                  R"(DELETE FROM "survey_lease" WHERE "name" LIKE 'instance:%')"
                  R"( AND "expires_at" < {instant})"),
       {database_.now() - kKept}});
}

}  // namespace surveybridge::crm
