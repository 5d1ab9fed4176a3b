#include "daemon/push/next_rows.hpp"

#include <algorithm>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/suppress/brake.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kEvery = std::chrono::hours{1};
constexpr int kAtOnce = 1000;

// A query that takes too long without its window must not stop the rows that have a date.
std::vector<std::string> undated_keys(crm::Source& source) {
  try {
    return source.undated(kAtOnce);
  } catch (const crm::ColumnsChanged&) {
    throw;
  } catch (const crm::DatabaseError& error) {
    if (error.kind != crm::DatabaseError::Kind::busy) throw;
    return {};
  }
}

// Whole rows are read up to this weight at a time, and no more than fill one request.
constexpr std::int64_t kBytesMin = 1 << 20, kBytesMax = 8 << 20;

}  // namespace

std::int64_t UndatedRows::look(crm::Source& source, crm::Ledger& ledger, TimePoint db_now) {
  const std::string reason = std::string(crm::kUndated) + " in the column \"" + push_.when +
                             "\" (NULL, a zero date, or text in another form): never sent unless "
                             "it gets one";
  std::vector<crm::Ledger::SetAside> rows;
  for (auto& key : undated_keys(source))
    rows.push_back({std::move(key), reason});
  if (!rows.empty()) ledger.set_aside(push_.name, crm::State::quarantined, rows);
  some_ = !ledger.none_set_aside(push_.name, std::string(crm::kUndated)) ||
          !ledger.none_set_aside(push_.name, std::string(crm::kGone));
  const bool all = rows.size() < kAtOnce;
  next_look_ = all ? db_now + kEvery : db_now;
  return static_cast<std::int64_t>(rows.size());
}

std::string keyless_text(const config::Push& push, std::int64_t rows) {
  if (rows == 0) return "";
  const bool one = rows == 1;
  return counted(rows, "row") + (one ? " has no \"" : " have no \"") + push.key +
         "\" (key), or one that cannot be stored (text of " + std::to_string(crm::kKeyBytesMax) +
         " bytes at most, without NUL), and " + (one ? "is" : "are") + " never sent";
}

std::string sharing_text(const config::Push& push, std::int64_t rows) {
  if (rows == 0) return "";
  return counted(rows, "row") + (rows == 1 ? " shares its \"" : " share their \"") + push.key +
         "\" (key) with others of another \"" + push.when +
         "\": a key is one transaction, so that none of them is sent, or only the first";
}

std::string NextRows::not_sent() const {
  const std::string keyless = keyless_text(push_, sweeps_.without_key());
  const std::string sharing = sharing_text(push_, sweeps_.sharing());
  return keyless + (keyless.empty() || sharing.empty() ? "" : "; ") + sharing;
}

std::size_t NextRows::bytes() const {
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(push_.batch.bytes, kBytesMin, kBytesMax));
}

crm::Source& NextRows::source() {
  if (!source_) {
    source_.emplace(context_.crm(), context_.database(),
                    crm::source_query(push_, context_.settings().crm.time_zone));
  }
  return *source_;
}

std::optional<NextRows::Found> NextRows::find(SplitBatches& split_batches, TimePoint db_now,
                                              int limit) {
  while (auto split = split_batches.take()) {
    // A row that is no longer pending cannot be claimed again.
    Found found = found_of(source().by_key(split.keys()));
    found.pending = true;
    found.looked_at = found.rows.size();
    if (found.rows.empty()) split.done();
    if (found.rows.empty() && found.set_aside.empty()) continue;
    found.split = std::move(split);
    return found;
  }
  if (auto found = pending(limit)) return found;
  return fresh(db_now, limit);
}

NextRows::Found NextRows::found_of(crm::Rows rows) {
  Found found;
  for (auto& key : rows.duplicate_keys) {
    found.set_aside.push_back(
        {std::move(key), "the query returns this key for several different rows"});
  }
  for (auto& key : rows.large_keys)
    found.set_aside.push_back({std::move(key), "a cell of the row has more than 64 MiB"});
  found.rows = std::move(rows.rows);
  return found;
}

std::optional<NextRows::Found> NextRows::pending(int limit) {
  auto pending = source().pending(limit, bytes());
  Found found = found_of(std::move(pending.rows));
  for (auto& key : pending.gone) {
    found.set_aside.push_back({std::move(key), std::string(crm::kGone)});
    undated_rows_.met_gone();
  }
  found.pending = true;
  found.more = pending.more;
  found.looked_at = pending.looked_at;
  if (found.rows.empty() && found.set_aside.empty()) return std::nullopt;
  return found;
}

std::optional<NextRows::Found> NextRows::fresh(TimePoint db_now, int limit) {
  look_for_dates(db_now);
  const auto enough = static_cast<std::size_t>(limit);
  for (;;) {
    const Sweeps::Went went = sweeps_.read_on(source(), db_now, enough, undated_rows_.some());
    retry_found();
    if (went == Sweeps::Went::rest) return std::nullopt;
    if (went == Sweeps::Went::on) return Found{};
    if (auto found = of_sweep(enough)) return found;
  }
}

// Rows of the keys that the sweep has found. Nothing: none of them is there any more.
std::optional<NextRows::Found> NextRows::of_sweep(std::size_t limit) {
  auto keys = sweeps_.waiting(source(), limit);
  auto whole = source().whole_rows(keys, sweeps_.window(), bytes());
  keys.resize(whole.keys);
  const std::size_t looked_at = keys.size();
  std::erase_if(keys, [&](const std::string& key) {
    return std::ranges::find(whole.rows.rows, key, &mapping::Row::key) != whole.rows.rows.end();
  });
  sweeps_.drop(keys);  // they are not there any more, or are quarantined now
  Found found = found_of(std::move(whole.rows));
  found.more = sweeps_.size() > found.rows.size() || looked_at >= limit;
  found.looked_at = looked_at;
  if (found.rows.empty() && found.set_aside.empty()) return std::nullopt;
  return found;
}

std::int64_t NextRows::count_waiting() {
  const auto pending = crm::Ledger(context_.database()).count(push_.name, crm::State::pending);
  return sweeps_.count(source()) + pending;
}

void NextRows::look_for_dates(TimePoint db_now) {
  if (!undated_rows_.is_due(db_now)) return;
  crm::Ledger ledger(context_.database());
  const Duration begun = context_.environment().uptime();
  const auto undated = undated_rows_.look(source(), ledger, db_now);
  undated_rows_.lasted(context_.environment().uptime() - begun);
  if (undated > 0)
    context_.log().warn(
        counted(undated, "row") + " quarantined: \"" + push_.when + "\" (when) is no date in them",
        {.job = "push." + push_.name, .event = &kQuarantined});
}

void NextRows::retry_found() {
  const auto found = sweeps_.take_found_again();
  const auto& zone = context_.settings().crm.time_zone;
  if (found.empty() || has_changed_query(push_, zone, context_.database())) return;
  crm::Ledger(context_.database()).retry(push_.name, found, "the query finds it now");
}

}  // namespace surveybridge::daemon
