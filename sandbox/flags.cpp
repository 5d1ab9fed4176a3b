#include "sandbox/flags.hpp"

#include <CLI/CLI.hpp>

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
  surveysandbox --column 7:OrderNumber! --column 8:FirstName
                                                own data columns; ! marks a required one

  curl -H 'Authorization: Bearer sandbox-token' $URL/external/api/v3/customer
  curl -d grant_type=client_credentials -d client_id=sandbox \
       -d client_secret=sandbox-secret $URL/oauth2/token

While it runs, without a token:
  GET  /sandbox/customers                       what it holds
  GET  /sandbox/state                           its time, requests and adds so far
  POST /sandbox/fault   {"fault":"after:reset:customer/add:3"}
                                                three adds are stored, their answers lost
  POST /sandbox/clock   {"advance":"3d"}
  POST /sandbox/cursors                         cursors given so far expire
  POST /sandbox/revoke                          granted tokens end
  POST /sandbox/forget                          waiting faults are dropped

A fault is before|after:reset|cut|hang|html|STATUS[:PATH[:TIMES]].
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

void add_service(CLI::App& app, Options& options) {
  app.add_option("--token", options.token, "The bearer that is let in; empty: everybody is")
      ->capture_default_str();
  app.add_option("--speed", options.lives_speed,
                 "How many times faster than life customers live (86400: a day a second; 0: still)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_repeated(app, "--column", "A data column, ID:NAME[!][~][:DISPLAY NAME]", options.columns,
               read_column);
  add_repeated(app, "--limit",
               "[read:|write:]bucket:20/s[:burst=40] | minute:600 | day:10000 | sliding:100/10s | "
               "concurrent:4",
               options.limits, read_limit);
  app.add_option("--ignore", options.ignored, "A parameter that has no effect")
      ->allow_extra_args(false);
  app.add_flag_function(
      "--lenient", [&options](std::int64_t) { options.strict = false; },
      "Unknown parameters are ignored, not refused");
  add_duration(app, "--visible-after", "New customers are listed only so much later, e.g. 30s",
               options.visible_after);
  add_duration(app, "--latency", "Each answer takes so long, e.g. 50ms", options.latency);
}

void add_xml(CLI::App& app, XmlStyle& xml) {
  app.add_option("--xml-prefix", xml.prefix, "Prefix of the elements of answers; empty: none");
  app.add_option("--xml-expect-namespace", xml.expected_namespace,
                 "Namespace of requests; empty: any");
  app.add_flag("--xml-expect-order", xml.expect_alphabetical,
               "Requests whose members are not in the alphabet's order are refused");
}

}  // namespace

std::optional<Flags> read_flags(int argc, const char* const* argv, int& exit) {
  Flags flags;
  CLI::App app(kAbout, "surveysandbox");
  app.footer(kExamples);
  app.add_option("--port", flags.port, "Port on 127.0.0.1; 0: any free one")->capture_default_str();
  add_duration(app, "--behind",
               "Its clock begins so long ago, e.g. 90d; /sandbox/clock turns it on", flags.behind);
  add_service(app, flags.options);
  add_xml(app, flags.options.style.xml);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    exit = app.exit(error) == 0 ? 0 : 2;
    return std::nullopt;
  }
  return flags;
}

}  // namespace sandbox
