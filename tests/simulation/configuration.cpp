#include "tests/simulation/configuration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace simulation {

namespace {

// Receivers.
constexpr const char *kTeam = "team", *kDesk = "desk";

std::string suppress(const Drawn& drawn, Broken broken) {
  std::string text;
  if (drawn.contact && broken != Broken::contact_one_by_one)
    text += fmt::format("contact = {{ days = 90, then = \"{}\" }}\n",
                        drawn.has(Extra::delay) ? "delay" : "block");
  if (drawn.opted_out && broken != Broken::mail_the_opted_out) text += "opted_out = true\n";
  if (drawn.has(Extra::own_list)) text += "query = \"SELECT who FROM blocked\"\ncolumn = \"who\"\n";
  if (drawn.has(Extra::bounces)) text += fmt::format("bounced = {{ soft = {} }}\n", kSoftMax);
  if (drawn.has(Extra::named_list))
    text += fmt::format(
        "[suppress.lists.partners]\nquery = \"SELECT who FROM partners\"\nfor = [\"{}\"]\n",
        kOrders.name);
  return text.empty() ? "" : "[suppress]\n" + text;
}

// The CRM's clock: it shows midnight while the faults happen.
const char* zone_of(const Drawn& drawn) {
  const bool counts_days = drawn.has(Extra::quota) || drawn.has(Extra::closed_days);
  return counts_days ? "time_zone = \"Atlantic/Azores\"\n" : "";
}

// What [push.NAME] has of who goes out, and when. The schedule begins on a Monday.
std::string who_goes(const Drawn& drawn, Broken broken, const Variant& variant) {
  std::string text;
  if (drawn.has(Extra::sample))
    text += fmt::format("sample = {}\nsample_by = \"{}\"\n", variant.sample,
                        drawn.sample_by_person ? "person" : "key");
  if (drawn.has(Extra::closed_days) && broken != Broken::mail_when_closed)
    text += drawn.closes_late ? "closed = [2026-11-10]\n" : "send_days = \"Tue-Sun\"\n";
  return text;
}

std::string quota(const Drawn& drawn, const PushNames& push) {
  if (!drawn.has(Extra::quota)) return "";
  return fmt::format("[push.{}.quota]\ncolumn = \"branch\"\nmost = {}\nper = \"day\"\n", push.name,
                     drawn.quota);
}

// What follows [pull.customers].
std::string more_lists(const Drawn& drawn) {
  std::string text;
  if (drawn.has(Extra::keep)) text += "keep = \"1d\"\n";
  if (drawn.has(Extra::walks)) {
    text +=
        "[pull.customers.filter]\nIncludeNotes = true\n"
        "[[pull.customers.walk]]\nname = \"again\"\nby = \"TransactionDate\"\nevery = \"1h\"\n"
        "overlap = \"3650d\"\nfilter = { Statuses = [1, 2, 3, 4, 5] }\n";
  }
  if (drawn.has(Extra::write_back)) {
    text +=
        "[[pull.customers.write]]\ntable = \"orders\"\nmatch = { id = \"Data[OrderNumber]\" }\n"
        "set = { survey_status = \"Status.StatusName\" }\n";
  }
  if (drawn.has(Extra::lists)) {
    text +=
        "[pull.ratings]\nevery = \"30m\"\nfrom = 2026-11-01\nlimit = 3\n"
        "[pull.bouncers]\nevery = \"30m\"\nlook_back = \"3650d\"\nlimit = 3\n";
  }
  return text;
}

std::string follow_ups(const Drawn& drawn) {
  const std::string calls = "{ IsContactRequested = true }";
  std::string text;
  for (const auto& [name, has_scores, to] : follow_ups_of(drawn)) {
    text += fmt::format("[pull.customers.follow_up.{}]\nto = [\"{}\"]\n", name,
                        fmt::join(to, "\", \""));
    text += has_scores ? fmt::format(
                             "when = [{{ \"Answers[{}].SelectedScalePositions[0].Value\" ="
                             " \"<= {}\" }}, {}]\n",
                             kScoreQuestion, drawn.score_limit, calls)
                       : "when = " + calls + "\n";
  }
  if (text.empty()) return "";
  for (const char* receiver : {kTeam, kDesk})
    text += fmt::format("[alert.{0}]\nwebhook = \"https://{0}.example.test/hook\"\nkinds = []\n",
                        receiver);
  return text;
}

bool is_about_pages(Broken broken) {
  return broken == Broken::cursor_before_page || broken == Broken::no_move_check ||
         broken == Broken::early_end;
}

// A record that is lost because a rule is broken must not be read again by the next window.
const char* overlap_of(Broken broken) {
  return is_about_pages(broken) ? "1m" : "1h";
}

// Records of a page.
int limit_of(Broken broken) {
  return is_about_pages(broken) || broken == Broken::no_fence ? 2 : 7;
}

std::string query_of(const Drawn& drawn, const PushNames& push, bool narrow) {
  std::string query = "SELECT ";
  query += drawn.has(Extra::column_order)
               ? "* FROM shown"
               : "id, email, first_name, delivered_at, branch FROM orders";
  if (!drawn.has(Extra::second_push) && !narrow) return query;
  query += push.name == kOrders.name ? " WHERE id NOT LIKE '9%'" : " WHERE id LIKE '9%'";
  if (narrow) query += " AND id NOT LIKE '%7'";
  return query;
}

std::string push_of(const Drawn& drawn, Broken broken, const Variant& variant,
                    const PushNames& push) {
  return fmt::format(
      R"(
[push.{}]
brake = {}
every = "{}s"
query = "{}"
key = "id"
when = "delivered_at"
start = 2026-11-01
look_back = "{}"
correlate = "{}"
settle = "{}"
doubt = "{}"
in_flight = {}
{}[push.{}.batch]
size = {}
ApproveAutomatically = true
[push.{}.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.{}.customer.Data]
{} = "id"
{} = "id"
FirstName = {}
{})",
      push.name, drawn.has(Extra::brake), drawn.every_seconds,
      query_of(drawn, push, variant.narrow), broken == Broken::high_water_mark ? "1h" : "2d",
      variant.other_correlate ? push.other : push.correlate,
      broken == Broken::no_settle ? "1s" : "30m", variant.resend ? "resend" : "hold",
      variant.in_flight, who_goes(drawn, broken, variant), push.name, variant.batch_size, push.name,
      push.name, push.correlate, push.other,
      drawn.has(Extra::skipped_rows) ? "{ column = \"first_name\", required = \"skip\" }"
                                     : "\"first_name\"",
      quota(drawn, push));
}

}  // namespace

std::vector<FollowUpNames> follow_ups_of(const Drawn& drawn) {
  if (!drawn.has(Extra::follow_ups)) return {};
  std::vector<FollowUpNames> all{{"unhappy", true, {kTeam, kDesk}}};
  if (drawn.tells_calls) all.push_back({"calls", false, {kDesk}});
  return all;
}

Variant variant_of(const Drawn& drawn) {
  Variant variant{drawn.batch_size, drawn.in_flight, drawn.resend};
  variant.sample = drawn.sample;
  return variant;
}

std::string configuration(const Drawn& drawn, Broken broken, const Variant& variant) {
  return fmt::format(R"(
[service]
base_url = "http://127.0.0.1:1"
[service.auth]
kind = "none"
[service.pace]
max_per_second = {}
[crm]
connection = "sqlite3:///unused"
{}{}{}
[pull.customers]
every = "30m"
from = 2026-11-01
by = "LastActivityDate"
overlap = "{}"
limit = {}
{}{}
)",
                     drawn.per_second, zone_of(drawn), push_of(drawn, broken, variant, kOrders),
                     drawn.has(Extra::second_push) ? push_of(drawn, broken, variant, kReturns) : "",
                     overlap_of(broken), limit_of(broken), more_lists(drawn) + follow_ups(drawn),
                     suppress(drawn, broken));
}

in_process::Beside beside(const Drawn& drawn) {
  if (drawn.in_flight > 1) return in_process::Beside::ends_sometime;
  return drawn.has(Extra::fetch_ahead) ? in_process::Beside::ends_at_once
                                       : in_process::Beside::nothing;
}

sandbox::Options options_of(const Drawn& drawn) {
  sandbox::Options options;
  options.token.clear();
  options.lives_speed = drawn.lives_speed;
  options.seed = drawn.service_seed;
  options.visible_after = drawn.visible_after;
  options.paging.by_offset = drawn.has(Extra::offset_paging);
  // A null list beside a cursor is no page: a service that writes them has no empty pages between.
  options.paging.gaps = drawn.has(Extra::late_ends) && !drawn.has(Extra::null_lists);
  options.style.null_lists = drawn.has(Extra::null_lists);
  if (drawn.has(Extra::cut_keys)) options.data_values = sandbox::Options::DataValues::cut;
  if (drawn.has(Extra::upper_keys)) options.data_values = sandbox::Options::DataValues::upper;
  options.undated = drawn.has(Extra::undated);
  return options;
}

}  // namespace simulation
