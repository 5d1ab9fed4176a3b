// `quarantine`, `doubt` and `suppressed`: an operator looks, and decides about single transactions.
// Each decision is a transition of the ledger with its evidence: by whom is what the reason says.
#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/daemon_state/overview.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/resend_check.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/runtime/control_socket.hpp"
#include "daemon/runtime/signals.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

using crm::Ledger;
using crm::State;

constexpr int kListed = 1000;  // a page
constexpr int kEveryRow = 10'000'000;

// Rows that an operator described.
struct Selection {
  std::string reason;  // part of it
  std::optional<TimePoint> since, before;

  bool everything() const { return reason.empty() && !since && !before; }
  bool has(const crm::Entry& entry) const {
    return entry.reason.find(reason) != std::string::npos &&
           (!since || entry.changed_at >= *since) && (!before || entry.changed_at < *before);
  }
};

// Empty: a date cannot be read, and people have been told.
std::optional<Selection> selection_of(const Invocation& invocation, const std::string& zone) {
  Selection selection{invocation.reason, std::nullopt, std::nullopt};
  const auto read = [&](const std::string& text, std::optional<TimePoint>& at) {
    if (!text.empty()) at = read_time(text, zone);
    if (text.empty() || at) return true;
    report_error("\"" + text + "\" is no date such as 2026-01-31 or 2026-01-31T08:00:00Z");
    return false;
  };
  if (!read(invocation.since, selection.since) || !read(invocation.before, selection.before))
    return std::nullopt;
  return selection;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

struct Pushes {
  std::vector<std::string> names;
  std::vector<std::string> former;     // of them, not configured: nothing of them is sent
  std::vector<std::string> of_nobody;  // of those: what is in doubt is not looked up either
};

// The pushes a command speaks of, also those that only the ledger has; none: the name is wrong, and
// people have been told.
Pushes pushes_of(const config::Settings& settings, crm::Database& database, crm::Tables tables,
                 const std::string& wanted) {
  Pushes pushes{names_of(settings.pushes), {}, {}};
  for (auto& name : crm::read_if_there(tables, [&] { return crm::Brakes(database).pushes(); }))
    if (!has(pushes.names, name)) pushes.former.push_back(std::move(name));
  pushes.names.insert(pushes.names.end(), pushes.former.begin(), pushes.former.end());
  std::erase_if(pushes.names, [&](const auto& name) { return !wanted.empty() && name != wanted; });
  pushes.of_nobody =
      crm::read_if_there(tables, [&] { return names_of_nobody(settings, database); });
  if (pushes.names.empty())
    report_error("there is no push \"" + wanted + "\" in the configuration, nor in the ledger");
  return pushes;
}

// Does it let rows go out again?
bool sends(const std::string& action) {
  return action == "retry" || action == "resend";
}

bool may_move(const Pushes& pushes, const std::string& push, const std::string& action) {
  return !sends(action) || !has(pushes.former, push);
}

void print(const std::string& push, const crm::Entry& entry) {
  const auto at = std::chrono::floor<std::chrono::seconds>(entry.changed_at);
  fmt::print("{}  {}  {}  {}  {}\n", push, one_line(entry.key), to_string(entry.state),
             mapping::write_instant(at), one_line(entry.reason));
}

// The oldest change first, a page at a time. How many rows there are up to that page.
std::int64_t print_list(Ledger& ledger, const std::string& push, State state,
                        const Selection& selection, int page) {
  auto entries = ledger.list(push, state, selection.everything() ? page * kListed + 1 : kEveryRow);
  std::erase_if(entries, [&](const crm::Entry& entry) { return !selection.has(entry); });
  const auto from = std::min(entries.size(), static_cast<std::size_t>(page - 1) * kListed);
  const auto to = std::min(entries.size(), static_cast<std::size_t>(page) * kListed);
  for (auto i = from; i < to; ++i)
    print(push, entries[i]);
  if (entries.size() > to)
    report_error(fmt::format("{}: more rows are {}: --page {}", push, to_string(state), page + 1));
  return static_cast<std::int64_t>(entries.size());
}

using Decide =
    std::function<std::int64_t(Ledger&, const std::string& push, const std::vector<std::string>&)>;

constexpr const char* kDropped = "dropped for good";

Decide decision(const std::string& action, const std::string& who, State of) {
  const std::string decided = "decided by " + who;
  if (action == "retry" && of == State::suppressed) {
    return [decided](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
      return l.judge_again(p, keys, "judged anew, " + decided);
    };
  }
  if (action == "retry") {
    return [decided](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
      return l.retry(p, keys, "retry " + decided);
    };
  }
  if (action == "drop") {
    return [decided](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
      return l.drop(p, keys, std::string(kDropped) + ", " + decided);
    };
  }
  if (action == "sent") {
    return [who](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
      return l.decide(p, State::sent, keys, std::string(crm::kMarkedSent) + who);
    };
  }
  if (action == "undo") {
    return [decided](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
      return l.undo_sent(p, keys, "not known to have arrived after all, " + decided);
    };
  }
  return [decided](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
    return l.decide(p, State::pending, keys, std::string(crm::kSentAgain) + ", " + decided);
  };
}

std::int64_t print_groups(Ledger& ledger, const std::string& push, State state) {
  std::int64_t rows = 0;
  for (const auto& group : ledger.reasons(push, state)) {
    const auto second = [](TimePoint at) {
      return mapping::write_instant(std::chrono::floor<std::chrono::seconds>(at));
    };
    fmt::print("{}  {:>9}  {}  {}  {}  {}\n", push, group.rows, to_string(state),
               second(group.first), second(group.last), one_line(group.reason));
    rows += group.rows;
  }
  return rows;
}

ExitCode list(Ledger& ledger, const Pushes& pushes, const Selection& selection,
              const Invocation& invocation, const std::vector<State>& states) {
  std::map<State, std::int64_t> rows;
  std::vector<std::string> left;  // pushes with rows in doubt that are not looked up
  for (const auto& push : pushes.names) {
    for (const auto state : states) {
      const auto some = invocation.groups
                            ? print_groups(ledger, push, state)
                            : print_list(ledger, push, state, selection, invocation.page);
      const bool is_left = state == State::in_doubt && has(pushes.of_nobody, push);
      if (is_left && some > 0) left.push_back(push);
      if (!is_left) rows[state] += some;
    }
  }
  if (rows[State::in_doubt] > 0)
    std::cerr << "in_doubt: the bridge looks these up at the service by itself\n";
  if (!left.empty())
    std::cerr << fmt::format(
        "in_doubt in {}: {}nothing looks these up; look for the key at the service, then type `{}` "
        "if it is there\n",
        fmt::join(left, ", "), kNotConfigured,
        with_file("surveybridge doubt sent KEY", invocation.config));
  if (rows[State::held] > 0)
    std::cerr << "held: look for the key at the service, then type `"
              << with_file("surveybridge doubt sent KEY", invocation.config)
              << "` if it is there, or `"
              << with_file("surveybridge doubt resend KEY", invocation.config) << "`\n";
  // Nobody has to do anything about the suppressed, or about what the bridge looks up.
  const bool needs_person = rows[State::held] + rows[State::quarantined] > 0 || !left.empty();
  return needs_person ? kNeedsPerson : kDone;
}

// Ends the wait of these jobs, if a daemon runs here.
bool wake(const std::string& kind, const std::vector<std::string>& pushes,
          const Invocation& invocation) {
  bool woken = false;
  for (const auto& push : pushes)
    woken =
        ask_daemon(invocation.config, "now " + kind + push).value_or("").starts_with("ok") || woken;
  return woken;
}

// Rows of these pushes are pending, or in doubt, again: a daemon that runs here goes on at once.
void go_on(std::vector<std::string> changed, const Pushes& pushes, const Invocation& invocation) {
  for (const auto& push : pushes.of_nobody)
    if (invocation.action == "undo" && std::erase(changed, push) > 0)
      fmt::print("{}: {}nothing looks its rows up\n", push, kNotConfigured);
  if (changed.empty()) return;
  const bool by_name =
      std::ranges::none_of(changed, [&](const auto& push) { return has(pushes.former, push); });
  const std::string sync = with_file(
      "surveybridge sync" +
          (by_name ? fmt::format(" push.{}", fmt::join(changed, " push.")) : std::string()),
      invocation.config);
  if (invocation.action == "undo") {
    fmt::print(
        "{}. Those that are not there go out again where the push has doubt = \"resend\", or where "
        "the"
        " service has refused their batch; the others are held, and `{}` shows them\n",
        wake("reconcile.", changed, invocation)
            ? "the daemon that runs here looks for them at the service now"
            : "the daemon looks for them at the service when it runs, or `" + sync + "` does",
        with_file("surveybridge doubt list", invocation.config));
  } else if (sends(invocation.action)) {
    fmt::print("{}\n",
               wake("push.", changed, invocation)
                   ? "the daemon that runs here goes on with them now"
                   : "they go out with the next poll of the daemon, or with `" + sync + "`");
  }
}

// Why `undo` does not take back what it found.
std::string why_not_undone(const crm::Entry& entry) {
  const std::string is = fmt::format("is {} in push {}", to_string(entry.state), entry.push);
  if (entry.state != State::sent)
    return is + ", and undo takes back what `doubt sent` has marked as sent";
  if (entry.customer_id)
    return fmt::format("{}, and the service lists it: customer {}", is, *entry.customer_id);
  if (entry.reason.starts_with(crm::kMarkedSent))
    return is + ", and the service has accepted its batch " + one_line(entry.batch);
  return is + ", and not because a person said so: " +
         (entry.reason.empty() ? "the service accepted it" : one_line(entry.reason));
}

// The states that an action moves rows from.
std::vector<State> moved_by(const std::string& action, State of) {
  if (action == "sent") return {State::in_doubt, State::held};
  if (action == "resend") return {State::held};
  return {of};
}

// Why a key did not move.
std::string why_not(Ledger& ledger, const Pushes& pushes, const std::string& key,
                    const std::string& action, State of) {
  std::vector<std::string> found;
  bool in_doubt = false, is_held = false;
  for (const auto& push : pushes.names) {
    const auto entry = ledger.find(push, key);
    if (!entry) continue;
    const bool is_looked_up = !has(pushes.of_nobody, push);
    in_doubt = in_doubt || (entry->state == State::in_doubt && is_looked_up);
    is_held = is_held || entry->state == State::held;
    if (action == "undo") return why_not_undone(*entry);
    if (entry->state == State::suppressed && of == State::suppressed)
      return "stays suppressed: its person has opted out, or asked to be forgotten";
    found.push_back(fmt::format("{} in push {}", to_string(entry->state), push));
  }
  if (found.empty()) return "the ledger has no transaction with this key";
  std::vector<std::string> states;
  for (const State state : moved_by(action, of))
    states.emplace_back(to_string(state));
  if (action == "resend" && is_held) return "came to be held just now: type it again";
  const std::string waiting =
      action == "resend" && in_doubt
          ? ": the bridge still looks it up at the service, and says held if it is not there"
          : "";
  return fmt::format("is {}, and {} takes what is {}{}", fmt::join(found, " and "), action,
                     fmt::join(states, " or "), waiting);
}

// Names a row that an action would send, of a push that is not configured. Is there one?
bool is_left_alone(Ledger& ledger, const std::string& push, const std::string& key,
                   const std::string& action, State of) {
  const auto entry = ledger.find(push, key);
  if (!entry || std::ranges::count(moved_by(action, of), entry->state) == 0) return false;
  report_error(fmt::format("{}: is {} in push {}; {}nothing sends it", key, to_string(entry->state),
                           push, kNotConfigured));
  return true;
}

// Every key one by one, so that each that did not move can be named. `check`: of `resend`.
ExitCode apply(Ledger& ledger, const Pushes& pushes, const Invocation& invocation, State state,
               ResendCheck* check) {
  const Decide decide = decision(invocation.action, invocation.decided_by, state);
  ExitCode code = kDone;
  std::map<std::string, ResendCheck::Verdict> judged;  // by push
  for (const auto& push : pushes.names) {
    if (check == nullptr) break;
    if (!may_move(pushes, push, invocation.action)) continue;
    auto of_push = check->judge(push, invocation.keys);
    if (!of_push) return check->code();
    judged[push] = *std::move(of_push);
  }
  std::vector<std::string> changed;
  for (const auto& key : invocation.keys) {
    std::int64_t moved = 0;
    bool stays = false;
    for (const auto& push : pushes.names) {
      if (!may_move(pushes, push, invocation.action)) {
        if (!is_left_alone(ledger, push, key, invocation.action, state)) continue;
        stays = true;
        code = kNeedsPerson;
        continue;
      }
      const auto& verdict = judged[push];
      if (const auto at = verdict.stay.find(key); at != verdict.stay.end()) {
        report_error(key + ": " + stays_text(at->second, invocation, key));
        stays = true;
        continue;
      }
      // What came to be held while the service was asked has not been looked up.
      if (check != nullptr && !verdict.go.contains(key)) continue;
      const std::int64_t here = decide(ledger, push, {key});
      if (here > 0 && !has(changed, push)) changed.push_back(push);
      moved += here;
    }
    if (moved > 0) {
      fmt::print("{}  {}\n", one_line(key), invocation.action);
      continue;
    }
    if (!stays) report_error(key + ": " + why_not(ledger, pushes, key, invocation.action, state));
    code = kNeedsPerson;
  }
  if (!changed.empty()) go_on(changed, pushes, invocation);
  return code;
}

// Every row of this state that the operator described, a page of keys at a time. `check`: of
// `resend`.
ExitCode apply_to(const Selection& selection, Ledger& ledger, const Pushes& pushes,
                  const Invocation& invocation, State state, ResendCheck* check) {
  const Decide decide = decision(invocation.action, invocation.decided_by, state);
  std::vector<std::string> changed;
  ExitCode code = kDone;
  for (const auto& push : pushes.names) {
    const bool moves = may_move(pushes, push, invocation.action);
    std::int64_t moved = 0, left = 0;
    std::map<ResendCheck::Stays::Why, std::int64_t> stay;
    std::string last;
    for (bool asked = true; asked;) {
      const auto entries = invocation.action == "undo"
                               ? ledger.marked_sent(push, last, kListed)
                               : ledger.in_state(push, state, last, kListed);
      if (entries.empty()) break;
      last = entries.back().key;
      std::vector<std::string> keys;
      for (const auto& entry : entries) {
        // What a person has dropped is no ruling: it goes only by its key.
        const bool is_dropped = state == State::suppressed && entry.reason.starts_with(kDropped);
        if (selection.has(entry) && !is_dropped) keys.push_back(entry.key);
      }
      if (!moves) {
        left += static_cast<std::int64_t>(keys.size());
        continue;
      }
      if (check != nullptr) {
        const auto of_page = check->judge(push, keys);
        asked = of_page.has_value();
        if (!asked) code = check->code();
        if (!asked) break;
        for (const auto& [key, stays] : of_page->stay)
          ++stay[stays.why];
        keys.assign(of_page->go.begin(), of_page->go.end());
      }
      if (!keys.empty()) moved += decide(ledger, push, keys);
    }
    if (left > 0) {
      report_error(fmt::format("{}: {} left alone; {}nothing sends {}", push, counted(left, "row"),
                               kNotConfigured, left == 1 ? "it" : "them"));
      code = kNeedsPerson;
    }
    if (!moves) continue;
    fmt::print("{}  {}  {}\n", push, counted(moved, "row"), invocation.action);
    for (const auto& [why, rows] : stay) {
      report_error(fmt::format("{}: {} held, because {}; `{}` names them, and `{}` tells each",
                               push, counted(rows, "row") + (rows == 1 ? " stays" : " stay"),
                               why_they_stay(why),
                               with_file("surveybridge doubt list", invocation.config),
                               with_file("surveybridge doubt resend KEY", invocation.config)));
      code = kNeedsPerson;
    }
    if (moved > 0) changed.push_back(push);
  }
  if (!changed.empty()) go_on(changed, pushes, invocation);
  return code;
}

// The last of the states needs a person: its rows may be described instead of named.
ExitCode settle(const Invocation& invocation, const std::vector<State>& states) {
  const bool asks = invocation.action == "resend" && !invocation.force;
  std::optional<Signals> signals;
  if (asks) signals.emplace();
  std::atomic<bool> stop{false};
  const auto command =
      open_command_context(invocation, &stop, asks ? Uses::service : Uses::databases);
  if (!command) return kConfiguration;
  const auto selection = selection_of(invocation, command->settings.crm.time_zone);
  if (!selection) return kUsage;
  const bool lists = invocation.action == "list";
  const bool described = invocation.all || !selection->everything();
  if (!lists && invocation.keys.empty() == !described) {
    report_error(invocation.action + ": name keys, or say which with --reason, --since, --before" +
                 " or --all");
    return kUsage;
  }
  try {
    const auto database = that_looks(command->environment).open_database();
    // Nothing has ever been set aside.
    const auto tables = crm::tables_to_read(*database);
    if (tables == crm::Tables::none) return kDone;
    const auto pushes = pushes_of(command->settings, *database, tables, invocation.push);
    if (pushes.names.empty()) return kUsage;
    Ledger ledger(*database);
    if (lists) return list(ledger, pushes, *selection, invocation, states);
    std::optional<ResendCheck> check;
    if (asks) check.emplace(*command, *database, *signals, stop);
    ResendCheck* const checked = check ? &*check : nullptr;
    const ExitCode code =
        described ? apply_to(*selection, ledger, pushes, invocation, states.back(), checked)
                  : apply(ledger, pushes, invocation, states.back(), checked);
    // The kept numbers suppose that no row leaves these states.
    const bool leaves = states.back() == State::suppressed;
    if (leaves && !crm::kept_counts(*database).empty()) crm::renew_kept_counts(*database);
    return code;
  } catch (const crm::DatabaseError& error) {
    return report_error(error);
  }
}

}  // namespace

ExitCode command_quarantine(const Invocation& invocation) {
  return settle(invocation, {State::quarantined});
}

ExitCode command_suppressed(const Invocation& invocation) {
  Invocation given = invocation;
  if (given.action.empty()) given.action = "list";
  return settle(given, {State::suppressed});
}

ExitCode command_doubt(const Invocation& invocation) {
  return settle(invocation, {State::in_doubt, State::held});
}

}  // namespace surveybridge::daemon
