// `rows`: an operator looks at rows that were not sent, and decides about single transactions.
// `quarantine`, `doubt` and `suppressed` are the same with states chosen. Each decision is a
// transition of the ledger with its evidence: by whom is what the reason says.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/resend_check.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/runtime/control_socket.hpp"

namespace surveybridge::daemon {

namespace {

using crm::Ledger;
using crm::State;
using Keys = std::vector<std::string>;

constexpr int kListed = 1000;  // a page
constexpr int kEveryRow = 10'000'000;
constexpr const char* kDropped = "dropped for good";

template <typename Thing>
bool contains(const std::vector<Thing>& all, const Thing& thing) {
  return std::ranges::find(all, thing) != all.end();
}

// What a person can decide.
struct Action {
  std::string name;
  std::vector<State> takes;  // of rows that are described only those in the last of them
  bool sends = false;        // the rows go out again
};

std::vector<Action> all_actions() {
  return {{"retry", {State::quarantined}, true}, {"retry", {State::suppressed}, true},
          {"drop", {State::quarantined}},        {"sent", {State::in_doubt, State::held}},
          {"resend", {State::held}, true},       {"undo", {State::sent}}};
}

// Rows of this push, as they were `seen`. How many moved.
std::int64_t decide(Ledger& ledger, const Action& action, const std::string& push, const Keys& keys,
                    const std::string& who, const Ledger::Attempts& seen) {
  const std::string decided = "decided by " + who;
  if (action.name == "retry" && action.takes.back() == State::suppressed)
    return ledger.judge_again(push, keys, "judged anew, " + decided);
  if (action.name == "retry") return ledger.retry(push, keys, "retry " + decided);
  if (action.name == "drop") return ledger.drop(push, keys, std::string(kDropped) + ", " + decided);
  if (action.name == "sent")
    return ledger.decide(push, State::sent, keys, std::string(crm::kMarkedSent) + who, seen);
  if (action.name == "undo")
    return ledger.undo_sent(push, keys, "not known to have arrived after all, " + decided);
  return ledger.decide(push, State::pending, keys, std::string(crm::kSentAgain) + ", " + decided,
                       seen);
}

std::string state_names(const std::vector<State>& states) {
  std::vector<std::string> names;
  for (const State state : states)
    names.emplace_back(to_string(state));
  return fmt::format("{}", fmt::join(names, " or "));
}

// Rows that an operator described.
struct Selection {
  std::vector<State> states;  // empty: none was named
  Keys keys;
  std::string reason;  // part of it
  std::optional<TimePoint> since, before;

  bool everything() const { return keys.empty() && reason.empty() && !since && !before; }
  bool has(const crm::Entry& entry) const {
    return (keys.empty() || contains(keys, entry.key)) &&
           entry.reason.find(reason) != std::string::npos &&
           (!since || entry.changed_at >= *since) && (!before || entry.changed_at < *before);
  }
};

// Empty: a date cannot be read, and people have been told.
std::optional<Selection> selection_of(const Invocation& invocation, const std::string& zone) {
  const RowChoice& choice = invocation.rows;
  Selection selection{{}, invocation.keys, choice.reason, std::nullopt, std::nullopt};
  for (const auto& name : choice.states)
    selection.states.push_back(crm::state_from(name).value());
  for (const auto& [text, at] :
       {std::pair{&choice.since, &selection.since}, std::pair{&choice.before, &selection.before}}) {
    if (text->empty()) continue;
    *at = read_time(*text, zone);
    if (*at) continue;
    report_error("\"" + *text + "\" is no date such as 2026-01-31 or 2026-01-31T08:00:00Z");
    return std::nullopt;
  }
  return selection;
}

// Of this name, for rows in these states; empty: it does not take them, and people have been told.
std::optional<Action> action_of(const Invocation& invocation, const Selection& selection) {
  const auto& name = invocation.rows.action;
  const auto named = [&](State state) {
    return selection.states.empty() || contains(selection.states, state);
  };
  std::string takes;
  for (auto& action : all_actions()) {
    if (action.name != name) continue;
    // What `undo` takes back is in none of the states that are listed.
    if (action.takes.back() == State::sent) return action;
    if (selection.keys.empty()) action.takes = {action.takes.back()};
    takes += (takes.empty() ? "" : " or ") + state_names(action.takes);
    std::erase_if(action.takes, std::not_fn(named));
    if (!action.takes.empty()) return action;
  }
  report_error(fmt::format("{} takes what is {}{}", name, takes,
                           selection.keys.empty() ? ", where no keys are named" : ""));
  return std::nullopt;
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
    if (!contains(pushes.names, name)) pushes.former.push_back(std::move(name));
  pushes.names.insert(pushes.names.end(), pushes.former.begin(), pushes.former.end());
  std::erase_if(pushes.names, [&](const auto& name) { return !wanted.empty() && name != wanted; });
  pushes.of_nobody =
      crm::read_if_there(tables, [&] { return names_of_nobody(settings, database); });
  if (pushes.names.empty())
    report_error("there is no push \"" + wanted + "\" in the configuration, nor in the ledger");
  return pushes;
}

std::string name_of_list(const Invocation& invocation) {
  return invocation.groups ? "groups" : "rows";
}

// What a command speaks of.
struct Scope {
  Ledger& ledger_;
  const Pushes& pushes_;
  const Selection& selection_;
  const Invocation& invocation_;
};

// Shows rows, and counts them for those who have to do something about them.
class RowList : Scope {
 public:
  explicit RowList(const Scope& scope) : Scope(scope) {}

  ExitCode print() {
    for (const auto& push : pushes_.names)
      for (const State state : selection_.states)
        add(push, state, invocation_.groups ? print_groups(push, state) : print_page(push, state));
    if (invocation_.json) print_json({{name_of_list(invocation_), json_}});
    tell_steps();
    // Nobody has to do anything about the suppressed, or about what the bridge looks up.
    const bool needs_person = rows_[State::held] + rows_[State::quarantined] > 0 || !left_.empty();
    return needs_person ? kNeedsPerson : kDone;
  }

 private:
  void add(const std::string& push, State state, std::int64_t rows) {
    const bool is_left = state == State::in_doubt && contains(pushes_.of_nobody, push);
    if (is_left && rows > 0) left_.push_back(push);
    if (!is_left) rows_[state] += rows;
  }

  // The oldest change first. How many rows there are up to the end of that page.
  std::int64_t print_page(const std::string& push, State state) {
    const int page = invocation_.rows.page;
    auto entries =
        ledger_.list(push, state, selection_.everything() ? page * kListed + 1 : kEveryRow);
    std::erase_if(entries, [&](const crm::Entry& entry) { return !selection_.has(entry); });
    const auto from = std::min(entries.size(), static_cast<std::size_t>(page - 1) * kListed);
    const auto to = std::min(entries.size(), static_cast<std::size_t>(page) * kListed);
    for (auto i = from; i < to; ++i)
      print_row(push, entries[i]);
    if (entries.size() > to)
      report_error(
          fmt::format("{}: more rows are {}: --page {}", push, to_string(state), page + 1));
    return static_cast<std::int64_t>(entries.size());
  }

  void print_row(const std::string& push, const crm::Entry& entry) {
    if (!invocation_.json)
      return fmt::print("{}  {}  {}  {}  {}\n", push, one_line(entry.key), to_string(entry.state),
                        second_text(entry.changed_at), one_line(entry.reason));
    json_.push_back({{"push", push},
                     {"key", entry.key},
                     {"state", to_string(entry.state)},
                     {"since", second_text(entry.changed_at)},
                     {"reason", or_null(entry.reason)}});
  }

  static void print_head_of_groups(const std::string& push, State state) {
    const std::string_view word = to_string(state);
    const auto time = second_text(TimePoint{}).size();
    fmt::print("{:<{}}  {:>9}  {:<{}}  {:<{}}  {:<{}}  {}\n", "push", push.size(), "rows", "state",
               word.size(), "first", time, "last", time, "reason");
  }

  std::int64_t print_groups(const std::string& push, State state) {
    std::int64_t rows = 0;
    for (const auto& group : ledger_.reasons(push, state)) {
      if (!invocation_.json && rows == 0) print_head_of_groups(push, state);
      rows += group.rows;
      if (invocation_.json) {
        json_.push_back({{"push", push},
                         {"state", to_string(state)},
                         {"rows", group.rows},
                         {"first", second_text(group.first)},
                         {"last", second_text(group.last)},
                         {"reason", or_null(group.reason)}});
        continue;
      }
      fmt::print("{}  {:>9}  {}  {}  {}  {}\n", push, group.rows, to_string(state),
                 second_text(group.first), second_text(group.last), one_line(group.reason));
    }
    return rows;
  }

  void tell_steps() {
    const std::string sent = with_file("surveybridge doubt sent KEY", invocation_.config);
    if (rows_[State::in_doubt] > 0)
      std::cerr << "in_doubt: the bridge looks these up at the service by itself\n";
    if (!left_.empty())
      std::cerr << fmt::format(
          "in_doubt in {}: {}nothing looks these up; look for the key at the service, then type "
          "`{}` if it is there\n",
          fmt::join(left_, ", "), kNotConfigured, sent);
    if (rows_[State::held] > 0)
      std::cerr << "held: look for the key at the service, then type `" << sent
                << "` if it is there, or `"
                << with_file("surveybridge doubt resend KEY", invocation_.config) << "`\n";
  }

  Json json_ = Json::array();  // the rows, or their groups
  std::map<State, std::int64_t> rows_;
  std::vector<std::string> left_;  // pushes with rows in doubt that are not looked up
};

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

// One decision about rows, which are named or described.
class RowDecision : Scope {
 public:
  // `check`: of `resend`; null: the service is not asked.
  RowDecision(const Scope& scope, const Action& action, ResendCheck* check)
      : Scope(scope), action_(action), check_(check) {}

  ExitCode apply() {
    if (selection_.keys.empty()) {
      for (const auto& push : pushes_.names)
        decide_described(push);
    } else if (judge_keys()) {
      for (const auto& key : selection_.keys)
        decide_key(key);
    }
    if (!changed_.empty()) go_on();
    if (invocation_.json && was_asked_) print_json({{"decided", json_}});
    return code_;
  }

 private:
  // Not for a program: it reads the object at the end.
  void say(const std::string& line) const {
    if (!invocation_.json) fmt::print("{}\n", line);
  }

  // `key`: null: of rows that were described.
  void note(const std::string& push, const Json& key, std::int64_t rows) {
    json_.push_back({{"push", push}, {"key", key}, {"action", action_.name}, {"rows", rows}});
  }

  bool moves(const std::string& push) const {
    return !action_.sends || !contains(pushes_.former, push);
  }

  void changed(const std::string& push) {
    if (!contains(changed_, push)) changed_.push_back(push);
  }

  // The rows of the named keys, as they are now.
  Ledger::Attempts look_at(const std::string& push) {
    Ledger::Attempts seen;
    for (const auto& key : selection_.keys)
      if (const auto entry = ledger_.find(push, key)) seen[key] = entry->attempts;
    return seen;
  }

  // Before any of them moves. The rows are looked at before the service is asked, since its answer
  // is about no batch that went out meanwhile. False: the service could not be asked.
  bool judge_keys() {
    for (const auto& push : pushes_.names) {
      if (check_ == nullptr || !moves(push)) continue;
      const auto& seen = seen_[push] = look_at(push);
      auto of_push = check_->judge(push, selection_.keys);
      if (!of_push) {
        code_ = check_->code();
        was_asked_ = false;
        return false;
      }
      std::erase_if(of_push->go, [&](const auto& key) { return !seen.contains(key); });
      judged_[push] = *std::move(of_push);
    }
    return true;
  }

  // Each key by itself, so that it can be named when it did not move.
  void decide_key(const std::string& key) {
    std::int64_t moved = 0;
    bool is_told = false;
    for (const auto& push : pushes_.names) {
      const auto& verdict = judged_[push];
      if (const auto at = verdict.stay.find(key); at != verdict.stay.end()) {
        report_error(key + ": " + stays_text(at->second, invocation_, key));
        is_told = true;
        continue;
      }
      const auto entry = ledger_.find(push, key);
      if (!entry || !contains(action_.takes, entry->state)) continue;
      if (!moves(push)) {
        report_error(fmt::format("{}: is {} in push {}; {}nothing sends it", key,
                                 to_string(entry->state), push, kNotConfigured));
        is_told = true;
        code_ = kNeedsPerson;
        continue;
      }
      // What came to be held while the service was asked has not been looked up.
      if (check_ != nullptr && !verdict.go.contains(key)) continue;
      if (check_ == nullptr) seen_[push][key] = entry->attempts;
      const std::int64_t here =
          decide(ledger_, action_, push, {key}, invocation_.decided_by, seen_[push]);
      if (here > 0) {
        changed(push);
        note(push, key, here);
      }
      moved += here;
    }
    if (moved > 0) {
      say(fmt::format("{}  {}", one_line(key), action_.name));
      return;
    }
    if (!is_told) report_error(key + ": " + why_not(key));
    code_ = kNeedsPerson;
  }

  // Why a key did not move.
  std::string why_not(const std::string& key) {
    std::vector<std::string> found;
    bool in_doubt = false;
    std::optional<State> changed_to;  // which the action takes: it was in another one, or batch
    for (const auto& push : pushes_.names) {
      const auto entry = ledger_.find(push, key);
      if (!entry) continue;
      in_doubt =
          in_doubt || (entry->state == State::in_doubt && !contains(pushes_.of_nobody, push));
      if (contains(action_.takes, entry->state)) changed_to = entry->state;
      if (action_.takes.back() == State::sent) return why_not_undone(*entry);
      if (entry->state == State::suppressed && action_.takes.back() == State::suppressed)
        return "stays suppressed: its person has opted out, or asked to be forgotten";
      found.push_back(fmt::format("{} in push {}", to_string(entry->state), push));
    }
    if (found.empty()) return "the ledger has no transaction with this key";
    const bool resends = action_.takes.back() == State::held && action_.sends;
    if (changed_to)
      return fmt::format("came to be {} just now: type it again", to_string(*changed_to));
    return fmt::format(
        "is {}, and {} takes what is {}{}", fmt::join(found, " and "), action_.name,
        state_names(action_.takes),
        resends && in_doubt
            ? ": the bridge still looks it up at the service, and says held if it is not there"
            : "");
  }

  using Stay = std::map<ResendCheck::Stays::Why, std::int64_t>;  // how many stay, and why

  // Those of a page of keys that may move; the others are added to `stay`. Empty: the service could
  // not be asked.
  std::optional<Keys> judged(const std::string& push, Keys keys, Stay& stay) {
    if (check_ == nullptr) return keys;
    const auto verdict = check_->judge(push, keys);
    if (!verdict) {
      code_ = check_->code();
      return std::nullopt;
    }
    for (const auto& [key, stays] : verdict->stay)
      ++stay[stays.why];
    return Keys(verdict->go.begin(), verdict->go.end());
  }

  // Those of a page of rows that the operator described, and may decide about so.
  Ledger::Attempts described(const std::vector<crm::Entry>& entries) const {
    Ledger::Attempts seen;
    for (const auto& entry : entries) {
      // What a person has dropped is no ruling: it goes only by its key.
      const bool is_dropped =
          entry.state == State::suppressed && entry.reason.starts_with(kDropped);
      if (selection_.has(entry) && !is_dropped) seen[entry.key] = entry.attempts;
    }
    return seen;
  }

  // Every row of the push that the operator described, a page of keys at a time.
  void decide_described(const std::string& push) {
    const State state = action_.takes.back();
    std::int64_t moved = 0, left = 0, changed_since = 0;
    Stay stay;
    std::string last;
    for (;;) {
      const auto entries = state == State::sent ? ledger_.marked_sent(push, last, kListed)
                                                : ledger_.in_state(push, state, last, kListed);
      if (entries.empty()) break;
      last = entries.back().key;
      const auto seen = described(entries);
      if (!moves(push)) {
        left += std::ssize(seen);
        continue;
      }
      Keys keys;
      for (const auto& [key, attempts] : seen)
        keys.push_back(key);
      const auto going = judged(push, std::move(keys), stay);
      if (!going) break;
      if (going->empty()) continue;
      const auto here = decide(ledger_, action_, push, *going, invocation_.decided_by, seen);
      moved += here;
      changed_since += std::ssize(*going) - here;
    }
    if (moved > 0) changed(push);
    if (moves(push)) {
      say(fmt::format("{}  {}  {}", push, counted(moved, "row"), action_.name));
      note(push, nullptr, moved);
    }
    tell_left(push, left);
    tell_held(push, stay);
    if (state == State::held) tell_changed(push, changed_since);
  }

  void tell_left(const std::string& push, std::int64_t rows) {
    if (rows == 0) return;
    report_error(fmt::format("{}: {} left alone; {}nothing sends {}", push, counted(rows, "row"),
                             kNotConfigured, rows == 1 ? "it" : "them"));
    code_ = kNeedsPerson;
  }

  void tell_held(const std::string& push, const Stay& stay) {
    for (const auto& [why, rows] : stay) {
      report_error(fmt::format("{}: {} held, because {}; `{}` names them, and `{}` tells each",
                               push, counted(rows, "row") + (rows == 1 ? " stays" : " stay"),
                               why_they_stay(why),
                               with_file("surveybridge doubt list", invocation_.config),
                               with_file("surveybridge doubt resend KEY", invocation_.config)));
      code_ = kNeedsPerson;
    }
  }

  void tell_changed(const std::string& push, std::int64_t rows) {
    if (rows == 0) return;
    report_error(fmt::format(
        "{}: {} left alone, because {} changed meanwhile; type it again for what is held", push,
        counted(rows, "row"), rows == 1 ? "it was" : "they were"));
    code_ = kNeedsPerson;
  }

  // Ends the wait of these jobs, if a daemon runs here.
  bool wake(const std::string& kind) {
    bool woken = false;
    for (const auto& push : changed_)
      woken = ask_daemon(invocation_.config, "now " + kind + push).value_or("").starts_with("ok") ||
              woken;
    return woken;
  }

  // Rows of these pushes are pending, or in doubt, again: a daemon that runs here goes on at once.
  void go_on() {
    const bool undoes = action_.takes.back() == State::sent;
    for (const auto& push : pushes_.of_nobody)
      if (undoes && std::erase(changed_, push) > 0)
        say(fmt::format("{}: {}nothing looks its rows up", push, kNotConfigured));
    if (changed_.empty()) return;
    const bool by_name = std::ranges::none_of(
        changed_, [&](const auto& push) { return contains(pushes_.former, push); });
    const std::string sync = with_file(
        "surveybridge sync" +
            (by_name ? fmt::format(" push.{}", fmt::join(changed_, " push.")) : std::string()),
        invocation_.config);
    if (undoes) {
      say(fmt::format(
          "{}. Those that are not there go out again where the push has doubt = \"resend\", or "
          "where the service has refused their batch; the others are held, and `{}` shows them",
          wake("reconcile.")
              ? "the daemon that runs here looks for them at the service now"
              : "the daemon looks for them at the service when it runs, or `" + sync + "` does",
          with_file("surveybridge doubt list", invocation_.config)));
    } else if (action_.sends) {
      say((wake("push.") ? "the daemon that runs here goes on with them now"
                         : "they go out with the next poll of the daemon, or with `" + sync + "`") +
          ", if their person may be mailed");
    }
  }

  const Action& action_;
  ResendCheck* check_;
  std::map<std::string, ResendCheck::Verdict> judged_;  // keys, by push
  std::map<std::string, Ledger::Attempts> seen_;        // the same
  std::vector<std::string> changed_;                    // pushes
  ExitCode code_ = kDone;
  bool was_asked_ = true;      // the service, or it need not be
  Json json_ = Json::array();  // what was decided
};

}  // namespace

ExitCode command_rows(const Invocation& invocation) {
  const RowChoice& choice = invocation.rows;
  const bool lists = choice.action == "list";
  const bool asks = choice.action == "resend" && !choice.force;
  std::optional<Interruption> interruption;
  if (asks) interruption.emplace();
  const auto settle = [&](const CommandContext& command) -> ExitCode {
    auto selection = selection_of(invocation, command.settings.crm.time_zone);
    if (!selection) return kUsage;
    if (lists && selection->states.empty())
      selection->states = {State::in_doubt, State::held, State::quarantined};
    const bool described =
        choice.all || !choice.reason.empty() || selection->since || selection->before;
    if (!lists && invocation.keys.empty() == !described) {
      report_error(choice.action +
                   ": name keys, or say which with --reason, --since, --before or --all");
      return kUsage;
    }
    std::optional<Action> action;
    if (!lists && !(action = action_of(invocation, *selection))) return kUsage;
    const auto database = command.looking.open_database();
    // Nothing has ever been set aside.
    const auto tables = crm::tables_to_read(*database);
    if (tables == crm::Tables::none) {
      if (invocation.json)
        print_json({{lists ? name_of_list(invocation) : "decided", Json::array()}});
      return kDone;
    }
    for (auto& key : selection->keys)
      key = crm::stored_key(*database, key);
    const auto pushes = pushes_of(command.settings, *database, tables, invocation.push);
    if (pushes.names.empty()) return kUsage;
    Ledger ledger(*database);
    const Scope scope{ledger, pushes, *selection, invocation};
    if (lists) return RowList(scope).print();
    std::optional<ResendCheck> check;
    if (asks) check.emplace(command, *database, *interruption);
    const ExitCode code = RowDecision(scope, *action, check ? &*check : nullptr).apply();
    // The kept numbers suppose that no row leaves this state.
    const bool leaves = action->takes.back() == State::suppressed;
    if (leaves && !crm::kept_counts(*database).empty()) crm::renew_kept_counts(*database);
    return code;
  };
  return with_context(invocation, settle, asks ? Uses::service : Uses::databases,
                      interruption ? &interruption->flag() : nullptr);
}

}  // namespace surveybridge::daemon
