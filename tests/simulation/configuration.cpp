#include "tests/simulation/configuration.hpp"

#include <fmt/format.h>

namespace simulation {

namespace {

std::string suppress(const Drawn& drawn, Broken broken) {
  std::string text;
  if (drawn.contact && broken != Broken::contact_one_by_one)
    text +=
        fmt::format("contact = {{ days = 90, then = \"{}\" }}\n", drawn.delay ? "delay" : "block");
  if (drawn.opted_out && broken != Broken::mail_the_opted_out) text += "opted_out = true\n";
  return text.empty() ? "" : "[suppress]\n" + text;
}

// What follows [pull.customers].
std::string more_lists(const Drawn& drawn) {
  std::string text;
  if (drawn.keep) text += "keep = \"1d\"\n";
  if (drawn.walks) {
    text +=
        "[pull.customers.filter]\nIncludeNotes = true\n"
        "[[pull.customers.walk]]\nname = \"again\"\nby = \"TransactionDate\"\nevery = \"1h\"\n"
        "overlap = \"3650d\"\nfilter = { Statuses = [1, 2, 3, 4, 5] }\n";
  }
  if (drawn.write_back) {
    text +=
        "[[pull.customers.write]]\ntable = \"orders\"\nmatch = { id = \"Data[OrderNumber]\" }\n"
        "set = { survey_status = \"Status.StatusName\" }\n";
  }
  if (drawn.lists) {
    text +=
        "[pull.ratings]\nevery = \"30m\"\nfrom = 2026-11-01\nlimit = 3\n"
        "[pull.bouncers]\nevery = \"30m\"\nlook_back = \"3650d\"\nlimit = 3\n";
  }
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
  return is_about_pages(broken) ? 2 : 7;
}

}  // namespace

std::string configuration(const Drawn& drawn, Broken broken) {
  return fmt::format(R"(
[service]
base_url = "http://127.0.0.1:1"
[service.auth]
kind = "none"
[service.pace]
max_per_second = {}
[crm]
connection = "sqlite3:///unused"
[push.orders]
brake = {}
every = "{}s"
query = "SELECT {} FROM {}"
key = "id"
when = "delivered_at"
start = 2026-11-01
look_back = "{}"
correlate = "OrderNumber"
settle = "{}"
doubt = "{}"
in_flight = {}
[push.orders.batch]
size = {}
ApproveAutomatically = true
[push.orders.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.orders.customer.Data]
OrderNumber = "id"
FirstName = "first_name"
[pull.customers]
every = "30m"
from = 2026-11-01
by = "LastActivityDate"
overlap = "{}"
limit = {}
{}{}
)",
                     drawn.per_second, drawn.brake, drawn.every_seconds,
                     drawn.column_order ? "*" : "id, email, first_name, delivered_at",
                     drawn.column_order ? "shown" : "orders",
                     broken == Broken::high_water_mark ? "1h" : "2d",
                     broken == Broken::no_settle ? "1s" : "30m", drawn.resend ? "resend" : "hold",
                     drawn.in_flight, drawn.batch_size, overlap_of(broken), limit_of(broken),
                     more_lists(drawn), suppress(drawn, broken));
}

in_process::Beside beside(const Drawn& drawn) {
  if (drawn.in_flight > 1) return in_process::Beside::ends_sometime;
  return drawn.fetch_ahead ? in_process::Beside::ends_at_once : in_process::Beside::nothing;
}

sandbox::Options options_of(const Drawn& drawn) {
  sandbox::Options options;
  options.token.clear();
  options.lives_speed = drawn.lives_speed;
  options.seed = drawn.service_seed;
  options.visible_after = drawn.visible_after;
  options.paging.by_offset = drawn.offset_paging;
  options.paging.gaps = drawn.late_ends;
  options.style.null_lists = drawn.null_lists;
  return options;
}

}  // namespace simulation
