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

// What is typed behind the command's name, and what that does: the end of the command's --help.
using Examples = std::vector<std::pair<const char*, const char*>>;

// `rows`, and its short forms.
struct RowCommand {
  const char* name;
  const char* meaning;
  std::vector<std::string> states;  // whose rows it speaks of; empty: as --state says
  std::vector<std::string> actions;
  Examples examples;
};

const std::vector<RowCommand>& row_commands() {
  static const std::vector<RowCommand> commands = {
      {"rows",
       "Rows that were not sent: list, send after all, drop, say that they have arrived",
       {},
       {"list", "retry", "drop", "sent", "resend", "undo"},
       {{"--groups", "how many were not sent for which reason"},
        {"retry --state quarantined --reason postcode --since 2026-03-01",
         "sends after all what had this reason"}}},
      {"quarantine",
       "`rows --state quarantined`: rows set aside",
       {"quarantined"},
       {"list", "retry", "drop"},
       {{"list --groups", "how many were set aside for which reason"},
        {"retry 4711 4712", "sends these after all"}}},
      {"doubt",
       "`rows --state in_doubt --state held`: may or may not have arrived; held need a person",
       {"in_doubt", "held"},
       {"list", "sent", "resend", "undo"},
       {{"", "what may or may not have arrived"},
        {"resend 4711", "sends it again, if the service does not list it"}}},
      {"suppressed",
       "`rows --state suppressed`: nobody is mailed for these, each with its reason",
       {"suppressed"},
       {"list", "retry"},
       {{"--groups", "how many are not mailed for which reason"},
        {"retry 4711", "judges this one anew"}}},
  };
  return commands;
}

// Larger numbers are taken for a slip. So many pages of 1,000 rows can still be counted.
constexpr int kMany = 1'000'000'000, kPages = 1'000'000;

CLI::Option* take_several(CLI::Option* option, int least = 1) {
  return option->take_all()->expected(least, -1)->allow_extra_args(false);
}

// Fills `entries`. What it gives to the options outlives it.
class CommandLine {
 public:
  CommandLine(CLI::App& app, std::vector<CommandEntry>& entries, Invocation& in, InitOptions& init)
      : app_(app), entries_(entries), in_(in), init_(init) {}

  void add_all() {
    add_first_steps();
    add_every_day();
    add_deciding();
    add_persons();
    add_tables();
  }

 private:
  // Adds the command to its group of --help.
  CLI::App* add_command(const std::string& name, const std::string& what, Command command,
                        const Examples& examples) {
    CLI::App* sub = app_.add_subcommand(name, what)->group(group_);
    entries_.push_back({sub, std::move(command), {}});
    std::string footer = "Examples:";
    for (const auto& [typed, does] : examples) {
      const std::string whole = "surveybridge " + name + (*typed == '\0' ? "" : " ") + typed;
      footer += "\n  " + whole + "\n      " + does;
      entries_.back().examples.push_back({whole, does});
    }
    sub->footer(footer);
    return sub;
  }

  // One that reads a configuration.
  CLI::App* add(const std::string& name, const std::string& what, Command command,
                const Examples& examples) {
    CLI::App* sub = add_command(name, what, std::move(command), examples);
    sub->add_option("-c,--config", in_.config, "The configuration file")->capture_default_str();
    return sub;
  }

  CLI::Option* add_json(CLI::App* sub) {
    return sub->add_flag("--json", in_.json, "For a program to read");
  }

  // Keys as the CRM has them. Where an option may take further values, CLI11 splits one that looks
  // like "[a,b]" into a and b; so this one takes many because it expects many.
  CLI::Option* add_keys(CLI::App* sub) {
    constexpr int kKeys = 1'000'000;
    return take_several(sub->add_option("key", in_.keys, "Keys of transactions"), kKeys);
  }

  void add_push(CLI::App* sub) { sub->add_option("--push", in_.push, "Of this push only"); }

  void add_first_steps() {
    group_ = "First steps";
    add_init();
    CLI::App* check = add("check", "Every problem of the configuration at once", command_check,
                          {{"", "the file, the database and the service, before a start or reload"},
                           {"--offline -c new.toml", "this file alone"}});
    check->add_flag("--offline", in_.offline, "Ask neither database nor service");
    add_json(check);
    CLI::App* preview = add(
        "preview", "The batch that would go out; changes nothing", command_preview,
        {{"", "the first five rows of each push, and what becomes of them"},
         {"orders --groups", "how many of one push go out, and how many not for which reason"}});
    preview->add_option("name", in_.names, "Of which push; all when absent");
    preview
        ->add_option("-n", in_.previewed,
                     "How many rows at most, up to 1000000; else 5, with --groups 1000000")
        ->check(CLI::Range(1, 1'000'000));
    preview->add_flag("--groups", in_.groups,
                      "How many rows go out, and how many not for which reason");
    add_json(preview);
    CLI::App* test =
        add("test", "Rows of a file through the map, without database and service", command_test,
            {{"tests.toml", "rows of a file, and the customers that they must become"},
             {"tests.toml -c new.toml --json", "by another configuration, for a program"}});
    test->add_option("file", in_.name, "A TOML file of [[test]] tables: docs/GUIDE.md")->required();
    add_json(test);
    add_command("help", "Commands, settings and documents about a word", {},
                {{"quarantine", "this command, settings and documents about it"},
                 {"opted out", "what has both words"}})
        ->add_option("word", in_.names, "A command, or words of a topic; this list when absent");
  }

  void add_init() {
    CLI::App* sub = add_command(
        "init", "A first configuration: asks, or takes options; tries each answer at once",
        [&init = init_](const Invocation&) { return command_init(init); },
        {{"", "asks, and writes /etc/surveybridge/surveybridge.toml"},
         {"-c trial.toml --yes --base-url https://surveys.example.com --token env:SURVEY_TOKEN "
          "--connection sqlite3:///var/lib/crm/crm.db --query orders",
          "asks nothing"}});
    sub->add_option("-c,--config", init_.file, "The configuration file that is written")
        ->capture_default_str();
    add_connections(sub);
    sub->add_option("--template", init_.system,
                    fmt::format("A known system: {}; NAME:PREFIX where its tables are there twice",
                                fmt::join(template_names(), ", ")));
    sub->add_option("--time-zone", init_.time_zone, "Of the CRM's clock; else this machine's");
    sub->add_option("--push", init_.push, "The push's name; else orders");
    sub->add_option("--query", init_.query, "The SQL that finds transactions, or a table");
    sub->add_option("--key", init_.key, "The column that tells transactions apart");
    sub->add_option("--when", init_.when, "The column that says when a transaction was");
    sub->add_option("--start", init_.start,
                    "Nothing older is ever pushed; else the first midnight that look_back reaches "
                    "a day from now");
    sub->add_option("--email", init_.email, "The column with the address");
    take_several(
        sub->add_option("--map", init_.map, "DataColumn=column; without a column it is left out"));
    sub->add_flag("--yes", init_.yes, "Ask nothing: take what is proposed");
    sub->add_flag("--force", init_.force, "Replace files that are there");
  }

  // The service and the database, by the words of the configuration.
  void add_connections(CLI::App* sub) {
    const std::string secret = ": file:PATH, env:NAME or credential:NAME";
    sub->add_option("--base-url", init_.base_url, "The survey service's address");
    sub->add_option("--auth", init_.auth, "How requests prove who sends them")
        ->check(CLI::IsMember({"bearer", "oauth2", "header", "basic", "none"}));
    sub->add_option("--token", init_.token, "bearer, header: where the token is" + secret);
    sub->add_option("--header", init_.header, "header: its name");
    sub->add_option("--user", init_.user, "basic: the user");
    sub->add_option("--password", init_.password, "basic: where the password is" + secret);
    sub->add_option("--token-url", init_.token_url, "oauth2: the address that gives tokens");
    sub->add_option("--client-id", init_.client_id, "oauth2: who we are there");
    sub->add_option("--client-secret", init_.client_secret, "oauth2: where its secret is" + secret);
    sub->add_option("--scope", init_.scope, "oauth2: what the token is for");
    sub->add_option("--connection", init_.connection,
                    "The CRM's database: postgresql://, odbc:// or sqlite3://; with a password in "
                    "it file:PATH, env:NAME or credential:NAME");
    sub->add_option("--store", init_.store,
                    "Where the bridge's own tables are: crm, schema:NAME, or another database as "
                    "above; else crm, if its account may make tables there");
  }

  void add_every_day() {
    group_ = "Every day";
    add_log_format(
        add("run", "The daemon: what systemd starts", command_run,
            {{"", "in a terminal, until Ctrl-C; systemd does the same"},
             {"-c trial.toml --log-format json", "with one JSON object for each event"}}));
    CLI::App* sync = add("sync", "Everything due once, then exit", command_sync,
                         {{"", "everything that is due, without a daemon"},
                          {"push.orders", "one push, and what its rows in doubt need"}});
    sync->add_option("name", in_.names, "push, pull, or a push's or pull's name; all when absent");
    add_log_format(sync);
    add_json(sync);
    CLI::App* now = add("now", "Ends the waits of the running daemon", command_now,
                        {{"", "the service is back: every job tries again at once"},
                         {"customers", "reads this list at once"}});
    now->add_option("job", in_.name,
                    "push, pull, a push's or pull's name, or a job; all when absent");
    add_json(now);
    add_json(add("status", "Where everything stands", command_status,
                 {{"", "jobs, rows that wait, what needs a person; exit 1 if something does"},
                  {"--json", "the same for a program"}}));
    add_json(add("verify", "CRM, ledger and service side by side, key by key", command_verify,
                 {{"", "the keys that CRM, ledger and service do not agree on"},
                  {"--json", "all of them, for a program"}}));
    CLI::App* explain =
        add("explain", "The history of a transaction: by its key, an address or a customer's id",
            command_explain,
            {{"4711", "the history of the transaction with this key"},
             {"-", "type an address, then Ctrl-D: all transactions of this person"}});
    add_input(explain,
              add_keys(explain)->description("Keys of transactions, addresses or customers' ids; - "
                                             "reads one from standard input"),
              "key");
    add_push(explain);
    add_json(explain);
    add_report();
    CLI::App* alert =
        add("alert", "Tells the receivers of [alert] that this is a test", command_alert,
            {{"test", "a message to each receiver of [alert] and [report.mail]"},
             {"test -c trial.toml", "to those of another configuration"}});
    alert
        ->add_option("action", in_.alert,
                     "test: sends to each address, and says what came of it; failed: what systemd "
                     "types when a unit has failed")
        ->check(CLI::IsMember({"test", "failed"}))
        ->required();
    alert->add_flag("--json", in_.json, "test: for a program to read");
  }

  // Without it the journal is written to, if systemd reads standard error.
  void add_log_format(CLI::App* sub) {
    const std::map<std::string, LogFormat> formats = {{"text", LogFormat::text},
                                                      {"json", LogFormat::json}};
    sub->add_option_function<std::string>(
           "--log-format",
           [&in = in_, formats](const std::string& name) { in.log_format = formats.at(name); },
           "Of the log on standard error; without it as text, or to the journal with fields")
        ->check(CLI::IsMember({"text", "json"}));
  }

  void add_report() {
    CLI::App* report =
        add("report", "What the answers say: a table, CSV, JSON, a page", command_report,
            {{"--from 2026-01-01 --period month", "this year, by month"},
             {"--by push --html report.html", "one page to mail or print"}});
    ReportAsked& asked = in_.report;
    report->add_option("--from", asked.from, "The first day; else twelve weeks back");
    report->add_option("--to", asked.to, "The last day; else today");
    report->add_option("--by", asked.by,
                       "A segment of [report], \"push\", \"language\", or two of them: "
                       "push,Branch; else the first segment");
    report->add_option("--period", asked.period, "Of a line; else months from 26 weeks on")
        ->check(CLI::IsMember({"week", "month"}));
    report->add_option("--push", asked.push, "Of this push only");
    report->add_option("--html", in_.html, "Write a page to this file; - is standard output");
    report->add_option("--csv", in_.csv, "Write CSV files into this folder");
    add_json(report);
    report->add_flag("--texts", asked.texts, "With texts that customers wrote: detractors' first");
    report->add_option("--word", asked.word, "With texts that contain this");
  }

  void add_deciding() {
    group_ = "A person decides";
    CLI::App* plan =
        add("plan", "What a changed configuration would do to the rows that wait, before a reload",
            command_plan,
            {{"new.toml", "which rows this file would send, or send otherwise"},
             {"new.toml --json", "every key of them, for a program"}});
    plan->add_option("file", in_.name, "The changed configuration; -c is the one in force")
        ->required();
    add_json(plan);
    CLI::App* release =
        add("release", "Let go what the brake holds, once a person has seen how many they are",
            command_release,
            {{"orders", "why the push is held, and how many rows wait"},
             {"orders --confirm 40", "lets these 40 go"}});
    release->add_option("name", in_.name, "The push")->required();
    release->add_option("--confirm", in_.released, "How many may go out: the number that waits")
        ->check(CLI::Range(0, kMany))
        ->excludes(add_json(release));
    for (const RowCommand& command : row_commands())
      add_rows(command);
  }

  void add_rows(const RowCommand& command) {
    CLI::App* sub = add(command.name, command.meaning, command_rows, command.examples);
    RowChoice& rows = in_.rows;
    sub->add_option("action", rows.action, "What to do")
        ->check(CLI::IsMember(command.actions))
        ->capture_default_str();
    add_keys(sub);
    add_push(sub);
    if (command.states.empty()) {
      take_several(sub->add_option("--state", rows.states,
                                   "Rows in this state; else list shows all but the suppressed, "
                                   "and retry takes the quarantined"))
          ->check(CLI::IsMember({"in_doubt", "held", "quarantined", "suppressed"}));
    } else {
      sub->callback([&rows, &command] { rows.states = command.states; });
    }
    sub->add_flag("--all", rows.all, "With another action than list: every row");
    sub->add_option("--reason", rows.reason, "Rows whose reason holds this text");
    sub->add_option("--since", rows.since,
                    "Rows that came into their state at this date or time, or later; of [crm] "
                    "time_zone if it names no other");
    sub->add_option("--before", rows.before,
                    "Rows that came into their state before this date or time");
    add_json(sub);
    sub->add_flag("--groups", in_.groups, "list: how many rows have which reason");
    sub->add_option("--page", rows.page, "list: which page of 1,000 rows")
        ->check(CLI::Range(1, kPages))
        ->capture_default_str();
    if (std::ranges::find(command.actions, "resend") != command.actions.end())
      sub->add_flag("--force", rows.force,
                    "resend: also what the service lists, or without asking it");
  }

  void add_persons() {
    group_ = "People's rights";
    CLI::App* forget =
        add("forget", "Erase a person from the bridge's tables; never mailed again by it",
            command_forget,
            {{"-", "type the address, then Ctrl-D: no list of processes has it"},
             {"--unknown ann@example.com", "also where the bridge has nothing of this person"}});
    add_address(forget);
    forget->add_flag("--unknown", in_.unknown,
                     "Also an address of which the bridge has nothing; without it that is taken "
                     "for a typing error");
    add_json(forget);
    CLI::App* all =
        add("export", "All that `forget` would erase of a person, as JSON; changes nothing",
            command_export,
            {{"-", "type the address, then Ctrl-D; prints what the bridge has"},
             {"ann@example.com", "the address stays in the shell's history"}});
    add_address(all);
    add_json(all)->description("As without it: what is printed is JSON");
  }

  // The one person whom a command is about.
  void add_address(CLI::App* sub) {
    CLI::Option* address = sub->add_option("email", in_.keys,
                                           "The address; - reads it from standard input, so that "
                                           "no list of processes and no history has it")
                               ->expected(1)
                               ->allow_extra_args(false);
    add_input(sub, address, "email: the address, or - for standard input");
  }

  // What is asked about may be read from standard input. `needed`: what is said of nothing at all.
  void add_input(CLI::App* sub, CLI::Option* typed, const std::string& needed) {
    sub->add_flag("--stdin", in_.from_input, "The same as -")->excludes(typed);
    sub->callback([&in = in_, needed] {
      if (in.keys.empty() && !in.from_input) throw CLI::RequiredError(needed);
      if (in.keys == std::vector<std::string>{"-"} || in.keys.empty()) {
        in.from_input = true;
        in.keys.clear();
      }
    });
  }

  // What is stored, the past and copies of it; the bridge's own tables.
  void add_tables() {
    group_ = "Tables";
    const char* const lists = "customers, ratings or bouncers";
    CLI::App* backfill =
        add("backfill", "A list's past, beside the running daemon; killed, it goes on where it was",
            command_backfill,
            {{"customers --from 2024-01-01", "all since that day"},
             {"ratings --from 2024-01-01 --to 2025-01-01 --parallel 8",
              "one year, eight windows at once"}});
    backfill->add_option("list", in_.name, lists)->required();
    backfill->add_option("--from", in_.from, "The first day")->required();
    backfill->add_option("--to", in_.to, "Where it ends; now when absent");
    backfill->add_option("--parallel", in_.parallel, "Windows walked side by side")
        ->check(CLI::Range(1, 16))
        ->capture_default_str();
    add_json(backfill);
    CLI::App* write_back =
        add("write-back", "Write all stored records of a list into the CRM once more",
            command_write_back,
            {{"customers", "after a column of the CRM was mended"},
             {"ratings -c trial.toml", "as another configuration says"}});
    write_back->add_option("list", in_.name, lists)->required();
    add_json(write_back);
    CLI::App* move =
        add("move", "Move the bridge's tables to where this configuration has them", command_move,
            {{"--from old.toml -c new.toml", "the tables and rows that it would take"},
             {"--from old.toml -c new.toml --confirm", "does it; stop the bridge first"}});
    move->add_option("--from", in_.from, "The configuration file that was used before")->required();
    move->add_flag("--confirm", in_.confirmed, "Do it");
    add_json(move);
    CLI::App* schema =
        add_command("schema", "The DDL of the bridge's tables", command_schema,
                    {{"--database mariadb", "for an administrator who makes the tables"},
                     {"--database postgresql --from 1", "what is new since version 1"}});
    schema->add_option("--database", in_.database, "Whose SQL")
        ->check(CLI::IsMember(database_names()))
        ->capture_default_str();
    schema
        ->add_option("--from", in_.schema_from, "Only what is new since this version of the tables")
        ->check(CLI::Range(0, kMany));
    add_command("config-schema", "The JSON Schema of the configuration, for editors",
                command_config_schema,
                {{"", "the JSON Schema of the configuration"},
                 {"> surveybridge.schema.json", "for an editor"}});
  }

  CLI::App& app_;
  std::vector<CommandEntry>& entries_;
  Invocation& in_;
  InitOptions& init_;
  const char* group_ = "";  // of the commands that are added now
};

}  // namespace

std::vector<CommandEntry> describe(CLI::App& app, Invocation& in, InitOptions& init) {
  std::vector<CommandEntry> entries;
  app.require_subcommand(0, 1);  // none is met below, so that an unknown one can be named
  app.set_version_flag("--version", version_text);
  app.footer(
      "surveybridge COMMAND --help ends with two examples; surveybridge help WORD finds commands,\n"
      "settings and sections of the documents by topic.");
  CommandLine(app, entries, in, init).add_all();
  return entries;
}

}  // namespace surveybridge::daemon
