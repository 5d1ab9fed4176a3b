#include "sandbox/page.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

namespace sandbox {
namespace {

constexpr std::size_t kRows = 100;

constexpr std::string_view kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}"
    "table{border-collapse:collapse;width:100%;margin-bottom:2em}"
    "th,td{text-align:left;padding:.25em .75em .25em 0;border-bottom:1px solid #ddd;"
    "overflow-wrap:anywhere}th{color:#555;font-weight:600}";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string shown(const Instant& instant) {
  return instant ? write_date(*instant, {0, DateStyle::Zone::z, {}}) : "";
}

std::string_view name_of(Step step) {
  constexpr std::string_view kNames[] = {
      "imported",        "approved",        "locked",
      "invited",         "bounced",         "reminded",
      "opened",          "partly answered", "reminded of the rest",
      "finished",        "opted out",       "contact taken up",
      "contact overdue", "contact settled", "review approved",
      "review rejected", "reacted to",      "asked once more",
      "closed"};
  return kNames[static_cast<std::size_t>(step)];
}

// A row of a table; the cells are HTML already.
std::string row(const std::vector<std::string>& cells, std::string_view tag = "td") {
  std::string out = "<tr>";
  for (const std::string& cell : cells)
    out += fmt::format("<{0}>{1}</{0}>", tag, cell);
  return out + "</tr>\n";
}

std::string data_text(const Customer& customer) {
  std::string out;
  for (const DataValue& data : customer.in.data) {
    out +=
        fmt::format("{}{} = {}", out.empty() ? "" : ", ", data.name, data.value.value_or("null"));
  }
  return escaped(out);
}

std::string batch_rows(const Store& store) {
  std::map<std::size_t, std::size_t> sizes;
  for (const Customer& customer : store.customers())
    ++sizes[customer.batch];
  std::string out;
  const auto& batches = store.batches();
  for (std::size_t at = batches.size(); at > 0 && at + kRows > batches.size(); --at) {
    const Batch& batch = batches[at - 1];
    const std::string kind = fmt::format("{}{}", batch.portal ? "portal" : "email",
                                         batch.concept_only ? ", concept"
                                         : batch.test       ? ", test"
                                                            : "");
    out += row({std::to_string(batch.id), escaped(batch.name), kind, shown(batch.created),
                batch.approved ? shown(batch.approved) : "waits for an operator",
                std::to_string(sizes[at - 1])});
  }
  return out;
}

std::string status_rows(const Store& store, TimePoint now) {
  std::map<Status, std::size_t> counts;
  for (const Customer& customer : store.customers())
    ++counts[customer.life.status(now)];
  std::string out;
  for (const auto& [status, count] : counts) {
    out += row({std::string(status_name(status)), std::to_string(count)});
  }
  return out;
}

std::string customer_rows(const std::vector<const Customer*>& customers, TimePoint now) {
  std::string out;
  for (const Customer* customer : customers) {
    out += row({fmt::format("<a href=\"/?customer={0}\">{0}</a>", customer->id),
                escaped(customer->in.email.value_or("")),
                std::string(status_name(customer->life.status(now))),
                shown(customer->life.last_activity(now)), data_text(*customer)});
  }
  return out;
}

std::string table(const std::vector<std::string>& head, const std::string& rows) {
  return "<table>\n" + row(head, "th") + rows + "</table>\n";
}

std::string overview(const Store& store, std::int64_t after, TimePoint now) {
  const auto customers = store.page({}, after, kRows, [](const Customer&) { return true; });
  std::string out =
      "<h2>Customers by status</h2>\n" + table({"Status", "Customers"}, status_rows(store, now)) +
      "<h2>Batches</h2>\n" +
      table({"Id", "Name", "Kind", "Created", "Approved", "Customers"}, batch_rows(store)) +
      "<h2>Customers</h2>\n" +
      table({"Id", "Email", "Status", "Last activity", "Data"}, customer_rows(customers, now));
  if (customers.size() == kRows) {
    out += fmt::format("<p><a href=\"/?after={}\">More</a></p>\n", customers.back()->id);
  }
  return out;
}

std::string life_of(const Store& store, const Customer& customer, TimePoint now) {
  std::string events;
  for (const Event& event : customer.life.events) {
    if (event.at > now) break;
    events += row({shown(event.at), std::string(name_of(event.step)),
                   std::string(status_name(event.status))});
  }
  const Batch& batch = store.batch_of(customer);
  return fmt::format("<h2>Customer {}</h2>\n", customer.id) +
         table({"Field", "Value"},
               row({"Email", escaped(customer.in.email.value_or(""))}) +
                   row({"Transaction date", shown(customer.in.transaction_date)}) +
                   row({"Invitation due", shown(customer.life.scheduled)}) +
                   row({"Batch", fmt::format("{} {}", batch.id, escaped(batch.name))}) +
                   row({"Data", data_text(customer)})) +
         "<h2>Life so far</h2>\n" + table({"When", "What", "Status"}, events) +
         "<p><a href=\"/\">All customers</a></p>\n";
}

std::int64_t number_of(const Target& target, std::string_view name) {
  std::int64_t value = 0;
  for (const Parameter& parameter : target.query) {
    const std::string& text = parameter.value;
    if (parameter.name == name) std::from_chars(text.data(), text.data() + text.size(), value);
  }
  return value;
}

}  // namespace

Reply show_page(const Store& store, const Target& target, TimePoint now) {
  const Customer* one = store.find(number_of(target, "customer"));
  const std::string content =
      one != nullptr ? life_of(store, *one, now) : overview(store, number_of(target, "after"), now);
  Reply reply;
  reply.headers = {{"Content-Type", "text/html; charset=utf-8"},
                   {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"}};
  reply.body = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<title>surveysandbox</title><style>{}</style></head><body>\n"
      "<h1>surveysandbox</h1>\n<p>The time here is {}. {} customers in {} batches.</p>\n{}"
      "</body></html>\n",
      kStyle, shown(now), store.customers().size(), store.batches().size(), content);
  return reply;
}

}  // namespace sandbox
