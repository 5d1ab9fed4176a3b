#include "daemon/push/next_rows.hpp"

#include <algorithm>

#include "connectors/crm/dialect/limits.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

std::string keyless_text(std::int64_t rows, const std::string& key) {
  if (rows == 0) return "";
  return std::to_string(rows) + " rows have no \"" + key + "\" (key), or one of more than " +
         std::to_string(crm::kKeyBytesMax) + " bytes, and are never sent";
}

}  // namespace

crm::Source& NextRows::source() {
  if (!source_) {
    source_.emplace(context_.database(),
                    crm::SourceQuery{push_.name, push_.query, push_.key, push_.when,
                                     context_.settings().crm.time_zone});
  }
  return *source_;
}

std::optional<NextRows::Found> NextRows::find(SplitBatches& split_batches, TimePoint db_now,
                                              int limit) {
  while (auto split = split_batches.take()) {
    // Whichever of them is no longer pending cannot be claimed again.
    auto rows = without_duplicates(source().by_key(split.keys()));
    if (!rows.empty()) return Found{std::move(rows), std::move(split)};
    split.done();
  }
  if (auto rows = pending(limit)) return Found{std::move(*rows), {}};
  if (auto rows = fresh(db_now, limit)) return Found{std::move(*rows), {}};
  return std::nullopt;
}

std::vector<mapping::Row> NextRows::without_duplicates(crm::Rows rows) {
  Quarantine::KeysAndReasons twins;
  for (auto& key : rows.duplicate_keys) {
    twins.emplace_back(std::move(key), "the query returns this key for several different rows");
  }
  quarantine_.add(twins);
  return std::move(rows.rows);
}

std::optional<std::vector<mapping::Row>> NextRows::pending(int limit) {
  auto found = source().pending(limit);
  Quarantine::KeysAndReasons gone;
  for (auto& key : found.gone) {
    gone.emplace_back(std::move(key), "the query no longer returns this transaction");
  }
  const bool some = !gone.empty() || !found.rows.duplicate_keys.empty();
  quarantine_.add(gone);
  auto rows = without_duplicates(std::move(found.rows));
  if (rows.empty() && !some) return std::nullopt;
  return rows;
}

std::optional<std::vector<mapping::Row>> NextRows::fresh(TimePoint db_now, int limit) {
  const TimePoint start = mapping::instant_of(push_.start, context_.settings().crm.time_zone);
  const TimePoint since = std::max(start, db_now - push_.look_back);
  crm::Ledger ledger(context_.database());
  if (const auto undated = undated_rows_.look(source(), ledger, since, db_now); undated > 0)
    context_.log().warn("push." + push_.name + ": " + std::to_string(undated) +
                        " rows quarantined: \"" + push_.when + "\" (when) is no date in them");
  auto found = source().next(since, db_now, limit);
  keyless_ = keyless_text(static_cast<std::int64_t>(found.without_key), push_.key);
  const bool twins = !found.duplicate_keys.empty();
  auto rows = without_duplicates(std::move(found));
  if (rows.empty() && !twins) return std::nullopt;
  return rows;
}

}  // namespace surveybridge::daemon
