// `preview`: shows the batch that would go out, and what becomes of the rows behind it, each or by
// groups. Of a row it keeps no more than its key and that. Changes nothing, not even a cursor:
// missing tables of the bridge are created in a transaction that is rolled back.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/commands/check_database.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/forecast.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/push/batch.hpp"
#include "daemon/push/next_rows.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/suppress/brake.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kShownRows = 5, kGroupedRows = 1'000'000;  // without -n

// What becomes of a row.
struct Fate {
  enum class What { goes_out, later, quarantined, suppressed, delayed } what = What::goes_out;
  std::string reason = {};
  std::optional<TimePoint> until = {};  // delayed
  bool after_another = false;           // once another row of the person has gone out
};

struct Previewed {
  std::string key;  // of a group: of one of its rows
  Fate fate;        // of a group: until the first of them may go
  std::int64_t rows = 1;
};

const char* to_string(Fate::What what) {
  static constexpr const char* kWords[] = {"goes_out", "later", "quarantined", "suppressed",
                                           "delayed"};
  return kWords[static_cast<std::size_t>(what)];
}

// A row alone, or among those of the same fate.
class PreviewedRows {
 public:
  explicit PreviewedRows(bool groups) : groups_(groups) {}

  void add(const std::string& key, Fate fate) {
    if (groups_) {
      const auto [group, is_new] =
          places_.try_emplace({fate.what, fate.after_another, fate.reason}, all_.size());
      if (!is_new) return add(all_[group->second], fate);
    }
    all_.push_back({key, std::move(fate)});
  }
  // In the order of the rows; groups the largest first.
  std::vector<Previewed> take() {
    if (groups_) std::ranges::stable_sort(all_, std::ranges::greater(), &Previewed::rows);
    return std::move(all_);
  }
  bool empty() const { return all_.empty(); }

 private:
  static void add(Previewed& group, const Fate& fate) {
    ++group.rows;
    if (fate.until) group.fate.until = std::min(group.fate.until, fate.until);
  }

  bool groups_;
  std::vector<Previewed> all_;
  std::map<std::tuple<Fate::What, bool, std::string>, std::size_t> places_;  // of groups
};

// What becomes of up to so many rows, part by part.
class Preview {
 public:
  Preview(const CommandContext& command, const config::Push& push, const Invocation& invocation)
      : command_(command),
        push_(push),
        most_(static_cast<std::size_t>(
            invocation.previewed.value_or(invocation.groups ? kGroupedRows : kShownRows))),
        rows_(invocation.groups) {}

  // Empty: all is read. Throws DatabaseError.
  std::vector<config::Problem> look(const std::vector<mapping::DataColumn>& data_columns) {
    Databases databases(command_.looking);
    {
      Forecast forecast(databases, command_.settings, push_, command_.environment.uptime);
      auto problems =
          forecast.look(data_columns, most_, [&](ForeseenRows rows) { add(std::move(rows)); });
      if (!problems.empty()) return problems;
      has_more_pending_ = forecast.has_more_pending();
      has_more_new_ = forecast.has_more_new();
      without_key_ = forecast.source().count_without_key(forecast.window());
      if (rows_.empty())
        pending_ = crm::Ledger(databases.store()).count(push_.name, crm::State::pending);
      else
        reason_ = what_holds(databases);
    }
    if (rows_.empty()) reason_ = why_nothing_waits(databases);
    shown_ = rows_.take();
    return {};
  }

  const std::vector<BatchItem>& batch() const { return batch_; }  // the next one
  const std::vector<Previewed>& rows() const { return shown_; }   // each, or groups
  bool has_more_pending() const { return has_more_pending_; }
  bool has_more_new() const { return has_more_new_; }
  std::int64_t without_key() const { return without_key_; }
  // Of no row: why none waits. Else: why nothing goes out now; empty: nothing holds it.
  const std::string& reason() const { return reason_; }
  bool needs_person() const { return sets_aside_ || without_key_ > 0; }

 private:
  void add(ForeseenRows rows) {
    const std::vector<std::string> going = keys_of(rows.go);
    std::set<std::string> now;
    if (!has_batch_ && !going.empty()) {
      batch_ = cut_batch(std::move(rows.go), static_cast<std::size_t>(push_.batch.size),
                         static_cast<std::size_t>(push_.batch.bytes),
                         may_repeat_address(push_, command_.settings));
      for (const auto& item : batch_)
        now.insert(item.claim.key);
      has_batch_ = true;
    }
    for (const auto& key : going)
      add_row(key, {now.contains(key) ? Fate::What::goes_out : Fate::What::later});
    for (const auto& key : rows.behind)
      add_row(key, {Fate::What::later, "while its quota lasts"});
    for (const auto& row : rows.quarantined)
      add_row(row.key, {Fate::What::quarantined, row.reason});
    add_held_back(rows.suppressed, rows.delayed, false);
    for (const auto& item : rows.after_another.go)
      add_row(item.claim.key, {Fate::What::later, {}, {}, true});
    add_held_back(rows.after_another.suppressed, rows.after_another.delayed, true);
  }
  void add_held_back(const std::vector<crm::Ledger::SetAside>& suppressed,
                     const std::vector<crm::Ledger::Delay>& delayed, bool after_another) {
    for (const auto& row : suppressed)
      add_row(row.key, {Fate::What::suppressed, row.reason, {}, after_another});
    for (const auto& delay : delayed)
      add_row(delay.key, {Fate::What::delayed, delay.reason, delay.until, after_another});
  }
  void add_row(const std::string& key, Fate fate) {
    sets_aside_ = sets_aside_ || fate.what == Fate::What::quarantined;
    rows_.add(key, std::move(fate));
  }
  void add_repeated(const SuppressionCheck::Screened& screened) {
    for (const auto& item : screened.go)
      add_row(item.claim.key, {Fate::What::later, {}, {}, true});
    for (const auto& row : screened.suppressed)
      add_row(row.key, {Fate::What::suppressed, row.reason, {}, true});
    add_delays(screened.delayed, true);
  }
  void add_delays(const std::vector<crm::Ledger::Delay>& delays, bool after_another) {
    for (const auto& delay : delays)
      add_row(delay.key, {Fate::What::delayed, delay.reason, delay.until, after_another});
  }
  std::string why_nothing_waits(Databases& databases) const {
    const auto& zone = command_.settings.crm.time_zone;
    crm::Source source(databases.crm(), databases.store(), crm::source_query(push_, zone));
    if (const auto why = why_empty(push_, databases.crm(), databases.store(), source, zone))
      return *why;
    if (pending_ > 0)
      return fmt::format("{} of the ledger wait for their time: `{}` says until when",
                         counted(pending_, "row"),
                         with_file("surveybridge explain KEY", command_.settings.file));
    return "no row of the query is due";
  }
  // Empty: the push may send at this time.
  std::string why_closed(TimePoint now) const {
    const auto& zone = command_.settings.crm.time_zone;
    const TimePoint at = opening(push_, zone, now);
    if (at <= now) return "";
    std::string clock =
        mapping::write_local(mapping::to_zone(std::chrono::ceil<std::chrono::seconds>(at), zone));
    std::ranges::replace(clock, 'T', ' ');
    return fmt::format("not before {} in {} (send_window, send_days and closed)", clock, zone);
  }
  // A hold is told first, since it needs a person.
  std::string what_holds(Databases& databases) const {
    crm::Database& store = databases.store();
    SuppressionCheck suppressor(push_, command_.settings, command_.environment.uptime);
    if (const auto stale = suppressor.stale(store, store.now())) return stale->why;
    const auto brake = crm::Brakes(store).load(push_.name);
    const std::string see =
        ": see `" + with_file("surveybridge release " + push_.name, command_.settings.file) + "`";
    if (brake ? !brake->reason.empty() : push_.brake) return "the brake holds" + see;
    suppressor.read_own_lists(databases.crm());
    if (const auto why = suppressor.lost_unreleased(store)) return "the brake will hold: " + *why;
    if (auto why = why_closed(store.now()); !why.empty()) return why;
    const auto& settings = command_.settings;
    const bool changed = brake && !is_of(*brake, push_, crm_identity(settings, databases.crm()),
                                         service_of(push_, settings));
    return changed && push_.brake ? std::string(kAsksAnew) + see : "";
  }

  const CommandContext& command_;
  const config::Push& push_;
  const std::size_t most_;  // rows that are looked at
  bool has_batch_ = false, sets_aside_ = false;
  // Rows of the ledger, and others, behind those that were looked at.
  bool has_more_pending_ = false, has_more_new_ = false;
  std::int64_t pending_ = 0;  // rows of the ledger, where nothing waits
  std::int64_t without_key_ = 0;
  std::vector<BatchItem> batch_;
  PreviewedRows rows_;
  // Printed at the end: a slow reader must not keep a transaction.
  std::vector<Previewed> shown_;
  std::string reason_;
};

std::string fate_text(const Fate& fate) {
  std::string text = fate.after_another ? "once another row of this person has gone out: " : "";
  switch (fate.what) {
    case Fate::What::goes_out:
      return text + "goes out";
    case Fate::What::later:
      return text + "in a later batch" + (fate.reason.empty() ? "" : ", " + fate.reason);
    case Fate::What::delayed:
      text += "not before " + second_text(fate.until.value());
      break;
    case Fate::What::quarantined:
    case Fate::What::suppressed:
      text += to_string(fate.what);
      break;
  }
  return text + ": " + one_line(fate.reason);
}

// `body`: of the POST; empty: it is not shown.
void print_preview(const config::Push& push, const Preview& preview, bool groups,
                   const std::string& body) {
  if (preview.rows().empty()) {
    const std::string& why = preview.reason();
    const std::string known = "nothing waits";
    fmt::print("push.{}: {}{}\n", push.name, why.starts_with(known) ? "" : known + ": ", why);
  } else {
    fmt::print("push.{}: {} in the next batch\n", push.name,
               counted(std::ssize(preview.batch()), "customer"));
    if (groups) fmt::print("{:>11}  {:<24} {}\n", "rows", "the first key", "what becomes of them");
    for (const auto& [key, fate, rows] : preview.rows())
      fmt::print("{}  {:<24} {}\n", groups ? fmt::format("{:>11}", rows) : "", one_line(key),
                 fate_text(fate));
    if (preview.has_more_pending())
      fmt::print(
          "  more rows of the ledger wait, which are not shown: they were sent, or looked at,"
          " before\n");
    if (groups && preview.has_more_new())
      fmt::print("  more rows of the query wait, which are not counted: -n counts more\n");
    if (!preview.reason().empty())
      fmt::print("push.{}: nothing goes out yet: {}\n", push.name, preview.reason());
    if (!body.empty()) fmt::print("POST /external/api/v3/customer/add\n{}\n", body);
  }
  if (preview.without_key() > 0)
    fmt::print("push.{}: {}\n", push.name, keyless_text(push, preview.without_key()));
}

Json preview_json(const config::Push& push, const Preview& preview, bool groups,
                  const std::string& body) {
  return {{"push", push.name},
          {"batch", preview.batch().size()},
          {groups ? "groups" : "rows", array_of(preview.rows(),
                                                [&](const Previewed& each) -> Json {
                                                  const Fate& fate = each.fate;
                                                  Json row{{"key", each.key},
                                                           {"what", to_string(fate.what)},
                                                           {"reason", or_null(fate.reason)},
                                                           {"until", or_null(fate.until)},
                                                           {"after_another", fate.after_another}};
                                                  if (groups) row["rows"] = each.rows;
                                                  return row;
                                                })},
          {"more", preview.has_more_pending() || preview.has_more_new()},
          {"reason", or_null(preview.reason())},
          {"without_key", preview.without_key()},
          {"post", or_null(body)}};
}

// With `--json` what it shows goes to `pushes`.
ExitCode preview(const CommandContext& command, const config::Push& push,
                 const Invocation& invocation, Json& pushes) {
  const auto transport = command.environment.open_transport();
  service::Api api(command.settings.service, *transport, *command.credentials);
  const auto columns = data_columns_of(api);
  if (const auto* code = std::get_if<ExitCode>(&columns)) return *code;
  Preview preview(command, push, invocation);
  const auto problems = preview.look(std::get<std::vector<mapping::DataColumn>>(columns));
  for (const auto& problem : problems)
    report_error(to_string(problem));
  if (!problems.empty()) return kConfiguration;
  std::vector<mapping::Record> customers;
  for (const auto& item : preview.batch())
    customers.push_back(item.customer);
  std::string body;
  if (!customers.empty() && !invocation.groups)
    body = api.body_of(mapping::batch_of(push.batch, std::move(customers), system_now(),
                                         command.settings.crm.time_zone));
  if (invocation.json)
    pushes.push_back(preview_json(push, preview, invocation.groups, body));
  else
    print_preview(push, preview, invocation.groups, body);
  return preview.needs_person() ? kNeedsPerson : kDone;
}

}  // namespace

ExitCode command_preview(const Invocation& invocation) {
  const auto command = open_command_context(invocation, nullptr, Uses::service);
  if (!command) return kConfiguration;
  Json pushes = Json::array();
  std::vector<std::string> wanted = invocation.names;
  return ask_queries({command.get()}, [&] {
    ExitCode code = kDone;
    for (const auto& push : command->settings.pushes) {
      const bool is_named = std::erase(wanted, push.name) > 0;
      if (is_named || invocation.names.empty())
        code = std::max(code, preview(*command, push, invocation, pushes));
    }
    if (invocation.json) print_json({{"pushes", pushes}});
    if (wanted.empty()) return code;
    return report_unknown_name("preview: there is no push", wanted.front(),
                               names_of(command->settings.pushes));
  });
}

}  // namespace surveybridge::daemon
