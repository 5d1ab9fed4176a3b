#include "daemon/push/next_rows.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "daemon/suppress/brake.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kEvery = std::chrono::hours{1};
constexpr int kAtOnce = 1000;
// Of rows that were set aside so many are read in one step.
constexpr std::ptrdiff_t kMendedAtOnce = 500;

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

std::size_t bytes_at_once(const config::Push& push) {
  return static_cast<std::size_t>(std::clamp<std::int64_t>(push.batch.bytes, kBytesMin, kBytesMax));
}

void add_rows(Batch& batch, crm::Rows rows) {
  std::ranges::move(take_unsendable(rows), std::back_inserter(batch.set_aside));
  batch.rows = std::move(rows.rows);
}

bool is_empty(const Batch& batch) {
  return batch.rows.empty() && batch.set_aside.empty() && batch.before_start.empty();
}

// Until when the list of customers was read: what the service refused before and has kept all the
// same is sent by then. Where nothing reads the list, a refusal is believed.
TimePoint listed_until(const config::Settings& settings, crm::Database& store) {
  TimePoint until = TimePoint::max();
  for (const auto& walk : own_walks(settings, "customers"))
    until =
        std::min(until, crm::load_walk(store, "customers", walk).watermark.value_or(TimePoint{}));
  return until;
}

std::string sharing_text(const config::Push& push, std::int64_t rows) {
  if (rows == 0) return "";
  return counted(rows, "row") + (rows == 1 ? " shares its \"" : " share their \"") + push.key +
         "\" (key) with others of another \"" + push.when +
         "\": a key is one transaction, so that none of them is sent, or only the first";
}

}  // namespace

std::string keyless_text(const config::Push& push, std::int64_t rows) {
  if (rows == 0) return "";
  const bool one = rows == 1;
  return counted(rows, "row") + (one ? " has no \"" : " have no \"") + push.key +
         "\" (key), or one that cannot be stored (text of " + std::to_string(crm::kKeyBytesMax) +
         " bytes at most, without NUL), and " + (one ? "is" : "are") + " never sent";
}

std::vector<crm::Ledger::SetAside> take_unsendable(crm::Rows& rows) {
  std::vector<crm::Ledger::SetAside> unsendable;
  for (auto& key : rows.duplicate_keys)
    unsendable.push_back({.key = std::move(key),
                          .reason = "the query returns this key for several different rows",
                          .digest = std::string(crm::kNoDigest)});
  for (auto& [key, reason] : rows.unreadable)
    unsendable.push_back({.key = std::move(key),
                          .reason = std::move(reason),
                          .digest = std::string(crm::kNoDigest)});
  rows.duplicate_keys.clear();
  rows.unreadable.clear();
  return unsendable;
}

std::vector<crm::Ledger::SetAside> take_before_start(const config::Push& push,
                                                     const std::string& zone, crm::Rows& rows) {
  const TimePoint start = mapping::instant_of(push.start, zone);
  std::vector<crm::Ledger::SetAside> before_start;
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    if (!config::same_ignoring_case(rows.columns[i].name, push.when)) continue;
    std::erase_if(rows.rows, [&](const mapping::Row& row) {
      const auto date = mapping::coerce(row.cells.at(i), mapping::Type::instant, zone);
      const auto* read = std::get_if<mapping::Value>(&date);
      const auto* at = read == nullptr ? nullptr : std::get_if<mapping::Instant>(read);
      if (at == nullptr || *at >= start) return false;
      before_start.push_back({.key = row.key, .reason = std::string(crm::kBeforeStart)});
      return true;
    });
  }
  return before_start;
}

std::vector<crm::Ledger::Mendable> mended_rows(const config::Push& push,
                                               const config::Settings& settings,
                                               crm::Database& store, crm::Source& source,
                                               const std::vector<std::string>& keys,
                                               const DigestOf& digest_of) {
  std::map<std::string, std::string> digests;
  for (auto& row :
       crm::Ledger(store).mendable(push.name, keys, listed_until(settings, store) - push.settle))
    digests.emplace(std::move(row.key), std::move(row.digest));
  std::vector<std::string> left;
  for (const auto& [key, digest] : digests)
    left.push_back(key);
  std::vector<crm::Ledger::Mendable> mended;
  while (!left.empty()) {
    const auto whole = source.whole_rows(left, std::nullopt, bytes_at_once(push));
    for (const auto& row : whole.rows.rows)
      if (const auto& before = digests.at(row.key); digest_of(row) != before)
        mended.push_back({row.key, before});
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(whole.keys));
  }
  return mended;
}

std::string NextRows::not_sent() const {
  const std::string keyless = keyless_text(push_, sweeps_.without_key());
  const std::string sharing = sharing_text(push_, sweeps_.sharing());
  return keyless + (keyless.empty() || sharing.empty() ? "" : "; ") + sharing;
}

crm::Source& NextRows::source() {
  if (!source_) {
    source_.emplace(context_.crm(), context_.database(),
                    crm::source_query(push_, context_.settings().crm.time_zone));
  }
  return *source_;
}

std::unique_ptr<Batch> NextRows::find(SplitBatches& splits, const DigestOf& digest_of,
                                      TimePoint db_now, int limit) {
  while (!splits.empty()) {
    // A row that is no longer pending cannot be claimed again.
    auto batch = std::make_unique<Batch>();
    add_rows(*batch, source().by_key(batch->take_split(splits)));
    batch->pending = true;
    batch->looked_at = batch->rows.size();
    if (batch->rows.empty()) batch->end_split();
    if (!is_empty(*batch)) return batch;
  }
  if (auto batch = pending(limit)) return batch;
  return fresh(digest_of, db_now, limit);
}

std::unique_ptr<Batch> NextRows::pending(int limit) {
  auto pending = source().pending(limit, bytes_at_once(push_));
  auto batch = std::make_unique<Batch>();
  batch->before_start = take_before_start(push_, context_.settings().crm.time_zone, pending.rows);
  add_rows(*batch, std::move(pending.rows));
  for (auto& key : pending.gone) {
    batch->set_aside.push_back({std::move(key), std::string(crm::kGone)});
    may_find_again_ = true;
  }
  batch->pending = true;
  batch->more = pending.more;
  batch->looked_at = pending.looked_at;
  if (is_empty(*batch)) return nullptr;
  return batch;
}

std::unique_ptr<Batch> NextRows::fresh(const DigestOf& digest_of, TimePoint db_now, int limit) {
  quarantine_undated(db_now);
  const auto enough = static_cast<std::size_t>(limit);
  for (;;) {
    const Sweeps::Went went = sweeps_.read_on(source(), db_now, enough, may_find_again_);
    retry_found();
    const bool goes_on = retry_mended(digest_of);
    if (went == Sweeps::Went::rest) return goes_on ? std::make_unique<Batch>() : nullptr;
    if (went == Sweeps::Went::on) return std::make_unique<Batch>();
    if (auto batch = of_sweep(enough)) return batch;
  }
}

// Rows of the keys that the sweep has found. nullptr: none of them is there any more.
std::unique_ptr<Batch> NextRows::of_sweep(std::size_t limit) {
  auto keys = sweeps_.waiting(source(), limit);
  auto whole = source().whole_rows(keys, sweeps_.window(), bytes_at_once(push_));
  keys.resize(whole.keys);
  auto batch = std::make_unique<Batch>();
  batch->looked_at = keys.size();
  std::erase_if(keys, [&](const std::string& key) {
    return std::ranges::find(whole.rows.rows, key, &mapping::Row::key) != whole.rows.rows.end();
  });
  sweeps_.drop(keys);  // they are not there any more, or are quarantined now
  add_rows(*batch, std::move(whole.rows));
  batch->more = sweeps_.size() > batch->rows.size() || batch->looked_at >= limit;
  if (is_empty(*batch)) return nullptr;
  return batch;
}

std::int64_t NextRows::count_waiting() {
  crm::Database& store = context_.database();
  return drawn_of(push_, sweeps_.count(source())) +
         crm::Ledger(store).count_due(push_.name, store.now());
}

// Rows whose `when` has a place in no window: NULL, a zero date, text that is no date. No sweep
// finds them; it finds those whose date can be read again. Such a look reads the whole query: there
// is one in an hour, and they take at most one hundredth of the time.
void NextRows::quarantine_undated(TimePoint db_now) {
  if (db_now < undated_at_) return;
  crm::Ledger ledger(context_.database());
  const Duration begun = context_.environment().uptime();
  const std::string reason = std::string(crm::kUndated) + " in the column \"" + push_.when +
                             "\" (NULL, a zero date, or text in another form): never sent unless "
                             "it gets one";
  std::vector<crm::Ledger::SetAside> rows;
  for (auto& key : undated_keys(source()))
    rows.push_back({std::move(key), reason});
  if (!rows.empty()) ledger.set_aside(push_.name, crm::State::quarantined, rows);
  may_find_again_ = !ledger.none_set_aside(push_.name, std::string(crm::kUndated)) ||
                    !ledger.none_set_aside(push_.name, std::string(crm::kGone)) ||
                    ledger.may_have_mendable(push_.name, db_now - push_.look_back);
  const bool all = rows.size() < kAtOnce;
  undated_at_ =
      db_now + (all ? kEvery : Duration{0}) + (context_.environment().uptime() - begun) * 100;
  if (!rows.empty())
    context_.log().warn(counted(static_cast<std::int64_t>(rows.size()), "row") +
                            " quarantined: \"" + push_.when + "\" (when) is no date in them",
                        {.job = "push." + push_.name, .event = &kQuarantined});
}

void NextRows::retry_found() {
  const auto found = sweeps_.take_found_again();
  if (found.empty() || has_changed_query(push_, context_)) return;
  crm::Ledger(context_.database()).retry(push_.name, found, "the query finds it now");
}

// Looks at a part of the rows that were set aside and that the sweeps have met since: those that
// the CRM has changed since then are tried again. Is there more to do at once?
bool NextRows::retry_mended(const DigestOf& digest_of) {
  std::ranges::move(sweeps_.take_mendable(), std::back_inserter(mendable_));
  if (mendable_.empty() || has_changed_query(push_, context_)) {
    mendable_.clear();
    return false;
  }
  const Duration begun = context_.environment().uptime();
  const auto end =
      mendable_.begin() + std::min<std::ptrdiff_t>(kMendedAtOnce, std::ssize(mendable_));
  const std::vector<std::string> keys(mendable_.begin(), end);
  mendable_.erase(mendable_.begin(), end);  // where they cannot be read, they stop no new row
  const auto changed =
      mended_rows(push_, context_.settings(), context_.database(), source(), keys, digest_of);
  if (!changed.empty())
    crm::Ledger(context_.database())
        .mended(push_.name, changed, "the row's mapped cells have changed: it is tried again");
  sweeps_.spend(context_.environment().uptime() - begun);
  return !changed.empty() || !mendable_.empty();
}

}  // namespace surveybridge::daemon
