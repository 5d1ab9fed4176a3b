#include "connectors/crm/leases/lease.hpp"

#include <set>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/row_struct.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::chrono::hours kKept{24};  // the lease of an instance that has ended

struct StoredLease {
  Lease lease;
  bool is_of_cluster;  // the lock is of this node only
};
// Locks the row until the transaction ends, so that the lease cannot change hands meanwhile.
std::optional<StoredLease> stored(Database& database, const std::string& name) {
  const DialectTraits& known = traits(database.dialect());
  const std::string gate(known.cluster_gate.empty() ? "NULL" : known.cluster_gate);
  const auto found = query_rows(database,
                                R"(SELECT "name", "owner", "fence", "expires_at", )" + gate +
                                    R"( FROM "survey_lease" WHERE "name" = {key})" +
                                    std::string(known.lock_clause),
                                {name});
  if (found.empty()) return std::nullopt;
  return StoredLease{struct_in<Lease>(found.front()), !mapping::is_null(found.front().at(4))};
}

// So that this transaction and one of another node that gives the lease away cannot both be
// committed. No dialect of a cluster names sessions in this column.
void write_anew(Database& database, const std::string& name) {
  run_statement(database,
                R"(UPDATE "survey_lease" SET "session" = )" +
                    std::string(traits(database.dialect()).never_before) +
                    R"( WHERE "name" = {key})",
                {name});
}

// This session's name, as SQL.
std::string session(Dialect dialect) {
  const std::string_view name = traits(dialect).session_name;
  return std::string(name.empty() ? "NULL" : name);
}

void insert(Database& database, const Lease& lease) {
  run_statement(database,
                R"(INSERT INTO "survey_lease" ("name", "owner", "fence", "expires_at", "session"))"
                R"( VALUES ({key}, {key}, {integer}, {instant}, )" +
                    session(database.dialect()) + ")",
                {lease.name, lease.owner, lease.fence, lease.expires_at});
}

void update(Database& database, const Lease& lease) {
  run_statement(database,
                R"(UPDATE "survey_lease" SET "owner" = {key}, "fence" = {integer},)"
                R"( "expires_at" = {instant}, "session" = )" +
                    session(database.dialect()) + R"( WHERE "name" = {key})",
                {lease.owner, lease.fence, lease.expires_at, lease.name});
}

std::set<std::string> sessions(Database& database) {
  const std::string_view query = traits(database.dialect()).sessions;
  if (query.empty()) return {};
  return text_set_in(database.query({std::string(query), {}}).rows);
}

// A session of the same number that may not be looked at could be this one.
bool has_ended(const std::string& session, const std::set<std::string>& sessions) {
  const std::string hidden = session.substr(0, session.find(' ') + 1);
  return !session.empty() && !sessions.contains(session) && !sessions.contains(hidden);
}

}  // namespace

std::optional<Lease> Leases::take(const std::string& name, const std::string& owner,
                                  std::chrono::seconds duration) {
  try {
    Transaction transaction(database_);
    const auto found = stored(database_, name);
    const Lease* held = found ? &found->lease : nullptr;
    const Instant now = database_.now();  // read after the wait for the row's lock
    Lease lease{name, owner, held != nullptr ? held->fence : 1, now + duration};
    if (held != nullptr && held->owner != owner) {
      // A released lease is free whatever its time: the database's clock may have been ahead.
      const bool valid = held->expires_at > now && held->expires_at <= now + kLeaseAhead;
      if (!held->owner.empty() && valid) return std::nullopt;
      ++lease.fence;
    }
    held != nullptr ? update(database_, lease) : insert(database_, lease);
    transaction.commit();
    return lease;
  } catch (const DatabaseError& error) {
    // Both saw no row and the other instance inserted first: it has the lease.
    if (error.kind == DatabaseError::Kind::constraint) return std::nullopt;
    throw;
  }
}

void Leases::release(const Lease& lease) {
  run_statement(database_,
                R"(UPDATE "survey_lease" SET "owner" = '', "expires_at" = {instant})"
                R"( WHERE "name" = {key} AND "owner" = {key})"
                R"( AND "fence" = {integer})",
                {database_.now(), lease.name, lease.owner, lease.fence});
}

Instant Leases::confirm(const Lease& lease) {
  const auto held = stored(database_, lease.name);
  if (!held || held->lease.owner != lease.owner || held->lease.fence != lease.fence) {
    throw LeaseLost("the lease " + lease.name + " has another holder");
  }
  const Instant now = database_.now();  // read after the wait for the row's lock
  if (held->lease.expires_at <= now) {
    throw LeaseLost("the lease " + lease.name + " has expired");
  }
  if (held->is_of_cluster) write_anew(database_, lease.name);
  return now;
}

std::int64_t Leases::end_where(
    const std::function<bool(const Lease& lease, const std::string& session)>& is_over) {
  const Instant now = database_.now();
  const auto valid =
      query_rows(database_,
                 R"(SELECT "name", "owner", "fence", "expires_at", "session" FROM)"
                 R"( "survey_lease" WHERE "owner" <> '' AND "expires_at" > {instant})",
                 {now});
  std::vector<std::vector<Value>> over;
  for (const auto& row : valid) {
    const auto lease = struct_in<Lease>(row);
    if (is_over(lease, text_in(row.at(4))))
      over.push_back({now, lease.name, lease.owner, lease.expires_at});
  }
  return run_each(database_,
                  R"(UPDATE "survey_lease" SET "expires_at" = {instant} WHERE "name" = {key})"
                  R"( AND "owner" = {key} AND "expires_at" = {instant})",
                  over);
}

std::int64_t Leases::end_those_of(const std::function<bool(const std::string&)>& has_ended) {
  return end_where([&](const Lease& lease, const std::string&) { return has_ended(lease.owner); });
}

std::int64_t Leases::end_those_without_session(std::chrono::seconds lasts,
                                               std::chrono::seconds sends) {
  const auto there = sessions(database_);
  if (there.empty()) return 0;
  const Instant now = database_.now();
  return end_where([&](const Lease& lease, const std::string& session) {
    const bool may_send =
        lease.name.starts_with("instance:") && lease.expires_at > now + (lasts - sends);
    return has_ended(session, there) && !may_send;
  });
}

// An owner's name is never used again, so the number of its lease need not be kept.
std::int64_t Leases::remove_ended() {
  return run_statement(database_,
                       R"(DELETE FROM "survey_lease" WHERE "name" LIKE 'instance:%')"
                       R"( AND "expires_at" < {instant})",
                       {database_.now() - kKept});
}

}  // namespace surveybridge::crm
