#include "daemon/commands/forecast.hpp"

#include <algorithm>
#include <deque>
#include <iterator>

#include "connectors/crm/people/people.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/push/attachment_reader.hpp"
#include "daemon/push/current_mapper.hpp"
#include "daemon/push/next_rows.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/suppress/brake.hpp"

namespace surveybridge::daemon {

namespace {

// So many rows are read, mapped and looked up at once, or those of so many bytes; the first of them
// hold the next batch.
constexpr std::size_t kSeenAtOnce = 500;
constexpr std::size_t kSeenBytes = 16 << 20;
constexpr int kKeysRead = 10'000;

using Of = ForeseenRows::Of;

// The keys that the ledger does not know, a part at a time.
class NewKeys {
 public:
  NewKeys(crm::Source& source, crm::Window window) : source_(source), window_(window) {}

  // Up to `most` of those that come first; empty: there are no more.
  std::vector<std::string> first(std::size_t most) {
    while (!chunk_.end && keys_.size() < most) {
      chunk_ = source_.chunk(window_, chunk_.next, kKeysRead, true);
      keys_.insert(keys_.end(), chunk_.keys.begin(), chunk_.keys.end());
      mendable_.insert(mendable_.end(), chunk_.mendable.begin(), chunk_.mendable.end());
    }
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, keys_.size()));
    return {keys_.begin(), keys_.begin() + count};
  }
  void drop(std::size_t count) {
    keys_.erase(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(count));
  }
  // Keys that were set aside and whose rows may have changed, as far as was read.
  const std::vector<std::string>& mendable() const { return mendable_; }

 private:
  crm::Source& source_;
  crm::Window window_;
  crm::Chunk chunk_;
  std::deque<std::string> keys_;
  std::vector<std::string> mendable_;
};

ForeseenRows rows_of(Of of) {
  ForeseenRows rows;
  rows.of = of;
  return rows;
}

}  // namespace

Forecast::Forecast(Databases& databases, const config::Settings& settings, const config::Push& push,
                   std::function<Duration()> uptime)
    : databases_(databases),
      settings_(settings),
      push_(push),
      source_(databases.crm(), databases.store(), crm::source_query(push, settings.crm.time_zone)),
      suppression_(push, settings, std::move(uptime)) {
  crm::Database& store = databases.store();
  // Where nothing is missing, nobody waits for the transaction.
  const auto missing = crm::missing_schema_for_a_look(store);
  if (!missing.empty() || !crm::People(store).stored_hash_key()) never_committed_.emplace(store);
  for (const auto& statement : missing)
    store.execute({statement, {}});
}

std::vector<config::Problem> Forecast::look(const std::vector<mapping::DataColumn>& data_columns,
                                            std::size_t most, const Seen& seen,
                                            std::optional<TimePoint> at) {
  crm::Database& store = databases_.store();
  const auto& zone = settings_.crm.time_zone;
  left_ = most;
  const auto names = names_of(source_.columns());
  if (const auto lacks = data_columns.empty() ? missing_column(push_) : std::nullopt)
    return {*lacks};
  auto made = mapping::Mapper::make(push_, names, data_columns, zone, read_from_folder);
  if (auto* problems = std::get_if<std::vector<config::Problem>>(&made)) return *problems;
  const auto& mapper = std::get<mapping::Mapper>(made);
  const TimePoint now = at ? *at : databases_.crm().now();
  window_ = {found_since(push_, zone, store, now), now};
  auto pending =
      source_.pending(static_cast<int>(std::min<std::size_t>(left_, kKeysRead)), kSeenBytes);
  has_more_pending_ = pending.more;
  ForeseenRows others = rows_of(Of::pending);
  others.suppressed = take_before_start(push_, zone, pending.rows);
  for (const auto& key : pending.gone)
    others.quarantined.push_back({key, std::string(crm::kGone)});
  add(mapper, std::move(pending.rows), std::move(others), seen);
  const auto at_once = std::max(kSeenAtOnce, static_cast<std::size_t>(push_.batch.size));
  NewKeys keys(source_, window_);
  while (left_ > 0) {
    const auto next = keys.first(std::min(left_, at_once));
    if (next.empty()) break;
    auto whole = source_.whole_rows(next, window_, kSeenBytes);
    keys.drop(whole.keys);
    add(mapper, std::move(whole.rows), rows_of(Of::query), seen);
  }
  has_more_new_ = left_ == 0 && !keys.first(1).empty();
  if (left_ == 0 || keys.mendable().empty()) return {};
  // The first batch of a changed query makes it the one that counts.
  if (!goes_ && has_changed_query(push_, settings_, databases_.crm(), store)) return {};
  const mapping::PersonHash hash(person_key(store));
  const auto digest = [&](const mapping::Row& row) { return digest_of(mapper, row, hash); };
  std::vector<std::string> mended;
  for (const auto& row : mended_rows(push_, settings_, store, source_, keys.mendable(), digest))
    mended.push_back(row.key);
  mended.resize(std::min(mended.size(), left_));
  while (!mended.empty()) {
    auto whole = source_.whole_rows(mended, std::nullopt, kSeenBytes);
    mended.erase(mended.begin(), mended.begin() + static_cast<std::ptrdiff_t>(whole.keys));
    add(mapper, std::move(whole.rows), rows_of(Of::mended), seen);
  }
  return {};
}

// Files may fill a batch before all rows are mapped.
void Forecast::add(const mapping::Mapper& mapper, crm::Rows rows, ForeseenRows others,
                   const Seen& seen) {
  crm::Database& store = databases_.store();
  crm::Database& crm = databases_.crm();
  std::ranges::move(take_unsendable(rows), std::back_inserter(others.quarantined));
  for (const auto* set_aside : {&others.quarantined, &others.suppressed})
    for (const auto& row : *set_aside)
      others.keys.push_back(row.key);
  left_ -= std::min(left_, rows.rows.size() + others.keys.size());
  while (!rows.rows.empty()) {
    const TimePoint now = window_.until;
    const mapping::PersonHash hash(person_key(store));
    MappedRows mapped = map_rows(mapper, rows.rows, push_.batch, now, &hash);
    const auto left = static_cast<std::ptrdiff_t>(mapped.left);
    auto screened = suppression_.rule(store, crm, std::move(mapped.items), now);
    ForeseenRows found;
    for (auto row = rows.rows.begin(); row != rows.rows.end() - left; ++row)
      found.keys.push_back(row->key);
    found.of = others.of;
    found.behind = std::move(screened.behind);
    found.quarantined = std::move(mapped.set_aside);
    found.suppressed = std::move(screened.suppressed);
    found.delayed = std::move(screened.delayed);
    std::ranges::move(mapped.skipped, std::back_inserter(found.suppressed));
    std::ranges::move(mapped.waiting, std::back_inserter(found.delayed));
    found.after_another = suppression_.rule(store, crm, take_repeated(screened.go), now,
                                            SuppressionCheck::When::after_another);
    std::ranges::move(found.after_another.behind, std::back_inserter(found.behind));
    found.go = std::move(screened.go);
    suppression_.foresee(found.go);
    suppression_.foresee(found.after_another.go);
    goes_ = goes_ || !found.go.empty();
    rows.rows.erase(rows.rows.begin(), rows.rows.end() - left);
    seen(std::move(found));
  }
  if (!others.keys.empty()) seen(std::move(others));
}

// Takes out those that a rule on contacts will look at after another row of the same person has
// gone out.
std::vector<BatchItem> Forecast::take_repeated(std::vector<BatchItem>& go) {
  std::vector<BatchItem> repeated;
  if (!settings_.suppress || settings_.suppress->contact.empty()) return repeated;
  std::erase_if(go, [&](BatchItem& item) {
    const std::string& person = item.claim.person;
    const bool is_first = person.empty() || persons_.insert(person).second;
    if (!is_first) repeated.push_back(std::move(item));
    return !is_first;
  });
  return repeated;
}

std::variant<std::vector<mapping::DataColumn>, ExitCode> data_columns_of(service::Api& api) {
  const auto columns = api.data_columns(system_now());
  if (const auto* records = std::get_if<std::vector<mapping::Record>>(&columns))
    return mapping::to_data_columns(*records);
  const auto& trouble = std::get<service::Trouble>(columns);
  report_error("service: data columns: " + trouble.detail);
  return is_temporary(fault_of(trouble.kind)) ? kUnreachable : kConfiguration;
}

ExitCode ask_queries(const std::vector<const CommandContext*>& places,
                     const std::function<ExitCode()>& ask) {
  for (const auto* place : places) {
    if (const auto refused = refused_tables(place->looking)) {
      report_error(*refused);
      return kConfiguration;
    }
  }
  try {
    return ask();
  } catch (const crm::DatabaseError& error) {
    return report_error(error) == kUnreachable ? kUnreachable : kConfiguration;
  }
}

}  // namespace surveybridge::daemon
