#include "daemon/commands/reload_plan.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/commands/customer_fields.hpp"
#include "daemon/commands/forecast.hpp"
#include "daemon/push/batch_size.hpp"
#include "daemon/suppress/brake.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::daemon {

namespace {

constexpr const char *kNotReturned = "the new query does not return it within its bounds",
                     *kNotLookedAt = "it is not among the rows that were looked at";

// The fields of a customer: hashes of their values, by the numbers of their names; 0: not there.
// Small, for there are many customers.
using FieldHashes = std::vector<std::size_t>;

// Numbers for the names of fields.
class FieldNames {
 public:
  explicit FieldNames(const std::vector<mapping::DataColumn>& columns) : columns_(columns) {}

  FieldHashes hashes_of(const mapping::Record& customer) {
    FieldHashes hashes(numbers_.size());
    for (const auto& [name, value] : fields_of(customer, columns_)) {
      const std::size_t at = numbers_.try_emplace(name, numbers_.size()).first->second;
      hashes.resize(std::max(hashes.size(), at + 1));
      hashes[at] = std::hash<std::string>()(mapping::digest_of({&value, 1})) | 1;
    }
    return hashes;
  }
  // Of the fields that differ, in the order of their names.
  std::vector<std::string> differing(const FieldHashes& one, const FieldHashes& other) const {
    std::vector<std::string> names;
    const auto hash_in = [](const FieldHashes& hashes, std::size_t number) {
      return number < hashes.size() ? hashes[number] : 0;
    };
    for (const auto& [name, number] : numbers_)
      if (hash_in(one, number) != hash_in(other, number)) names.push_back(name);
    return names;
  }

 private:
  const std::vector<mapping::DataColumn>& columns_;
  std::map<std::string, std::size_t> numbers_;
};

// A row as a configuration has it.
struct RowFate {
  bool goes = false;
  std::string why;     // where it does not go
  FieldHashes fields;  // where it goes
};

// Rows that the daemon looks at together.
struct Group {
  std::vector<std::string> keys;  // in their order
  std::int64_t behind = 0;
};

// Of the rows of a push.
struct Fates {
  std::unordered_map<std::string, RowFate> by_key;
  std::array<Group, 3> groups;  // by ForeseenRows::Of
  std::int64_t goes = 0, quarantined = 0;
  bool whole = true;
  std::string held, stale;
  std::optional<TimePoint> at;  // when the rows were looked at
};

// All rows that wait of one push by one configuration.
class PushForecast {
 public:
  PushForecast(const Configured& by, const config::Push& push, FieldNames& names)
      : by_(by), push_(push), names_(names), databases_(by.environment) {}

  // The problems of the map; empty: fates() are known.
  std::vector<config::Problem> look(const std::vector<mapping::DataColumn>& columns,
                                    std::size_t most) {
    Forecast forecast(databases_, by_.settings, push_, by_.environment.uptime);
    return look(forecast, columns, most, std::nullopt);
  }
  // The same at the time of another look, and what the brake will do. The running daemon may have
  // taken rows since: they do not go in `before` any more.
  std::vector<config::Problem> look_after(Fates& before,
                                          const std::vector<mapping::DataColumn>& columns,
                                          std::size_t most) {
    Forecast forecast(databases_, by_.settings, push_, by_.environment.uptime);
    auto problems = look(forecast, columns, most, before.at);
    if (!problems.empty()) return problems;
    drop_taken(before);
    crm::Database& store = databases_.store();
    SuppressionCheck suppression(push_, by_.settings, by_.environment.uptime);
    if (const auto stale = suppression.stale(store, store.now())) fates_.stale = stale->why;
    suppression.read_own_lists(databases_.crm());
    fates_.held = held_by_brake(forecast, suppression);
    if (fates_.held.empty()) fates_.held = suppression.lost_unreleased(store).value_or("");
    return {};
  }
  Fates& fates() { return fates_; }

 private:
  using Of = ForeseenRows::Of;

  Group& group_of(Of of) { return fates_.groups.at(static_cast<std::size_t>(of)); }

  std::vector<config::Problem> look(Forecast& forecast,
                                    const std::vector<mapping::DataColumn>& columns,
                                    std::size_t most, std::optional<TimePoint> at) {
    auto problems = forecast.look(
        columns, most, [&](ForeseenRows rows) { add(rows); }, at);
    fates_.whole = !forecast.has_more_pending() && !forecast.is_cut();
    fates_.at = forecast.window().until;
    fates_.quarantined = crm::Ledger(databases_.store()).count(push_.name, crm::State::quarantined);
    return problems;
  }

  void drop_taken(Fates& before) {
    std::vector<std::string> unseen;
    for (const Of of : {Of::pending, Of::query})
      for (const auto& key : before.groups.at(static_cast<std::size_t>(of)).keys)
        if (!fates_.by_key.contains(key)) unseen.push_back(key);
    if (unseen.empty()) return;
    const auto left = crm::Ledger(databases_.store()).claimable(push_.name, unseen);
    for (const auto& key : unseen)
      if (!std::ranges::binary_search(left, key)) before.by_key.at(key).goes = false;
  }

  void add(const ForeseenRows& rows) {
    Group& group = group_of(rows.of);
    group.keys.insert(group.keys.end(), rows.keys.begin(), rows.keys.end());
    group.behind += std::ssize(rows.behind);
    fates_.goes += std::ssize(rows.go) + std::ssize(rows.after_another.go);
    const auto stays = [&](const std::string& key, const std::string& why) {
      fates_.by_key[key].why = why;
    };
    const auto go = [&](const std::vector<BatchItem>& items) {
      for (const auto& item : items)
        fates_.by_key[item.claim.key] = {true, "", names_.hashes_of(item.customer)};
    };
    const auto stay = [&](const auto& reasons, const std::string& word) {
      for (const auto& row : reasons)
        stays(row.key, word + row.reason);
    };
    go(rows.go);
    go(rows.after_another.go);
    for (const auto& key : rows.behind)
      stays(key, "others go first, which take the rest of the quota");
    stay(rows.quarantined, "quarantined: ");
    stay(rows.suppressed, "suppressed: ");
    stay(rows.delayed, "not yet: ");
    const std::string before = "once another row of this person has gone out: ";
    stay(rows.after_another.suppressed, before + "suppressed: ");
    stay(rows.after_another.delayed, before + "not yet: ");
  }

  // Does the daemon end this hold by itself? `suppression` has read the lists of the configuration.
  bool is_over(const crm::BrakeState& state, const SuppressionCheck& suppression) {
    if (state.reason.starts_with(kListLost)) return !suppression.lost(databases_.store());
    return is_taken_back(push_, crm_identity(by_.settings, databases_.crm()),
                         service_of(push_, by_.settings), state);
  }

  // The brake is asked about each group.
  std::string held_by_brake(Forecast& forecast, const SuppressionCheck& suppression) {
    crm::Database& store = databases_.store();
    auto state = crm::Brakes(store).load(push_.name);
    if (state && !state->reason.empty()) {
      if (!is_over(*state, suppression)) return state->reason;
      state->allowance = 0;
    }
    if (!push_.brake && !push_.max_per_hour) return "";
    const auto due = crm::Ledger(store).count_due(push_.name, store.now());
    const Group& first = group_of(Of::pending);
    const std::int64_t stay_due =
        std::max<std::int64_t>(0, due - std::ssize(first.keys) + first.behind);
    const auto of_fresh = [&] {
      const auto [since, until] = forecast.window();
      const auto rows = since < until ? forecast.source().count(since, until) : 0;
      return drawn_of(push_, rows) + stay_due;
    };
    if (auto why = held(
            first, [&] { return due; }, state, forecast);
        !why.empty())
      return why;
    if (auto why = held(group_of(Of::query), of_fresh, state, forecast); !why.empty()) return why;
    const Group& mended = group_of(Of::mended);
    const auto of_mended = [&] { return stay_due + std::ssize(mended.keys); };
    if (auto why = held(mended, of_mended, state, forecast); !why.empty()) return why;
    if (!push_.max_per_hour || fates_.goes == 0) return "";
    // One batch after the other may go, and not all of them within an hour.
    const auto none = [] { return std::int64_t{0}; };
    return why_brake_holds(push_, by_.settings, state, fates_.goes, none, forecast.source(),
                           databases_.crm(), store, store.now())
        .value_or("");
  }

  std::string held(const Group& group, const std::function<std::int64_t()>& count,
                   const std::optional<crm::BrakeState>& state, Forecast& forecast) {
    const auto size = static_cast<std::size_t>(push_.batch.size);
    const auto looked_at = std::min(group.keys.size(), SpareRows().limit(size));
    const auto end = group.keys.begin() + static_cast<std::ptrdiff_t>(looked_at);
    const auto going = std::count_if(group.keys.begin(), end,
                                     [&](const auto& key) { return fates_.by_key[key].goes; });
    NextToGo next;
    next.sends = std::min<std::int64_t>(going, push_.batch.size);
    next.aside = static_cast<std::int64_t>(looked_at) - going;
    next.more = group.keys.size() > size;
    next.count = count;
    if (next.sends == 0 && next.aside == 0) return "";
    crm::Database& store = databases_.store();
    return why_brake_holds(
               push_, by_.settings, state, next.sends, [&] { return next.waiting(push_, !state); },
               forecast.source(), databases_.crm(), store, store.now())
        .value_or("");
  }

  const Configured& by_;
  const config::Push& push_;
  FieldNames& names_;
  Databases databases_;
  Fates fates_;
};

const config::Push* push_named(const config::Settings& settings, const std::string& name) {
  const auto push = std::ranges::find(settings.pushes, name, &config::Push::name);
  return push == settings.pushes.end() ? nullptr : &*push;
}

// Those of the running configuration. One that fails, or that is not there, sends nothing.
Fates fates_before(const Configured& before, const std::string& name, FieldNames& names,
                   const std::vector<mapping::DataColumn>& columns, std::size_t most) {
  const config::Push* push = push_named(before.settings, name);
  if (push == nullptr) return {};
  try {
    PushForecast forecast(before, *push, names);
    if (!forecast.look(columns, most).empty()) return {};
    return std::move(forecast.fates());
  } catch (const crm::DatabaseError& error) {
    if (error.kind != crm::DatabaseError::Kind::other) throw;
    return {};
  }
}

// In the order of the rows.
std::vector<std::string> keys_in_order(const Fates& fates) {
  std::vector<std::string> keys;
  for (const Group& group : fates.groups)
    keys.insert(keys.end(), group.keys.begin(), group.keys.end());
  return keys;
}

PushChanges compared(const std::string& push, const Fates& before, Fates after,
                     const std::string& why_gone, const FieldNames& names) {
  PushChanges plan;
  plan.push = push;
  plan.goes = after.goes;
  plan.held = std::move(after.held);
  plan.stale = std::move(after.stale);
  plan.whole = before.whole && after.whole;
  plan.quarantined = after.quarantined;
  for (const auto& key : keys_in_order(after)) {
    const RowFate& now = after.by_key.at(key);
    if (!now.goes) continue;
    const auto then = before.by_key.find(key);
    if (then == before.by_key.end() || !then->second.goes) {
      plan.newly.push_back(key);
      continue;
    }
    auto fields = names.differing(then->second.fields, now.fields);
    if (!fields.empty()) plan.changed.push_back({key, std::move(fields)});
  }
  for (const auto& key : keys_in_order(before)) {
    if (!before.by_key.at(key).goes) continue;
    const auto now = after.by_key.find(key);
    if (now == after.by_key.end())
      plan.no_longer.push_back({key, why_gone});
    else if (!now->second.goes)
      plan.no_longer.push_back({key, now->second.why});
  }
  return plan;
}

}  // namespace

std::variant<std::vector<PushChanges>, std::vector<config::Problem>> plan_reload(
    const Configured& before, const Configured& after,
    const std::vector<mapping::DataColumn>& columns, std::size_t most) {
  std::vector<PushChanges> plans;
  for (const auto& push : after.settings.pushes) {
    FieldNames names(columns);
    Fates then = fates_before(before, push.name, names, columns, most);
    PushForecast forecast(after, push, names);
    if (auto problems = forecast.look_after(then, columns, most); !problems.empty())
      return problems;
    Fates& now = forecast.fates();
    const char* const why_gone = now.whole ? kNotReturned : kNotLookedAt;
    plans.push_back(compared(push.name, then, std::move(now), why_gone, names));
    if (const auto* running = push_named(before.settings, push.name))
      plans.back().other_key = other_key_text(*running, push);
  }
  for (const auto& push : before.settings.pushes) {
    if (push_named(after.settings, push.name) != nullptr) continue;
    FieldNames names(columns);
    const Fates then = fates_before(before, push.name, names, columns, most);
    plans.push_back(compared(push.name, then, {}, "the new configuration has no such push", names));
    plans.back().quarantined = then.quarantined;
  }
  return plans;
}

}  // namespace surveybridge::daemon
