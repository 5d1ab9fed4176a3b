#include "sandbox/flags.hpp"

#include <CLI/CLI.hpp>

#include "sandbox/options/variants.hpp"

namespace sandbox {
namespace {

constexpr const char* kAbout =
    "The survey service's stand-in: customers can be added and listed, their ratings and bounces\n"
    "read, over HTTP on 127.0.0.1. Customers live: they are invited, answer, bounce, opt out.\n"
    "Prints its URL on standard output once it listens; SIGTERM or Ctrl-C end it.";

constexpr const char* kExamples = R"(Examples:
  surveysandbox                                 any free port, token "sandbox-token"
  surveysandbox --port 8080 --speed 86400       a day of life every second
  surveysandbox --limit bucket:20/s:burst=40    429 above 20 requests a second
  surveysandbox --fault after:reset:customer/add:3
                                                three adds are stored, their answers lost
  surveysandbox --column 7:OrderNumber! --column 8:FirstName
                                                own data columns; ! marks a required one

  surveysandbox --page-end same --errors html --dialect lists=comma --dialect members=bracket

  curl -H 'Authorization: Bearer sandbox-token' $URL/external/api/v3/customer
  curl -d grant_type=client_credentials -d client_id=sandbox \
       -d client_secret=sandbox-secret $URL/oauth2/token

While it runs, without a token:
  GET  /                                        a page: batches, customers, lives
  GET  /sandbox/customers                       what it holds
  GET  /sandbox/state                           its time, requests and adds so far
  POST /sandbox/fault   {"fault":"before:503:rating:2"}
  POST /sandbox/clock   {"advance":"3d"}
  POST /sandbox/approve {"BatchId":501}
  POST /sandbox/limits  {"limits":["bucket:10/s"]}
  POST /sandbox/cursors                         cursors given so far expire
  POST /sandbox/revoke                          granted tokens end
  POST /sandbox/forget                          waiting faults are dropped
)";

// "7:OrderNumber!:Order number": id, name, ! where required, ~ where archived, display name.
std::optional<DataColumn> read_column(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == text.npos || colon == 0 || colon > 15) return std::nullopt;
  if (text.find_first_not_of("0123456789") != colon) return std::nullopt;
  const auto end = std::min(text.find(':', colon + 1), text.size());
  DataColumn column{std::stoll(text), text.substr(colon + 1, end - colon - 1), "", false, false};
  for (; !column.name.empty(); column.name.pop_back()) {
    if (column.name.back() != '!' && column.name.back() != '~') break;
    (column.name.back() == '!' ? column.required : column.archived) = true;
  }
  column.display_name = end < text.size() ? text.substr(end + 1) : column.name;
  if (column.name.empty()) return std::nullopt;
  return column;
}

// Adds an option that may be repeated, each value read by `read`.
template <typename T, typename Read>
void add_repeated(CLI::App& app, const std::string& name, const std::string& help,
                  std::vector<T>& into, Read read) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [&into, read, name](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             const auto value = read(text);
             if (!value) throw CLI::ValidationError(name, "cannot read \"" + text + "\"");
             into.push_back(*value);
           }
         },
         help)
      ->allow_extra_args(false);
}

void add_duration(CLI::App& app, const std::string& name, const std::string& help,
                  std::chrono::microseconds& into) {
  app.add_option_function<std::string>(
      name,
      [&into, name](const std::string& text) {
        const auto value = read_duration(text);
        if (!value) throw CLI::ValidationError(name, "not a length of time: \"" + text + "\"");
        into = *value;
      },
      help);
}

void add_access(CLI::App& app, Options& options) {
  app.add_option("--token", options.token, "The bearer that is let in; empty: everybody is")
      ->capture_default_str();
  app.add_option("--client-id", options.client_id, "Of POST /oauth2/token")->capture_default_str();
  app.add_option("--client-secret", options.client_secret, "Of POST /oauth2/token")
      ->capture_default_str();
  app.add_option_function<int>(
         "--token-lifetime",
         [&options](int value) { options.token_lifetime = std::chrono::seconds(value); },
         "Seconds that a granted token is good for (3600)")
      ->check(CLI::PositiveNumber);
  app.add_option("--token-header", options.token_header,
                 "A header that may carry the bare token, e.g. X-Api-Key");
  app.add_option("--user", options.user, "Basic authentication is let in too");
  app.add_option("--password", options.password, "Basic authentication");
}

void add_lives(CLI::App& app, Options& options) {
  app.add_option("--seed", options.seed, "Decides who answers what")->capture_default_str();
  app.add_option("--speed", options.lives_speed,
                 "How many times faster than life customers live (86400: a day a second; 0: still)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--second-feedback", options.second_feedback,
                 "Share of those who finished that is asked once more")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  add_repeated(app, "--column", "A data column, ID:NAME[!][~][:DISPLAY NAME]", options.columns,
               read_column);
}

void add_behaviour(CLI::App& app, Options& options) {
  app.add_option("--rate", options.requests_per_second, "Requests a second (0: no limit)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--burst", options.burst, "How many of --rate may come at once")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_repeated(app, "--limit",
               "[read:|write:]bucket:20/s[:burst=40] | minute:600 | day:10000 | sliding:100/10s | "
               "concurrent:4",
               options.limits, read_limit);
  app.add_option("--customers-per-add", options.customers_per_add, "More are refused")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--ignore", options.ignored, "A parameter that has no effect")
      ->allow_extra_args(false);
  app.add_flag("--strict,!--lenient", options.strict,
               "Unknown members and parameters are refused (default), or ignored");
}

void add_durations(CLI::App& app, Options& options) {
  add_duration(app, "--visible-after", "New customers are listed only so much later, e.g. 30s",
               options.visible_after);
  add_duration(app, "--cursor-lifetime", "A cursor expires after so long; 0s: never",
               options.paging.cursor_lifetime);
  add_duration(app, "--latency", "Each answer takes so long, e.g. 50ms", options.latency);
}

// The variants of a deployment that docs/SERVICE.md names, one flag each.
void add_variants(CLI::App& app, Options& options) {
  for (const Variant& variant : variants()) {
    std::vector<std::string> values;
    for (const Choice& choice : variant.choices)
      values.emplace_back(choice.value);
    app.add_option_function<std::string>(
           std::string(variant.flag),
           [&](const std::string& value) {
             for (const Choice& choice : variant.choices) {
               if (choice.value == value) choice.set(options);
             }
           },
           std::string(variant.help) + " [" + values.front() + "]")
        ->check(CLI::IsMember(values))
        ->group("Variants");
  }
  for (const Switch& one : switches()) {
    app.add_flag_function(
           std::string(one.flag), [&](std::int64_t) { one.set(options); }, std::string(one.help))
        ->group("Variants");
  }
}

void add_numbers(CLI::App& app, Options& options) {
  app.add_option("--date-digits", options.style.dates.digits,
                 "Digits of a date's fraction, 0 to 9; -1: as many as needed")
      ->check(CLI::Range(-1, 9))
      ->group("Variants");
  app.add_option_function<int>(
         "--date-offset",
         [&](int minutes) { options.style.dates.offset = std::chrono::minutes(minutes); },
         "Minutes east of UTC that --date-zone offset and none write")
      ->check(CLI::Range(-840, 840))
      ->group("Variants");
  app.add_option("--shift", options.paging.shifted, "So many rows of a page come again on the next")
      ->check(CLI::Range(0, 99))
      ->group("Variants");
  app.add_option("--expired-status", options.paging.expired_status, "Answer to an expired cursor")
      ->check(CLI::IsMember({400, 404, 410}))
      ->group("Variants");
  app.add_option("--largest-body", options.largest_body, "Bytes of a request; above them 413")
      ->group("Variants");
  app.add_option("--chaos", options.chaos, "Share of requests that are lost, cut or fail")
      ->check(CLI::Range(0.0, 1.0))
      ->group("Variants");
}

void add_texts(CLI::App& app, Options& options) {
  const auto text = [&](const std::string& name, std::string& into, const std::string& help) {
    app.add_option(name, into, help)->capture_default_str()->group("Variants");
  };
  text("--json-type", options.style.json_type, "Content-Type of JSON");
  text("--xml-type", options.style.xml_type, "Content-Type of XML");
  text("--xml-namespace", options.style.xml.namespace_uri, "Namespace of answers; empty: none");
  text("--xml-prefix", options.style.xml.prefix, "Prefix of their elements; empty: none");
  text("--xml-expect-namespace", options.style.xml.expected_namespace,
       "Namespace of requests; empty: any");
  app.add_option_function<std::vector<std::string>>(
         "--dialect",
         [&](const std::vector<std::string>& texts) {
           for (const std::string& one : texts) {
             if (!set_dialect(options, one)) {
               throw CLI::ValidationError("--dialect", "cannot read \"" + one + "\"");
             }
           }
         },
         "members=dot|bracket, lists=repeat|index|comma, from=NAME, to=NAME, data-column=NAME, "
         "data-value=NAME, answer-question=NAME, answer-positions=NAME")
      ->allow_extra_args(false)
      ->group("Variants");
}

}  // namespace

std::optional<Flags> read_flags(int argc, const char* const* argv, int& exit) {
  Flags flags;
  CLI::App app(kAbout, "surveysandbox");
  app.footer(kExamples);
  app.add_option("--port", flags.port, "Port on 127.0.0.1; 0: any free one")->capture_default_str();
  add_access(app, flags.options);
  add_lives(app, flags.options);
  add_behaviour(app, flags.options);
  add_durations(app, flags.options);
  add_variants(app, flags.options);
  add_numbers(app, flags.options);
  add_texts(app, flags.options);
  add_repeated(app, "--fault",
               "before|after:reset|cut|hang|html|STATUS[:PATH[:TIMES]], e.g. "
               "after:reset:customer/add:3",
               flags.faults, read_fault);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    exit = app.exit(error) == 0 ? 0 : 2;
    return std::nullopt;
  }
  return flags;
}

}  // namespace sandbox
