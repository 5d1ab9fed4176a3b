#include "daemon/push/batch_choice.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "daemon/metrics/recorder.hpp"

namespace surveybridge::daemon {

// A batch for which too few rows were read is chosen anew from more of them.
std::unique_ptr<Batch> BatchChoice::next(const mapping::Mapper& mapper, TimePoint db_now) {
  for (;;) {
    const std::size_t limit = spare_rows_.limit(size_.cap());
    auto batch = choose(mapper, limit, db_now);
    const bool larger = spare_rows_.limit(size_.cap()) > limit;
    if (!batch || !batch->lacks_rows || !larger) return batch;
  }
}

// Of the next `limit` rows.
std::unique_ptr<Batch> BatchChoice::choose(const mapping::Mapper& mapper, std::size_t limit,
                                           TimePoint db_now) {
  std::optional<mapping::PersonHash> made;
  const auto hash = [&]() -> const mapping::PersonHash& {
    if (!made) made.emplace(person_key(context_.database()));
    return *made;
  };
  const auto digest = [&](const mapping::Row& row) { return digest_of(mapper, row, hash()); };
  auto batch = next_rows_.find(splits_, digest, context_.crm_now(db_now), static_cast<int>(limit));
  if (!batch) return nullptr;
  MappedRows mapped =
      map_rows(mapper, batch->rows, push_.batch, db_now, batch->rows.empty() ? nullptr : &hash());
  std::ranges::move(mapped.set_aside, std::back_inserter(batch->set_aside));
  batch->more = batch->more || batch->rows.size() > size_.cap() || mapped.left > 0;
  batch->rows = {};
  auto screened =
      suppression_.rule(context_.database(), context_.crm(), std::move(mapped.items), db_now);
  if (!batch->set_aside.empty() || !mapped.skipped.empty()) next_rows_.look_again();
  std::ranges::move(mapped.skipped, std::back_inserter(screened.suppressed));
  std::ranges::move(batch->before_start, std::back_inserter(screened.suppressed));
  crm::Ledger ledger(context_.database());
  const auto pending = batch->pending ? keys_of(screened.go) : std::vector<std::string>{};
  const std::size_t most = std::min(brake_.most(), size_.most(ledger, pending, batch->is_split()));
  const std::size_t sendable = screened.go.size();
  batch->items =
      cut_batch(std::move(screened.go), most, static_cast<std::size_t>(push_.batch.bytes),
                may_repeat_address(push_, context_.settings()));
  const auto aside = batch->set_aside.size() + mapped.waiting.size() + screened.suppressed.size() +
                     screened.delayed.size();
  batch->held = ask_brake(*batch, static_cast<std::int64_t>(aside), db_now);
  if (batch->held) return batch;
  quarantine_.add(batch->set_aside);
  delay(mapped.waiting);
  tell(screened);
  const std::size_t chosen = batch->items.size();
  spare_rows_.learn(size_.cap(), batch->looked_at - mapped.left, sendable, most, chosen);
  batch->lacks_rows = !batch->is_split() && batch->looked_at >= limit && mapped.left == 0 &&
                      chosen < std::min(most, size_.cap());
  // Nobody of the split batch may be mailed any more. It would be found again for ever.
  if (chosen == 0) batch->end_split();
  return batch;
}

std::optional<std::string> BatchChoice::ask_brake(const Batch& batch, std::int64_t aside,
                                                  TimePoint db_now) {
  const auto sends = static_cast<std::int64_t>(batch.items.size());
  if (sends == 0 && aside == 0) return std::nullopt;
  if (const auto why = lost_list()) return brake_.hold(*why);
  return brake_.look({sends, aside, batch.more, [&] { return next_rows_.count_waiting(); }},
                     next_rows_.source(), db_now);
}

std::vector<BatchItem> BatchChoice::mailable(std::vector<BatchItem> items, TimePoint db_now) {
  auto screened = suppression_.rule(context_.database(), context_.crm(), std::move(items), db_now);
  if (lost_list()) return {};  // the brake holds the next batch
  tell(screened);
  return std::move(screened.go);
}

std::optional<std::string> BatchChoice::lost_list() {
  auto why = suppression_.lost_unreleased(context_.database());
  if (why) suppression_.note_lost(context_.database());
  return why;
}

bool BatchChoice::lists_are_back() {
  suppression_.read_own_lists(context_.crm());
  const bool lost = suppression_.lost(context_.database()).has_value();
  if (lost)
    suppression_.note_lost(context_.database());
  else
    keep_list_readings();
  return !lost;
}

void BatchChoice::learn(const PushDecision& decision) {
  size_.learn(decision);
  if (std::ranges::count(decision.verdicts, crm::State::quarantined, &crm::Ledger::Verdict::state))
    next_rows_.look_again();
  splits_.insert(splits_.begin(), decision.retry_split.begin(), decision.retry_split.end());
}

void BatchChoice::rest() {
  next_rows_.rest();
  size_.reset();
}

void BatchChoice::delay(const std::vector<crm::Ledger::Delay>& rows) {
  if (rows.empty()) return;
  context_.recorder().rows(push_.name, row_outcome::kDelayed,
                           crm::Ledger(context_.database()).delay(push_.name, rows));
}

// Tells the ledger of those who may not be mailed now.
void BatchChoice::tell(const SuppressionCheck::Screened& screened) {
  keep_list_readings();
  if (!screened.suppressed.empty()) {
    context_.recorder().rows(
        push_.name, row_outcome::kSuppressed,
        crm::Ledger(context_.database())
            .set_aside(push_.name, crm::State::suppressed, screened.suppressed));
  }
  delay(screened.delayed);
}

// For `status`, and for lost_list(), where they are others than before. One that has lost addresses
// is compared with what it listed before for as long as nobody has released the push.
void BatchChoice::keep_list_readings() {
  crm::Database& database = context_.database();
  auto readings = suppression_.own_lists();
  // Another process may have noted a loss since then.
  if (readings == kept_readings_ && !suppression_.is_loss_noted(database)) return;
  if (lost_list()) return;
  crm::keep_list_readings(database, push_.name, readings);
  kept_readings_ = std::move(readings);
}

}  // namespace surveybridge::daemon
