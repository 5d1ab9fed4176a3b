#include "daemon/command_line.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/init/system_template.hpp"
#include "daemon/runtime/version.hpp"

namespace surveybridge::daemon {

namespace {

using Command = std::function<ExitCode(const Invocation&)>;

constexpr const char* kFirst = "First steps";
constexpr const char* kEveryDay = "Every day";
constexpr const char* kDecide = "A person decides";
constexpr const char* kRights = "People's rights";
constexpr const char* kTables = "Tables";

// Where --help shows a command, and the examples at the end of its own.
struct CommandHelp {
  const char* group;
  Example first, second;
};

const CommandHelp& help_of(const std::string& command) {
  static const std::map<std::string, CommandHelp> helps = {
      {"init",
       {kFirst,
        {"surveybridge init", "asks, and writes /etc/surveybridge/surveybridge.toml"},
        {"surveybridge init -c trial.toml --yes --base-url https://surveys.example.com --token "
         "env:SURVEY_TOKEN --connection sqlite3:///var/lib/crm/crm.db --query orders",
         "asks nothing"}}},
      {"check",
       {kFirst,
        {"surveybridge check", "the file, the database and the service, before a start or reload"},
        {"surveybridge check --offline -c new.toml", "this file alone"}}},
      {"preview",
       {kFirst,
        {"surveybridge preview", "the first five rows of each push, and what becomes of them"},
        {"surveybridge preview orders --groups",
         "how many of one push go out, and how many not for which reason"}}},
      {"test",
       {kFirst,
        {"surveybridge test tests.toml", "rows of a file, and the customers that they must become"},
        {"surveybridge test tests.toml -c new.toml --json",
         "by another configuration, for a program"}}},
      {"help",
       {kFirst,
        {"surveybridge help quarantine", "this command, settings and documents about it"},
        {"surveybridge help opted out", "what has both words"}}},
      {"run",
       {kEveryDay,
        {"surveybridge run", "in a terminal, until Ctrl-C; systemd does the same"},
        {"surveybridge run -c trial.toml --log-format json",
         "with one JSON object for each event"}}},
      {"sync",
       {kEveryDay,
        {"surveybridge sync", "everything that is due, without a daemon"},
        {"surveybridge sync push.orders", "one push, and what its rows in doubt need"}}},
      {"now",
       {kEveryDay,
        {"surveybridge now", "the service is back: every job tries again at once"},
        {"surveybridge now customers", "reads this list at once"}}},
      {"status",
       {kEveryDay,
        {"surveybridge status",
         "jobs, rows that wait, what needs a person; exit 1 if something does"},
        {"surveybridge status --json", "the same for a program"}}},
      {"explain",
       {kEveryDay,
        {"surveybridge explain 4711", "the history of the transaction with this key"},
        {"surveybridge explain ann@example.com", "all transactions of this person"}}},
      {"report",
       {kEveryDay,
        {"surveybridge report --from 2026-01-01 --period month", "this year, by month"},
        {"surveybridge report --by push --html report.html", "one page to mail or print"}}},
      {"verify",
       {kEveryDay,
        {"surveybridge verify", "the keys that CRM, ledger and service do not agree on"},
        {"surveybridge verify --json", "all of them, for a program"}}},
      {"alert",
       {kEveryDay,
        {"surveybridge alert test", "a message to each receiver of [alert] and [report.mail]"},
        {"surveybridge alert test -c trial.toml", "to those of another configuration"}}},
      {"plan",
       {kDecide,
        {"surveybridge plan new.toml", "which rows this file would send, or send otherwise"},
        {"surveybridge plan new.toml --json", "every key of them, for a program"}}},
      {"release",
       {kDecide,
        {"surveybridge release orders", "why the push is held, and how many rows wait"},
        {"surveybridge release orders --confirm 40", "lets these 40 go"}}},
      {"rows",
       {kDecide,
        {"surveybridge rows --groups", "how many were not sent for which reason"},
        {"surveybridge rows retry --state quarantined --reason postcode --since 2026-03-01",
         "sends after all what had this reason"}}},
      {"quarantine",
       {kDecide,
        {"surveybridge quarantine list --groups", "how many were set aside for which reason"},
        {"surveybridge quarantine retry 4711 4712", "sends these after all"}}},
      {"doubt",
       {kDecide,
        {"surveybridge doubt", "what may or may not have arrived"},
        {"surveybridge doubt resend 4711", "sends it again, if the service does not list it"}}},
      {"suppressed",
       {kDecide,
        {"surveybridge suppressed --groups", "how many are not mailed for which reason"},
        {"surveybridge suppressed retry 4711", "judges this one anew"}}},
      {"forget",
       {kRights,
        {"surveybridge forget -", "type the address, then Ctrl-D: no list of processes has it"},
        {"surveybridge forget --unknown ann@example.com",
         "also where the bridge has nothing of this person"}}},
      {"export",
       {kRights,
        {"surveybridge export -", "type the address, then Ctrl-D; prints what the bridge has"},
        {"surveybridge export ann@example.com", "the address stays in the shell's history"}}},
      {"backfill",
       {kTables,
        {"surveybridge backfill customers --from 2024-01-01", "all since that day"},
        {"surveybridge backfill ratings --from 2024-01-01 --to 2025-01-01 --parallel 8",
         "one year, eight windows at once"}}},
      {"write-back",
       {kTables,
        {"surveybridge write-back customers", "after a column of the CRM was mended"},
        {"surveybridge write-back ratings -c trial.toml", "as another configuration says"}}},
      {"move",
       {kTables,
        {"surveybridge move --from old.toml -c new.toml", "the tables and rows that it would take"},
        {"surveybridge move --from old.toml -c new.toml --confirm",
         "does it; stop the bridge first"}}},
      {"schema",
       {kTables,
        {"surveybridge schema --database mariadb", "for an administrator who makes the tables"},
        {"surveybridge schema --database postgresql --from 1", "what is new since version 1"}}},
      {"config-schema",
       {kTables,
        {"surveybridge config-schema", "the JSON Schema of the configuration"},
        {"surveybridge config-schema > surveybridge.schema.json", "for an editor"}}},
  };
  return helps.at(command);
}

// Adds the command to its group, with its examples.
CLI::App* add_command(CLI::App& app, std::vector<CommandEntry>& entries, const std::string& name,
                      const std::string& what, Command command) {
  const CommandHelp& help = help_of(name);
  CLI::App* sub = app.add_subcommand(name, what)->group(help.group);
  std::string footer = "Examples:";
  for (const Example& example : {help.first, help.second})
    footer += "\n  " + example.typed + "\n      " + example.does;
  sub->footer(footer);
  entries.push_back({sub, std::move(command), {help.first, help.second}});
  return sub;
}

// One that reads a configuration.
CLI::App* add(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& invocation,
              const std::string& name, const std::string& what, Command command) {
  CLI::App* sub = add_command(app, entries, name, what, std::move(command));
  sub->add_option("-c,--config", invocation.config, "The configuration file")
      ->capture_default_str();
  return sub;
}

CLI::Option* add_json(CLI::App* sub, Invocation& in) {
  return sub->add_flag("--json", in.json, "For a program to read");
}

// Keys as the CRM has them. Where an option may take further values, CLI11 splits one that looks
// like "[a,b]" into a and b; so this one takes many because it expects many.
CLI::Option* add_keys(CLI::App* sub, Invocation& in) {
  constexpr int kMany = 1'000'000;
  return sub->add_option("key", in.keys, "Keys of transactions")
      ->take_all()
      ->expected(kMany, -1)
      ->allow_extra_args(false);
}

// `rows`, and its short forms.
struct RowCommand {
  const char* name;
  const char* meaning;
  std::vector<std::string> states;  // whose rows it speaks of; empty: as --state says
  std::vector<std::string> actions;
};

const std::vector<RowCommand>& row_commands() {
  static const std::vector<RowCommand> commands = {
      {"rows",
       "Rows that were not sent: list, send after all, drop, say that they have arrived",
       {},
       {"list", "retry", "drop", "sent", "resend", "undo"}},
      {"quarantine",
       "`rows --state quarantined`: rows set aside",
       {"quarantined"},
       {"list", "retry", "drop"}},
      {"doubt",
       "`rows --state in_doubt --state held`: may or may not have arrived; held need a person",
       {"in_doubt", "held"},
       {"list", "sent", "resend", "undo"}},
      {"suppressed",
       "`rows --state suppressed`: nobody is mailed for these, each with its reason",
       {"suppressed"},
       {"list", "retry"}},
  };
  return commands;
}

void add_push(CLI::App* sub, Invocation& in) {
  sub->add_option("--push", in.push, "Of this push only");
}

void add_rows(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in,
              const RowCommand& command) {
  CLI::App* sub = add(app, entries, in, command.name, command.meaning, command_rows);
  RowChoice& rows = in.rows;
  sub->add_option("action", rows.action, "What to do")
      ->check(CLI::IsMember(command.actions))
      ->capture_default_str();
  add_keys(sub, in);
  add_push(sub, in);
  if (command.states.empty()) {
    sub->add_option("--state", rows.states,
                    "Rows in this state; else list shows all but the suppressed, and retry takes "
                    "the quarantined")
        ->check(CLI::IsMember({"in_doubt", "held", "quarantined", "suppressed"}))
        ->take_all()
        ->expected(1, -1)
        ->allow_extra_args(false);
  } else {
    sub->callback([&rows, &command] { rows.states = command.states; });
  }
  sub->add_flag("--all", rows.all, "With another action than list: every row");
  sub->add_option("--reason", rows.reason, "Rows whose reason holds this text");
  sub->add_option(
      "--since", rows.since,
      "Rows that came into their state at this date or time, or later; of [crm] time_zone if it "
      "names no other");
  sub->add_option("--before", rows.before,
                  "Rows that came into their state before this date or time");
  add_json(sub, in);
  sub->add_flag("--groups", in.groups, "list: how many rows have which reason");
  sub->add_option("--page", rows.page, "list: which page of 1,000 rows")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  if (std::ranges::find(command.actions, std::string("resend")) != command.actions.end())
    sub->add_flag("--force", rows.force,
                  "resend: also what the service lists, or without asking it");
}

// What an operator asks, about all or about single transactions.
void add_asking(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in) {
  add_json(add(app, entries, in, "status", "Where everything stands", command_status), in);
  add_json(add(app, entries, in, "verify", "CRM, ledger and service side by side, key by key",
               command_verify),
           in);
  CLI::App* explain = add(app, entries, in, "explain",
                          "The history of a transaction: by its key, an address or a customer's id",
                          command_explain);
  add_keys(explain, in)->required();
  add_push(explain, in);
  add_json(explain, in);
}

void add_alert(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in) {
  CLI::App* alert = add(app, entries, in, "alert",
                        "Tells the receivers of [alert] that this is a test", command_alert);
  alert
      ->add_option("action", in.alert,
                   "test: sends to each address, and says what came of it; failed: what systemd "
                   "types when a unit has failed")
      ->check(CLI::IsMember({"test", "failed"}))
      ->required();
  alert->add_flag("--json", in.json, "test: for a program to read");
}

void add_deciding(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in) {
  CLI::App* plan = add(
      app, entries, in, "plan",
      "What a changed configuration would do to the rows that wait, before a reload", command_plan);
  plan->add_option("file", in.name, "The changed configuration; -c is the one in force")
      ->required();
  add_json(plan, in);
  CLI::App* release =
      add(app, entries, in, "release",
          "Let go what the brake holds, once a person has seen how many they are", command_release);
  release->add_option("name", in.name, "The push")->required();
  release->add_option("--confirm", in.released, "How many may go out: the number that waits")
      ->check(CLI::NonNegativeNumber)
      ->excludes(add_json(release, in));
  for (const RowCommand& command : row_commands())
    add_rows(app, entries, in, command);
}

void add_report(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in) {
  CLI::App* report = add(app, entries, in, "report",
                         "What the answers say: a table, CSV, JSON, a page", command_report);
  report->add_option("--from", in.report.from, "The first day; else twelve weeks back");
  report->add_option("--to", in.report.to, "The last day; else today");
  report->add_option(
      "--by", in.report.by,
      "A segment of [report], \"push\", \"language\", or two of them: push,Branch; else the "
      "first segment");
  report->add_option("--period", in.report.period, "Of a line; else months from 26 weeks on")
      ->check(CLI::IsMember({"week", "month"}));
  report->add_option("--push", in.report.push, "Of this push only");
  report->add_option("--html", in.html, "Write a page to this file; - is standard output");
  report->add_option("--csv", in.csv, "Write CSV files into this folder");
  add_json(report, in);
  report->add_flag("--texts", in.report.texts,
                   "With texts that customers wrote: detractors' first");
  report->add_option("--word", in.report.word, "With texts that contain this");
}

// Without it the journal is written to, if systemd reads standard error.
void add_log_format(CLI::App* sub, Invocation& in) {
  const std::map<std::string, LogFormat> formats = {{"text", LogFormat::text},
                                                    {"json", LogFormat::json}};
  sub->add_option_function<std::string>(
         "--log-format",
         [&in, formats](const std::string& name) { in.log_format = formats.at(name); },
         "Of the log on standard error; without it as text, or to the journal with fields")
      ->check(CLI::IsMember({"text", "json"}));
}

void add_running(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in) {
  add_log_format(add(app, entries, in, "run", "The daemon: what systemd starts", command_run), in);
  CLI::App* sync = add(app, entries, in, "sync", "Everything due once, then exit", command_sync);
  sync->add_option("name", in.names, "push, pull, or a push's or pull's name; all when absent");
  add_log_format(sync, in);
  add_json(sync, in);
  CLI::App* now = add(app, entries, in, "now", "Ends the waits of the running daemon", command_now);
  now->add_option("job", in.name, "push, pull, a push's or pull's name, or a job; all when absent");
  add_json(now, in);
}

// The one person whom a command is about.
void add_address(CLI::App* sub, Invocation& in) {
  CLI::Option* address = sub->add_option("email", in.keys,
                                         "The address; - reads it from standard input, so that "
                                         "no list of processes and no history has it")
                             ->expected(1)
                             ->allow_extra_args(false);
  sub->add_flag("--stdin", in.from_input, "The same as -")->excludes(address);
  sub->callback([&in] {
    if (in.keys.empty() && !in.from_input)
      throw CLI::RequiredError("email: the address, or - for standard input");
    if (in.keys == std::vector<std::string>{"-"} || in.keys.empty()) {
      in.from_input = true;
      in.keys.clear();
    }
  });
}

void add_persons(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in) {
  CLI::App* forget =
      add(app, entries, in, "forget",
          "Erase a person from the bridge's tables; never mailed again by it", command_forget);
  add_address(forget, in);
  forget->add_flag("--unknown", in.unknown,
                   "Also an address of which the bridge has nothing; without it that is taken for "
                   "a typing error");
  add_json(forget, in);
  add_address(
      add(app, entries, in, "export",
          "All that `forget` would erase of a person, as JSON; changes nothing", command_export),
      in);
}

// The service and the database, by the words of the configuration.
void add_connections(CLI::App* sub, InitOptions& init) {
  const std::string secret = ": file:PATH, env:NAME or credential:NAME";
  sub->add_option("--base-url", init.base_url, "The survey service's address");
  sub->add_option("--auth", init.auth, "How requests prove who sends them")
      ->check(CLI::IsMember({"bearer", "oauth2", "header", "basic", "none"}));
  sub->add_option("--token", init.token, "bearer, header: where the token is" + secret);
  sub->add_option("--header", init.header, "header: its name");
  sub->add_option("--user", init.user, "basic: the user");
  sub->add_option("--password", init.password, "basic: where the password is" + secret);
  sub->add_option("--token-url", init.token_url, "oauth2: the address that gives tokens");
  sub->add_option("--client-id", init.client_id, "oauth2: who we are there");
  sub->add_option("--client-secret", init.client_secret, "oauth2: where its secret is" + secret);
  sub->add_option("--scope", init.scope, "oauth2: what the token is for");
  sub->add_option("--connection", init.connection,
                  "The CRM's database: postgresql://, odbc:// or sqlite3://; with a password in it "
                  "file:PATH, env:NAME or credential:NAME");
}

void add_init(CLI::App& app, std::vector<CommandEntry>& entries, InitOptions& init) {
  CLI::App* sub =
      add_command(app, entries, "init",
                  "A first configuration: asks, or takes options; tries each answer at once",
                  [&init](const Invocation&) { return command_init(init); });
  sub->add_option("-c,--config", init.file, "The configuration file that is written")
      ->capture_default_str();
  add_connections(sub, init);
  sub->add_option("--template", init.system,
                  fmt::format("A known system: {}; NAME:PREFIX where its tables are there twice",
                              fmt::join(template_names(), ", ")));
  sub->add_option("--time-zone", init.time_zone, "Of the CRM's clock; else this machine's");
  sub->add_option("--push", init.push, "The push's name; else orders");
  sub->add_option("--query", init.query, "The SQL that finds transactions, or a table");
  sub->add_option("--key", init.key, "The column that tells transactions apart");
  sub->add_option("--when", init.when, "The column that says when a transaction was");
  sub->add_option("--start", init.start,
                  "Nothing older is ever pushed; else as far back as look_back reaches");
  sub->add_option("--email", init.email, "The column with the address");
  sub->add_option("--map", init.map, "DataColumn=column; without a column it is left out")
      ->take_all()
      ->expected(1, -1)
      ->allow_extra_args(false);
  sub->add_flag("--yes", init.yes, "Ask nothing: take what is proposed");
  sub->add_flag("--force", init.force, "Replace files that are there");
}

void add_first_steps(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in,
                     InitOptions& init) {
  add_init(app, entries, init);
  CLI::App* check =
      add(app, entries, in, "check", "Every problem of the configuration at once", command_check);
  check->add_flag("--offline", in.offline, "Ask neither database nor service");
  add_json(check, in);
  CLI::App* preview = add(app, entries, in, "preview",
                          "The batch that would go out; changes nothing", command_preview);
  preview->add_option("name", in.names, "Of which push; all when absent");
  preview
      ->add_option("-n", in.previewed,
                   "How many rows at most, up to 1000000; else 5, with --groups 1000000")
      ->check(CLI::Range(1, 1'000'000));
  preview->add_flag("--groups", in.groups,
                    "How many rows go out, and how many not for which reason");
  add_json(preview, in);
  CLI::App* test =
      add(app, entries, in, "test", "Rows of a file through the map, without database and service",
          command_test);
  test->add_option("file", in.name, "A TOML file of [[test]] tables: docs/GUIDE.md")->required();
  add_json(test, in);
  add_command(app, entries, "help", "Commands, settings and documents about a word", {})
      ->add_option("word", in.names, "A command, or words of a topic; this list when absent");
}

// What is stored, the past and copies of it; the bridge's own tables.
void add_tables(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in) {
  CLI::App* backfill =
      add(app, entries, in, "backfill",
          "A list's past, beside the running daemon; killed, it goes on where it was",
          command_backfill);
  backfill->add_option("list", in.name, "customers, ratings or bouncers")->required();
  backfill->add_option("--from", in.from, "The first day")->required();
  backfill->add_option("--to", in.to, "Where it ends; now when absent");
  backfill->add_option("--parallel", in.parallel, "Windows walked side by side")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  add_json(backfill, in);
  CLI::App* write_back =
      add(app, entries, in, "write-back",
          "Write all stored records of a list into the CRM once more", command_write_back);
  write_back->add_option("list", in.name, "customers, ratings or bouncers")->required();
  add_json(write_back, in);
  CLI::App* move =
      add(app, entries, in, "move", "Move the bridge's tables to where this configuration has them",
          command_move);
  move->add_option("--from", in.from, "The configuration file that was used before")->required();
  move->add_flag("--confirm", in.confirmed, "Do it");
  add_json(move, in);
  CLI::App* schema =
      add_command(app, entries, "schema", "The DDL of the bridge's tables", command_schema);
  schema->add_option("--database", in.database, "Whose SQL")
      ->check(CLI::IsMember(database_names()))
      ->capture_default_str();
  schema->add_option("--from", in.schema_from, "Only what is new since this version of the tables")
      ->check(CLI::NonNegativeNumber);
  add_command(app, entries, "config-schema", "The JSON Schema of the configuration, for editors",
              command_config_schema);
}

}  // namespace

std::vector<CommandEntry> describe(CLI::App& app, Invocation& in, InitOptions& init) {
  std::vector<CommandEntry> entries;
  app.require_subcommand(0, 1);  // none is met below, so that an unknown one can be named
  app.set_version_flag("--version", version_text);
  app.footer(
      "surveybridge COMMAND --help ends with two examples; surveybridge help WORD finds commands,\n"
      "settings and sections of the documents by topic.");
  add_first_steps(app, entries, in, init);
  add_running(app, entries, in);
  add_asking(app, entries, in);
  add_report(app, entries, in);
  add_alert(app, entries, in);
  add_deciding(app, entries, in);
  add_persons(app, entries, in);
  add_tables(app, entries, in);
  return entries;
}

}  // namespace surveybridge::daemon
