// `check`: everything that can be found wrong before anything runs, all of it in one go. Where the
// file has problems, what is right of it is tried too.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/problem.hpp"
#include "config/sections/load.hpp"
#include "config/text.hpp"
#include "connectors/crm/driver/connection_text.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/owners.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "connectors/crm/source/hidden_rows.hpp"
#include "connectors/crm/source/moving_dates.hpp"
#include "connectors/crm/source/row_limit.hpp"
#include "connectors/crm/source/source.hpp"
#include "connectors/service/api.hpp"
#include "daemon/alert/delivery.hpp"
#include "daemon/commands/check_database.hpp"
#include "daemon/commands/check_paths.hpp"
#include "daemon/commands/check_service.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/offline.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "daemon/pace/transport.hpp"
#include "daemon/push/attachment_reader.hpp"
#include "daemon/push/current_mapper.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/runtime/instance_name.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/field_map/compile.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

// Collects what is wrong; the worst kind decides the exit code.
class Findings {
 public:
  void wrong(const std::string& text) { add(text, kConfiguration); }
  // `whose`: what is in front of the error's own words.
  void database(const std::string& whose, const crm::DatabaseError& error) {
    const bool later = exit_code_of(error) == kUnreachable;
    add(whose + error.what(), later ? kUnreachable : kConfiguration);
    is_locked_ = is_locked_ || error.kind == crm::DatabaseError::Kind::busy;
  }
  bool is_locked() const { return is_locked_; }  // another session holds a lock
  void trouble(const std::string& what, const service::Trouble& trouble) {
    const bool ours = !is_temporary(fault_of(trouble.kind));
    add(what + ": " + to_string(trouble.kind) + ": " + trouble.detail,
        ours ? kConfiguration : kUnreachable);
  }
  void receiver(const config::Receiver& receiver, const Undelivered& undelivered) {
    const bool ours = !is_temporary(undelivered.fault);
    add("alert." + receiver.name + ": " + undelivered.why, ours ? kConfiguration : kUnreachable);
  }
  // Nothing is wrong, and still somebody should know.
  void note(const std::string& text) {
    notes_.push_back(one_line(text));
    std::cerr << "note: " << notes_.back() << "\n";
  }
  void problems(const std::vector<config::Problem>& problems) {
    for (const auto& problem : problems)
      wrong(to_string(problem));
  }
  ExitCode code() const { return code_; }
  const std::vector<std::string>& told() const { return told_; }
  // The verdict, for people or for a program.
  void print(const Invocation& invocation) const {
    if (invocation.json)
      print_json({{"file", invocation.config}, {"problems", told_}, {"notes", notes_}});
    else if (code_ == kDone)
      std::cout << invocation.config << ": ok" << (invocation.offline ? " (offline)" : "") << "\n";
  }

 private:
  void add(const std::string& text, ExitCode code) {
    told_.push_back(one_line(text));
    std::cerr << told_.back() << "\n";
    code_ = std::max(code_, code);
  }
  ExitCode code_ = kDone;
  bool is_locked_ = false;
  std::vector<std::string> told_, notes_;
};

// The data column of a path such as "Data[OrderNumber]"; empty: it names none.
std::string data_column_in(const std::string& path) {
  constexpr std::string_view kData = "Data[";
  const auto end = path.find(']');
  if (!path.starts_with(kData) || end == std::string::npos) return "";
  return path.substr(kData.size(), end - kData.size());
}

// What was taken of a list of the operator's own, and what was not.
std::string blocklist_text(const std::string& trail, const crm::Blocklist& list) {
  std::string text = trail + ": ";
  if (list.values() == 0) return text + "the list is empty";
  text += fmt::format("{} address{}", list.addresses(), list.addresses() == 1 ? "" : "es");
  text += fmt::format(" of the column{} \"{}\"", list.columns().size() > 1 ? "s" : "",
                      fmt::join(list.columns(), "\", \""));
  if (list.columns().size() > 1) text += " (`column` names one of them)";
  if (list.unread() == 0) return text + "; each value can be read";
  return text + fmt::format("; {} of {} values cannot be read as addresses, or not whole",
                            list.unread(), list.values());
}

void tell_certificate(Findings& findings, const std::optional<CertificateFinding>& found) {
  if (!found) return;
  if (found->wrong) return findings.wrong(found->text);
  findings.note(found->text);
}

class Checker {
 public:
  Checker(const config::PartlyRight& loaded, Findings& findings)
      : settings_(loaded.settings), has_service_(loaded.service), findings_(findings) {
    if (loaded.crm) open_database();
    if (has_service_) open_service();
  }

  void run() {
    check_tables();
    if (has_service_) check_certificates();
    look_up_columns();
    look_up_names();
    check_durability();
    compare_clocks();
    for (const auto& push : settings_.pushes) {
      check_push(push);
      check_folders(push);
    }
    for (const auto& pull : settings_.pulls)
      check_pull(pull);
    if (settings_.suppress) check_suppress(*settings_.suppress);
    if (settings_.status) check_status(*settings_.status);
    check_report(settings_.report);
    for (const auto& receiver : settings_.alerts)
      check_receiver(receiver);
  }

 private:
  // What cannot be opened is told, and whatever needs it is left out.
  void open_database() {
    const auto read = read_connections(settings_);
    if (const auto* problem = std::get_if<std::string>(&read)) return findings_.wrong(*problem);
    const auto& texts = std::get<Connections>(read);
    note_password(settings_.crm.connection, texts.crm, "crm");
    if (settings_.store) note_password(settings_.store->connection, texts.store, "store");
    note_unverified(texts.crm, "crm");
    if (!texts.store.empty()) note_unverified(texts.store, "store");
    if (const auto problem = notify_problem(settings_, texts.crm)) findings_.wrong(*problem);
    const Environment environment = environment_of(settings_, texts, nullptr, Purpose::look);
    const bool is_new = settings_.store && is_new_file(texts.store);
    database_ = opened(is_new ? open_in_memory : environment.open_database,
                       settings_.store ? "store: " : "database: ");
    reader_ = crm_ = database_;
    if (!environment.open_crm) return;
    crm_ = opened([&] { return environment.open_crm(CrmUse::write); }, "crm: ");
    reader_ = crm_;
    if (crm_) reader_ = opened([&] { return environment.open_crm(CrmUse::read); }, "crm: ");
    note_one_file(texts.store);
    note_other_ledger();
  }

  // `check` makes no file: what it asks of the store is asked of an empty one in memory.
  bool is_new_file(const std::string& store) {
    const std::filesystem::path path = crm::database_file(store);
    if (path.empty()) return false;
    std::error_code unknown;
    const bool can_be_made = std::filesystem::is_directory(
        path.has_parent_path() ? path.parent_path() : std::filesystem::path("."), unknown);
    if (std::filesystem::exists(path, unknown) || !can_be_made) return false;
    findings_.note(
        "store: there is no file \"" + path.string() +
        "\" yet: the daemon makes it, so its user must be allowed to write in the folder");
    return true;
  }
  static std::unique_ptr<crm::Database> open_in_memory() {
    return crm::open_database(crm::kInMemory);
  }

  // A bridge that begins anew in [store] would not know whom the old one has invited.
  void note_other_ledger() {
    if (crm_ && crm::has_table(*crm_, "survey_push"))
      findings_.note(
          "store: the CRM's database has a ledger of the bridge, too: `surveybridge move` brings it"
          " to [store]. Without it the bridge does not know whom it has invited");
  }

  std::shared_ptr<crm::Database> opened(const std::function<std::unique_ptr<crm::Database>()>& open,
                                        const std::string& whose) {
    try {
      return open();
    } catch (const crm::DatabaseError& error) {
      findings_.database(whose, error);
      return nullptr;
    }
  }

  void note_password(const config::Secret& secret, const std::string& text,
                     const std::string& section) {
    if (secret.from != config::Secret::From::plain || !crm::has_password(text)) return;
    findings_.note(section +
                   ".connection: the file holds a password; everybody who may read the file reads "
                   "it: connection = { credential = \"" +
                   section + "-connection\" }");
  }

  void note_unverified(const std::string& text, const std::string& section) {
    const std::string host = crm::unverified_host(text);
    if (host.empty()) return;
    findings_.note(
        section + ".connection: the server " + host +
        " is not verified: over a network, whoever answers in its place gets the "
        "password and the rows: sslmode=verify-full (PostgreSQL), SSLVERIFY=1 (MariaDB) or "
        "Encrypt=yes without TrustServerCertificate (SQL Server)");
  }

  void note_one_file(const std::string& store) {
    if (!crm::database_file(store).empty())
      findings_.note("store: a SQLite file serves the daemons of one host only");
  }

  void open_service() {
    auto credentials = service::Credentials::make(settings_.service.auth);
    auto client = service::read_client_certificate(settings_.service);
    const auto* no_secret = std::get_if<std::string>(&credentials);
    const auto* no_client = std::get_if<std::string>(&client);
    if (no_secret != nullptr) findings_.wrong("service.auth: " + *no_secret);
    if (no_client != nullptr) findings_.wrong(*no_client);
    if (no_secret != nullptr || no_client != nullptr) return;
    credentials_ = std::get<std::unique_ptr<service::Credentials>>(std::move(credentials));
    client_ = std::get<service::ClientCertificate>(std::move(client));
    const Environment environment = environment_of(settings_, {}, nullptr, Purpose::work, client_);
    pace_.emplace(settings_.service.pace, environment.uptime, environment.seed);
    transport_ = std::make_unique<ObservedTransport>(
        environment.open_transport(),
        RequestObservers{.service = settings_.service, .pace = *pace_, .clock = &clock_});
    api_.emplace(settings_.service, *transport_, *credentials_);
  }

  void check_tables() {
    if (!database_) return;
    try {
      crm::refuse_tables(*database_);
    } catch (const crm::DatabaseError& error) {
      return findings_.wrong(std::string("database: ") + error.what());
    }
    for (const auto& table : crm::foreign_tables(*database_))
      findings_.wrong("database: " + crm::foreign_table_problem(table));
    note_other_roles();
    try {
      const auto missing = missing_rights(*database_);
      for (const auto& right : missing)
        findings_.wrong("database: " + right);
      has_rights_ = missing.empty();
    } catch (const crm::DatabaseError& error) {
      findings_.database("database: ", error);
    }
  }

  void note_other_roles() {
    try {
      for (auto* database : {database_.get(), crm_ == database_ ? nullptr : crm_.get()}) {
        if (database == nullptr) continue;
        for (const auto& schema : crm::shared_schemas(*database))
          findings_.note(
              "database: other roles may create in the schema \"" + schema +
              "\" of the search path: a function or an operator of theirs may run in "
              "a statement of yours, with the bridge's rights. REVOKE CREATE ON SCHEMA " +
              schema + " FROM them, or give the bridge a schema of its own ([store])");
      }
    } catch (const crm::DatabaseError& error) {
      findings_.database("database: ", error);
    }
  }

  void look_up_columns() {
    if (!api_) return;
    auto columns = api_->data_columns(system_now());
    if (const auto* trouble = std::get_if<service::Trouble>(&columns)) {
      api_.reset();
      return findings_.trouble("service: data columns", *trouble);
    }
    columns_ = mapping::to_data_columns(std::get<std::vector<mapping::Record>>(std::move(columns)));
  }

  // For notes alone: what cannot be read is not known.
  void look_up_names() {
    names_.columns = columns_;
    if (api_) {
      const auto statuses = api_->statuses(system_now());
      if (const auto* records = std::get_if<std::vector<mapping::Record>>(&statuses))
        for (const auto& status : *records)
          if (const auto name = status.get<std::string>("StatusName"))
            names_.statuses.push_back(*name);
    }
    try {
      if (!database_ || !crm::has_table(*database_, "survey_question")) return;
      for (const auto& row : crm::query_rows(*database_, R"(SELECT "id" FROM "survey_question")"))
        names_.questions.insert(crm::integer_in(row.at(0)));
    } catch (const crm::DatabaseError& error) {
      findings_.note(std::string("database: the questions cannot be read: ") + error.what());
    }
  }

  void check_certificates() {
    const auto& url = settings_.service.base_url;
    tell_certificate(findings_, client_finding(client_, system_now()));
    const auto certificate =
        service::look_at_certificate(url, limits_of(settings_.service, client_));
    if (!certificate) return;
    tell_certificate(findings_,
                     certificate_finding(*certificate, service::origin_of(url), system_now()));
  }

  // Times of rows, windows and waits are compared across the three machines.
  void compare_clocks() {
    const auto tell = [&](const char* whose, Duration ahead) {
      if (const auto text = clock_finding(ahead)) findings_.note(whose + *text);
    };
    if (service_ahead_) tell("service: ", *service_ahead_);
    if (!database_) return;
    try {
      const TimePoint before = system_now();
      const TimePoint clock = database_->now();
      tell(crm_ == database_ ? "database: " : "store: ",
           clock_difference(clock, before, system_now()));
      if (!crm_ || crm_ == database_) return;
      const TimePoint then = system_now();
      const TimePoint crm_clock = crm_->now();
      tell("crm: ", clock_difference(crm_clock, then, system_now()));
    } catch (const crm::DatabaseError& error) {
      findings_.note(std::string("database: its clock cannot be read: ") + error.what());
    }
  }

  // "Never twice" rests on claims that survive the database.
  void check_durability() {
    if (!database_) return;
    try {
      for (const auto& gap : crm::durability_gaps(*database_))
        findings_.note("database: " + gap + " (docs/GUARANTEES.md)");
    } catch (const crm::DatabaseError& error) {
      findings_.note(std::string("database: its durability is not known: ") + error.what());
    }
  }

  // Without the database the query's columns are not known, nor where the query fails.
  void check_push(const config::Push& push) {
    note_approval(push);
    note_closed(push);
    if (!database_ || !reader_) return check_map(push, mapping::columns_of(push));
    crm::Source source(*reader_, *database_, crm::source_query(push, settings_.crm.time_zone));
    std::vector<std::string> names;
    const bool runs = query_runs(push, [&] { names = names_of(source.columns()); });
    check_map(push, runs ? names : mapping::columns_of(push));
    if (!runs) return;
    query_runs(push, [&] {
      note_moving_date(push);
      note_hidden_rows("push." + push.name, push.query, "never sent");
      note_limit(push);
      note_rows(push, source);
    });
  }

  // False: the query fails, which is told.
  bool query_runs(const config::Push& push, const std::function<void()>& use) {
    try {
      use();
      return true;
    } catch (const crm::DatabaseError& error) {
      query_failed(error, push.query_place, "push." + push.name + ".query");
      return false;
    }
  }

  // Of a query that fails: it is wrong, or the database cannot answer it now.
  void query_failed(const crm::DatabaseError& error, const config::TextPlace& place,
                    const std::string& key) {
    if (error.kind == crm::DatabaseError::Kind::other)
      return findings_.problems({{place, key, error.what()}});
    findings_.database(key + ": ", error);
  }

  // How many rows have no date; nullopt: they cannot be counted, which is said.
  std::optional<std::int64_t> count_undated(const config::Push& push, crm::Source& source) {
    try {
      return source.count_undated();
    } catch (const crm::DatabaseError& error) {
      findings_.note("push." + push.name +
                     ".when: rows without a date could not be counted: " + error.what());
      return std::nullopt;
    }
  }

  void note_moving_date(const config::Push& push) {
    const auto tell = [&](const std::string& what) {
      findings_.note(fmt::format(
          "push.{}.when: {}: an old row that was never sent goes out when somebody changes it;"
          " name a date that stays, perhaps one of another table",
          push.name, what));
    };
    for (const auto& [table, column] : crm::moving_dates(*reader_, push.query))
      if (config::same_ignoring_case(column, push.when))
        return tell(
            fmt::format("each change of a row of {} sets \"{}\" anew (ON UPDATE)", table, column));
    if (crm::is_called_moving(push.when))
      tell(fmt::format("by its name, each change of a row sets \"{}\" anew", push.when));
  }

  // `are`: what becomes of the rows.
  void note_hidden_rows(const std::string& section, const std::string& query, const char* are) {
    for (const auto& table : crm::tables_that_hide_rows(*reader_, query))
      findings_.note(
          fmt::format("{}.query: row level security of the table \"{}\" counts for this"
                      " account: rows that a policy hides from it are {}",
                      section, table, are));
  }

  void note_limit(const config::Push& push) {
    if (crm::limits_rows(reader_->dialect(), push.query))
      findings_.note(
          fmt::format("push.{}.query: it ends with LIMIT or FETCH: rows beyond that are"
                      " never sent, and `verify` does not count them; a batch has its"
                      " own size",
                      push.name));
  }

  void note_rows(const config::Push& push, crm::Source& source) {
    const auto undated = count_undated(push, source).value_or(0);
    const auto why = has_rights_
                         ? why_empty(push, *reader_, *database_, source, settings_.crm.time_zone)
                         : std::nullopt;
    const std::string trail = "push." + push.name, column = "the column \"" + push.when + "\"";
    if (undated > 0 && why == kNoDatedRow) {
      findings_.problems({{push.query_place, trail + ".when",
                           fmt::format("none of the {} rows of the query has a date in {}: nothing "
                                       "would be sent",
                                       undated, column)}});
      return;
    }
    if (undated > 0)
      findings_.note(
          fmt::format("{}.when: {} rows have no date in {}; they are set aside, or leave "
                      "them out in the query",
                      trail, undated, column));
    if (why) findings_.note(trail + ": " + *why);
    const auto few = too_few_note(settings_, push, *reader_, *database_, source);
    if (!few.empty()) findings_.note(trail + ": " + few);
    const auto unreadable = unreadable_rows(push, *reader_, settings_.crm.time_zone);
    if (!unreadable.empty()) findings_.note(trail + ": " + unreadable);
    const auto future = future_rows(push, *reader_, settings_.crm.time_zone);
    if (!future.empty()) findings_.note(trail + ": " + future);
    const auto keyless = keyless_rows(push, *reader_, source, settings_.crm.time_zone);
    if (!keyless.empty()) findings_.note(trail + ": " + keyless);
    const auto shared = shared_keys(push, *reader_, source, settings_.crm.time_zone);
    if (!shared.empty()) findings_.note(trail + ": " + shared);
  }

  void note_closed(const config::Push& push) {
    if (push.closed.empty()) return;
    findings_.note(fmt::format("push.{}.closed: {} on which nothing goes out, the last one {}",
                               push.name,
                               counted(static_cast<std::int64_t>(push.closed.size()), "day"),
                               mapping::write_local(*push.closed.rbegin()).substr(0, 10)));
  }

  void note_approval(const config::Push& push) {
    if (needs_approval(push)) findings_.note(approval_text(push));
  }

  void check_suppress(const config::Suppress& suppress) {
    note_unseen_events(suppress);
    note_rare_walks(suppress);
    if (!reader_) return;
    for (const auto& list : suppress.lists) {
      const std::string trail = list.section() + ".query";
      try {
        const crm::Blocklist read(*reader_, list);
        findings_.note(blocklist_text(trail, read));
        note_hidden_rows(list.section(), list.query, "not known, and their people are mailed");
        if (crm::limits_rows(reader_->dialect(), list.query))
          findings_.note(trail + ": it ends with LIMIT or FETCH: people beyond that are mailed");
        const bool is_known = database_ && crm::has_table(*database_, "survey_seal");
        const auto addresses = static_cast<std::int64_t>(read.addresses());
        for (const auto& push : settings_.pushes) {
          if (!is_known || !list.is_for(push.name)) continue;
          if (const auto why = lost_text(*database_, push.name, list.section(), addresses))
            findings_.note(fmt::format(
                "push.{}: {}: nothing goes out before it lists them, or a person releases",
                push.name, *why));
        }
      } catch (const crm::DatabaseError& error) {
        query_failed(error, list.place, trail);
      }
    }
  }

  // Walks that show each event of a rule: without a filter, and by a date that it moves.
  void note_unseen_events(const config::Suppress& suppress) {
    using Since = config::Suppress::Contact::Since;
    const auto is_answer = [](const auto& rule) { return rule.since == Since::answer; };
    if (suppress.opted_out) note_unseen("opted_out", "an opt-out", "OptedOutDate");
    if (std::ranges::any_of(suppress.contact, is_answer))
      note_unseen("contact", "an answer", "SurveyFinishedDate");
  }

  void note_unseen(const char* key, const char* event, const std::string& its_date) {
    constexpr const char* kActivity = "LastActivityDate";
    std::set<std::string> dates;
    for (const auto& pull : settings_.pulls)
      if (pull.list == config::Pull::List::customers)
        for (const auto& walk : plan_walks(pull, settings_.service.dialect))
          if (!walk.hides_rows()) dates.insert(walk.by);
    if (dates.contains(its_date)) return;
    if (!dates.contains(kActivity))
      findings_.note(fmt::format(
          "suppress.{}: no walk of [pull.customers] without a filter goes by {} or {}: {} may never"
          " be seen, and the person is mailed again",
          key, kActivity, its_date, event));
    else if (its_date == "OptedOutDate")
      findings_.note(
          "suppress.opted_out: an opt-out that does not change the date by which [pull.customers] "
          "walks (LastActivityDate) is never seen, and the person is mailed again; by = "
          "[\"LastActivityDate\", \"OptedOutDate\"] finds it");
  }

  void note_rare_walks(const config::Suppress& suppress) {
    for (const FeedingWalk& walk : feeding_walks(settings_))
      if (walk.every >= walk.stale_after)
        findings_.note(fmt::format(
            "suppress.stale_after: [pull.{}] is read every {}, and nothing goes out when that was"
            " more than {} ago: pushes wait for the rest of the time",
            walk.list, length_text(walk.every), length_text(suppress.stale_after)));
  }

  void check_report(const config::Report& report) {
    for (const auto& note : unknown_questions(report, names_))
      findings_.note(note);
    if (!api_) return;
    for (const auto& [columns, path] : {std::pair{&report.segments, "report.segments"},
                                        std::pair{&report.hidden, "report.hidden"}}) {
      for (const auto& name : *columns) {
        const auto found = mapping::find_column(name, columns_);
        if (const auto* why = std::get_if<std::string>(&found))
          findings_.problems({{report.place, path, *why}});
      }
    }
  }

  // Its server is reached, and nothing is sent.
  void check_receiver(const config::Receiver& receiver) {
    const auto transport = environment_of(settings_, {}, nullptr).open_messenger(receiver);
    if (const auto fault = try_receiver(receiver, *transport)) findings_.receiver(receiver, *fault);
  }

  void check_status(const config::StatusPage& page) {
    const auto gate = Gate::make(page, host_name());
    if (const auto* why = std::get_if<std::string>(&gate))
      return findings_.wrong("status.token: " + *why);
    if (const auto note = note_of_open_page(settings_)) findings_.note(*note);
  }

  void check_folders(const config::Push& push) {
    for (const config::FieldSource* source : mapping::sources_of(push)) {
      if (source->folder.empty()) continue;
      if (const auto fault = fault_of_folder(source->folder))
        findings_.problems({{source->place, "push." + push.name + ".customer", *fault}});
    }
  }

  void check_map(const config::Push& push, const std::vector<std::string>& names) {
    const bool without_columns = api_ && columns_.empty();
    if (const auto missing = without_columns ? missing_column(push) : std::nullopt)
      findings_.problems({*missing});
    auto made = mapping::Mapper::make(push, names, columns_, settings_.crm.time_zone);
    if (const auto* problems = std::get_if<std::vector<config::Problem>>(&made)) {
      findings_.problems(*problems);
    }
  }

  void check_writes(const config::Pull& pull) {
    if (!crm_) return findings_.problems(path_problems(pull));
    try {
      std::vector<std::string> notes;
      findings_.problems(
          crm::check_writes(*crm_, service::operation_of(pull.list).item, pull.writes, &notes));
      for (const auto& note : notes)
        findings_.note(note);
    } catch (const crm::DatabaseError& error) {
      findings_.database("pull." + pull.name + ".write: ", error);
    }
  }

  bool fills(const config::Push& push, const std::string& name) const {
    const auto found = mapping::find_column(name, columns_);
    const auto* column = std::get_if<mapping::DataColumn>(&found);
    return std::ranges::any_of(push.data, [&](const config::DataRule& rule) {
      return config::same_ignoring_case(rule.column, name) ||
             (column != nullptr && mapping::is_called(*column, rule.column));
    });
  }

  void note_rows_of_others(const config::Pull& pull) {
    for (const auto& write : pull.writes)
      if (write.insert && write.push.empty() && !settings_.pushes.empty())
        findings_.note(fmt::format(
            "pull.{}.write: insert makes a row of {} also for what the service lists and another"
            " system has sent; push = \"{}\" leaves that out",
            pull.name, write.table, settings_.pushes.front().name));
  }

  void note_absent_matches(const config::Pull& pull) {
    for (const auto& write : pull.writes) {
      for (const auto& cell : write.match) {
        const std::string name = data_column_in(cell.path);
        const auto has_value = [&](const config::Push& push) {
          return (write.push.empty() || push.name == write.push) && fills(push, name);
        };
        if (name.empty() || settings_.pushes.empty() ||
            std::ranges::any_of(settings_.pushes, has_value))
          continue;
        findings_.note(fmt::format(
            "pull.{}.write.match.{}: {} fills the data column \"{}\": customers of this bridge"
            " have no value there, and nothing is written of them",
            pull.name, cell.column,
            write.push.empty() ? "no push" : "[push." + write.push + "] never", name));
      }
    }
  }

  void check_pull(const config::Pull& pull) {
    check_writes(pull);
    note_absent_matches(pull);
    note_rows_of_others(pull);
    findings_.problems(follow_up_problems(pull));
    for (const auto& note : unknown_in_paths(pull, names_))
      findings_.note(note);
    if (!api_) return;
    const auto& records = service::operation_of(pull.list).item;
    const auto has_records = [&] {
      return database_ && crm::has_table(*database_, std::string(records.table)) &&
             crm::has_records(*database_, records);
    };
    try {
      for (const auto& found :
           check_filters(*api_, settings_, pull, columns_, system_now(), has_records))
        tell_filter(found);
    } catch (const crm::DatabaseError& error) {
      findings_.database("database: ", error);
    }
    if (pull.list == config::Pull::List::customers) note_names(pull);
  }

  void tell_filter(const FilterFinding& found) {
    if (found.trouble) return findings_.trouble(found.what, *found.trouble);
    findings_.wrong(found.what.empty() ? found.wrong : found.what + ": " + found.wrong);
  }

  void note_names(const config::Pull& customers) {
    const auto lines = proposed_names(*api_, settings_, customers, system_now());
    if (!lines.empty())
      findings_.note(fmt::format("service.enumerations: to store names beside numbers, add {}",
                                 fmt::join(lines, "; ")));
  }

  const config::Settings& settings_;
  const bool has_service_;  // [service] is right
  Findings& findings_;
  std::unique_ptr<service::Credentials> credentials_;
  service::ClientCertificate client_;
  std::optional<Duration> service_ahead_;  // of its last answer with a date
  const ClockObserver clock_{system_now, [this](Duration ahead) { service_ahead_ = ahead; }};
  std::optional<Pace> pace_;
  std::unique_ptr<ObservedTransport> transport_;
  std::optional<service::Api> api_;  // empty: the service cannot be asked
  // The store and the CRM's, which may be one; null: it cannot be asked. The last is the CRM's as
  // the operator's queries read it: with [store] a session that refuses to change anything.
  std::shared_ptr<crm::Database> database_, crm_, reader_;
  bool has_rights_ = false;  // to make and write the bridge's tables
  std::vector<mapping::DataColumn> columns_;
  NamesOfService names_;
};

// Secrets are there and the field maps are right, as far as the file alone tells.
ExitCode check_offline(const Invocation& invocation) {
  Findings findings;
  std::unique_ptr<CommandContext> command;
  if (invocation.json) {
    auto made = make_command_context(invocation.config, nullptr, Uses::everything);
    if (const auto* problems = std::get_if<ContextProblems>(&made)) {
      for (const auto& problem : *problems)
        findings.wrong(problem);
    } else {
      command = std::get<0>(std::move(made));
    }
  } else {
    command = open_command_context(invocation, nullptr, Uses::everything);
    if (!command) return kConfiguration;
  }
  if (command) {
    const auto client = service::read_client_certificate(command->settings.service);
    if (const auto* read = std::get_if<service::ClientCertificate>(&client))
      tell_certificate(findings, client_finding(*read, system_now()));
    if (const auto note = note_of_open_page(command->settings)) findings.note(*note);
    for (const auto& receiver : command->settings.alerts)
      if (const auto fault = secrets_fault(receiver)) findings.receiver(receiver, *fault);
  }
  findings.print(invocation);
  return findings.code();
}

}  // namespace

ExitCode command_check(const Invocation& invocation) {
  if (invocation.offline) return check_offline(invocation);
  std::vector<std::string> wrong;
  return check_configuration(invocation, wrong);
}

ExitCode check_configuration(const Invocation& invocation, std::vector<std::string>& wrong) {
  const auto loaded = config::load_in_parts(invocation.config);
  Findings findings;
  findings.problems(loaded.problems);
  Checker(loaded, findings).run();
  if (findings.is_locked()) report_lock();
  findings.print(invocation);
  wrong = findings.told();
  return findings.code();
}

}  // namespace surveybridge::daemon
