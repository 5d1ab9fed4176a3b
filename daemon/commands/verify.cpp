// `verify`: compares CRM, ledger and service; exit 1 if they differ. Changes only its stored
// result, which status and metrics show.
#include <algorithm>
#include <functional>
#include <iterator>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/service_job.hpp"
#include "daemon/context/databases.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/push/next_rows.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/reconcile/verify_job.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kComparedAtOnce = 1000;
constexpr std::ptrdiff_t kNamed = 20;  // of each kind
constexpr TimePoint kEndOfTime = std::chrono::sys_days(std::chrono::year(9000) / 1 / 1);

// One push: what its query returns since `start`, and the results.
struct Report {
  std::string push;
  crm::Source::Tally crm;
  std::int64_t waiting = 0, too_old = 0;
  // Rows that are not among `crm`: without a key, without a date, and those of the future.
  std::int64_t without_key = 0, undated = 0, later = 0;
  std::string keyless;   // a sentence about rows without a key; empty: there are none
  bool listed = false;   // the service was asked
  std::string left_out;  // what it did not answer; empty: nothing
  std::int64_t at_service = 0;
  Comparison comparison;

  std::int64_t accounted() const {
    std::int64_t rows = waiting + too_old;
    for (const auto& [state, count] : crm.by_state)
      rows += count;
    return rows;
  }
  // What neither the numbers that are kept nor the ledger say.
  std::vector<std::string> besides() const {
    std::vector<std::string> all;
    if (!keyless.empty()) all.push_back(keyless);
    if (!left_out.empty()) all.push_back(left_out);
    return all;
  }
  // Why the exit status is 1, a clause for each reason; empty: all is well.
  std::vector<std::string> complaints(const std::string& file) const {
    std::vector<std::string> all;
    if (crm.keys != accounted())
      all.push_back(fmt::format("{} not accounted for", crm.keys - accounted()));
    if (too_old > 0)
      all.push_back(fmt::format("{} never sent, since older than look_back", too_old));
    std::ranges::move(besides(), std::back_inserter(all));
    if (!comparison.differences.empty())
      all.push_back(
          counted(static_cast<std::int64_t>(comparison.differences.size()), "difference"));
    if (const auto held = crm.by_state.find(crm::to_string(crm::State::held));
        held != crm.by_state.end())
      all.push_back(counted(held->second, "held row") + ": `" +
                    with_file("surveybridge doubt list", file) + "`");
    return all;
  }
};

void count(const CommandContext& command, Databases& databases, const config::Push& push,
           Report& report) {
  const auto& zone = command.settings.crm.time_zone;
  crm::Source source(databases.crm(), databases.store(), crm::source_query(push, zone));
  const TimePoint now = databases.crm().now();
  const TimePoint start = mapping::instant_of(push.start, zone);
  const TimePoint since = found_since(push, zone, databases.store(), now);
  const auto account = source.account(start, since, now);
  report.crm = account.tally;
  report.waiting = account.waiting;
  report.too_old = account.too_old;
  report.without_key = source.count_without_key({start, now});
  report.keyless = keyless_text(push, report.without_key);
  report.undated = source.count_undated();
  report.later = source.tally(std::max(now, start), kEndOfTime).keys;
}

// Told after each piece how much is compared; false: stop.
using GoesOn = std::function<bool(std::size_t compared)>;

// What a push that is not configured any more has sent by the same data column is known, too.
void drop_sent_by_former(crm::Ledger& ledger, const std::string& push, Listed& listed) {
  std::string last;
  while (!listed.empty()) {
    const auto rows = ledger.after(push, last, kComparedAtOnce);
    if (rows.empty()) break;
    for (const auto& row : rows) {
      const auto met = listed.find(row.key);
      if (met != listed.end() && row.state == crm::State::sent && met->second.times == 1)
        listed.erase(met);
    }
    last = rows.back().key;
  }
}

// `began`: when the walk through the service's list began. The walk may have passed the place of
// whatever was sent since. False: it was stopped.
bool compare_all(crm::Database& database, const config::Settings& settings,
                 const config::Push& push, TimePoint began, const Listed& as_listed, Report& report,
                 const GoesOn& goes_on) {
  crm::Ledger ledger(database);
  report.listed = true;
  std::vector<std::string> keys;
  for (const auto& [key, times] : as_listed)
    keys.push_back(key);
  Listed listed;
  for (const auto& [name, key] : crm::by_stored_name(database, keys)) {
    listed[name] = as_listed.at(key);
    report.at_service += listed[name].times;
  }
  std::string last;
  for (std::size_t compared = 0;;) {
    const auto rows = ledger.after(push.name, last, kComparedAtOnce);
    if (rows.empty()) break;
    compare(rows, push.settle, began, listed, report.comparison);
    last = rows.back().key;
    if (!goes_on(compared += rows.size())) return false;
  }
  const auto names = crm::read_if_there(crm::tables_to_read(database),
                                        [&] { return names_looked_up(push, settings, database); });
  for (const auto& name : names)
    if (name != push.name) drop_sent_by_former(ledger, name, listed);
  compare_rest(listed, report.comparison);
  return true;
}

// Who is behind the keys that the service lists, as the CRM has them now. False: it was stopped.
bool compare_persons(const CommandContext& command, Databases& databases, const config::Push& push,
                     const Listed& listed, Report& report, const GoesOn& goes_on) {
  if (!sends_transaction_date(push)) return true;
  const auto& zone = command.settings.crm.time_zone;
  crm::Source source(databases.crm(), databases.store(), crm::source_query(push, zone));
  const auto made = mapping::Mapper::make(push, names_of(source.columns()), {}, zone);
  const auto* mapper = std::get_if<mapping::Mapper>(&made);
  if (mapper == nullptr) return true;  // `check` says why
  const TimePoint now = databases.crm().now();
  std::vector<std::string> keys;
  std::size_t compared = 0;
  for (auto each = listed.begin(); each != listed.end();) {
    keys.push_back((each++)->first);
    if (keys.size() < kComparedAtOnce && each != listed.end()) continue;
    const auto rows = source.by_key(keys).rows;
    compare_persons(map_rows(*mapper, rows, push.batch, now).items, listed, report.comparison);
    compared += keys.size();
    keys.clear();
    if (!goes_on(compared)) return false;
  }
  return true;
}

// For status and metrics. An account that may only read can verify all the same.
void keep(crm::Database& database, const Report& report) {
  crm::Verified found{report.push,     database.now(),
                      report.crm.keys, report.crm.keys - report.accounted() + report.too_old,
                      std::nullopt,    fmt::format("{}", fmt::join(report.besides(), "; "))};
  if (report.listed)
    found.differences = static_cast<std::int64_t>(report.comparison.differences.size());
  try {
    crm::store_verify_result(database, found);
  } catch (const crm::DatabaseError& error) {
    if (error.kind != crm::DatabaseError::Kind::other) throw;
    report_error(std::string("verify: what was found cannot be kept for status: ") + error.what());
  }
}

// A kind at a time: some keys, and what to do. They are sorted by kind.
void print_differences(const std::vector<Difference>& all, const std::string& file) {
  for (auto first = all.begin(); first != all.end();) {
    const auto end = std::find_if(first, all.end(),
                                  [&](const Difference& each) { return each.kind != first->kind; });
    const auto named = std::min(end - first, kNamed);
    for (auto each = first; each != first + named; ++each)
      fmt::print("  {}  {}\n", one_line(each->key), each->what);
    if (end - first > named)
      fmt::print("  and {} more of this kind: `{}` names all\n", end - first - named,
                 with_file("surveybridge verify --json", file));
    fmt::print("    {}\n", one_line(step_for(first->kind, first->key, file)));
    first = end;
  }
}

void print_text(const Report& report, const std::string& file) {
  fmt::print("push.{}\n", report.push);
  fmt::print("  {:>9}  eligible: transactions that the query returns since start\n",
             report.crm.keys);
  for (const auto& [state, rows] : report.crm.by_state)
    fmt::print("  {:>9}  {}\n", rows, state);
  fmt::print("  {:>9}  waiting: not in the ledger yet\n", report.waiting);
  if (report.too_old > 0)
    fmt::print("  {:>9}  seen first when older than look_back: never sent\n", report.too_old);
  if (report.crm.keys != report.accounted()) {
    fmt::print("  {:>9}  eligible and not accounted for\n", report.crm.keys - report.accounted());
  }
  if (report.without_key > 0)
    fmt::print("  {:>9}  rows without a key: never sent\n", report.without_key);
  if (report.undated > 0)
    fmt::print("  {:>9}  rows without a date, beside these: set aside\n", report.undated);
  if (report.later > 0)
    fmt::print("  {:>9}  rows of the future, beside these: sent then\n", report.later);
  if (!report.listed) {
    fmt::print("  the service was not asked: without correlate nothing can be recognised there\n");
    return;
  }
  const auto& comparison = report.comparison;
  fmt::print("  {:>9}  customers of ours that the service lists\n", report.at_service);
  fmt::print(
      "  {:>9}  rows of the ledger that agree with it, {} too young to be listed,"
      " {} in doubt or on their way\n",
      comparison.agree, comparison.young, comparison.open);
  fmt::print("  {:>9}  differences{}\n", comparison.differences.size(),
             report.left_out.empty() ? "" : "; those not listed may be among what was left out");
  print_differences(comparison.differences, file);
}

Json json_of(const Report& report) {
  const Comparison& comparison = report.comparison;
  Json json{{"push", report.push}, {"eligible", report.crm.keys}};
  for (const auto& [state, rows] : report.crm.by_state)
    json[state] = rows;
  json["waiting"] = report.waiting;
  json["too_old"] = report.too_old;
  json["without_key"] = report.without_key;
  json["undated"] = report.undated;
  json["later"] = report.later;
  json["listed"] = report.at_service;
  json["agree"] = comparison.agree;
  json["young"] = comparison.young;
  json["open"] = comparison.open;
  json["left_out"] = or_null(report.left_out);
  json["differences"] = array_of(comparison.differences, [](const Difference& each) -> Json {
    return {{"key", each.key}, {"what", each.what}};
  });
  return json;
}

ExitCode print_reports(const std::vector<Report>& reports, bool json, const std::string& file) {
  if (json) print_json({{"pushes", array_of(reports, json_of)}});
  bool succeeded = true;
  for (const auto& report : reports) {
    const auto complaints = report.complaints(file);
    succeeded = succeeded && complaints.empty();
    if (json) continue;
    print_text(report, file);
    fmt::print("push.{}: {}\n", report.push,
               complaints.empty() ? "all is accounted for"
                                  : fmt::format("needs a person: {}", fmt::join(complaints, "; ")));
  }
  return succeeded ? kDone : kNeedsPerson;
}

// How many rows of the ledger there are that count.
template <typename Counts>
std::int64_t rows_that(crm::Database& database, const Counts& counts) {
  std::int64_t rows = 0;
  for (const auto& count : crm::Ledger(database).counts())
    if (counts(count)) rows += count.rows;
  return rows;
}

std::string stopped_text(const Interruption& interruption) {
  return "verify: stopped before everything was compared; " + interruption.next();
}

// Reads the service's list; else the exit code of what kept it from being read, which was reported.
std::variant<Listed, ExitCode> walk(const CommandContext& command, const config::Push& push,
                                    std::int64_t sent, Interruption& interruption,
                                    Progress& progress, std::string& left_out) {
  ServiceJob service(command, interruption, progress);
  auto job = std::make_unique<VerifyJob>(push, service.shared(), service.seed());
  const VerifyJob& verify = *job;
  if (!service.run(std::move(job), sent, stopped_text(interruption))) {
    // 1 says that something was compared: a daemon that runs tells it (daemon/commands/alert.cpp).
    const bool is_list_at_fault = service.code() == kNeedsPerson && !interruption.stopped();
    return is_list_at_fault ? kUnreachable : service.code();
  }
  left_out = verify.left_out();
  return verify.listed();
}

// Both sides of what the service lists; empty: all of it is compared.
std::optional<ExitCode> compare_with_service(const CommandContext& command, Databases& databases,
                                             const config::Push& push, Interruption& interruption,
                                             Progress& progress, Report& report) {
  crm::Database& store = databases.store();
  const TimePoint began = store.now();
  // The service lists the customers of every push.
  const auto sent = rows_that(
      store, [](const crm::Ledger::Count& count) { return count.state == crm::State::sent; });
  const auto read = walk(command, push, sent, interruption, progress, report.left_out);
  if (const auto* code = std::get_if<ExitCode>(&read)) return *code;
  const auto& listed = std::get<Listed>(read);
  const auto shown_as = [&](const std::string& part, const Progress::Total& total) {
    const std::string job = "verify." + push.name + part;
    progress.expect(job, total);
    return [&progress, &interruption, job](std::size_t compared) {
      JobStatus status;
      status.done = static_cast<std::int64_t>(compared);
      progress.show(job, status);
      return !interruption.stopped();
    };
  };
  const auto people =
      shown_as(" (people)", [&](auto) { return static_cast<std::int64_t>(listed.size()); });
  const auto is_ours = [&](const crm::Ledger::Count& count) { return count.push == push.name; };
  const auto ledger = shown_as(" (ledger)", [&](auto) { return rows_that(store, is_ours); });
  const bool whole = compare_persons(command, databases, push, listed, report, people) &&
                     compare_all(store, command.settings, push, began, listed, report, ledger);
  progress.clear();
  if (whole) return std::nullopt;
  report_error(stopped_text(interruption));
  return kNeedsPerson;
}

}  // namespace

ExitCode command_verify(const Invocation& invocation) {
  Interruption interruption("the next one begins anew");
  const auto log = open_log();
  Progress progress(*log);
  const auto verify = [&](const CommandContext& command) -> ExitCode {
    std::vector<Report> reports;
    Databases databases(command.environment);
    crm::Database& store = databases.store();
    if (crm::tables_to_read(store) == crm::Tables::none) {
      report_error("the bridge has not run on this database yet");
      return kNeedsPerson;
    }
    for (const auto& push : command.settings.pushes) {
      Report report;
      report.push = push.name;
      if (!push.correlate.empty()) {
        const auto code =
            compare_with_service(command, databases, push, interruption, progress, report);
        if (code) return *code;
      }
      count(command, databases, push, report);
      keep(store, report);
      reports.push_back(std::move(report));
    }
    return print_reports(reports, invocation.json, command.settings.file);
  };
  return with_context(invocation, verify, Uses::service, &interruption.flag());
}

}  // namespace surveybridge::daemon
