#include "tests/tolerance/line.hpp"

#include <fmt/format.h>

namespace tolerance {

namespace service = surveybridge::service;

namespace {

std::string orders_amiss(const Kept& kept) {
  if (kept.held.size() != kOrders) return fmt::format("the service holds {}", kept.held.size());
  for (const auto& [order, times] : kept.held)
    if (times != 1) return fmt::format("{} is held {} times", order, times);
  if (kept.states != std::map<std::string, int>{{"sent", kOrders}}) return "not all are sent";
  return "";
}

}  // namespace

std::string judge_same(const Kept& kept, const Plain& plain, Format format) {
  if (auto amiss = orders_amiss(kept); !amiss.empty()) return amiss;
  for (const auto& [table, rows] : plain.in(format).tables)
    if (kept.tables.at(table) != rows) return table + " differs";
  return "";
}

std::string judge_whole(const Kept& kept, const Plain& plain, Format format) {
  if (auto amiss = orders_amiss(kept); !amiss.empty()) return amiss;
  for (const char* table : {"survey_customer", "survey_customer_data", "survey_status"})
    if (kept.tables.at(table).size() != plain.in(format).tables.at(table).size())
      return std::string(table) + " has more or fewer rows";
  return "";
}

std::function<std::string(const Kept&, const Plain&, Format)> judge_said(std::string text) {
  return [text = std::move(text)](const Kept& kept, const Plain& plain, Format format) {
    const std::string amiss = judge_whole(kept, plain, format);
    return amiss.empty() && !kept.said(text) ? "nothing was said" : amiss;
  };
}

Line json_only(Line line) {
  line.xml = false;
  return line;
}

std::vector<Section> sections() {
  return {{"Query strings", query_lines()},
          {"Paths and credentials", access_lines()},
          {"Reading answers", reading_lines()},
          {"Error bodies", error_lines()},
          {"Paging", paging_lines()},
          {"Too many requests", throttle_lines()},
          {"What became of a POST", post_lines()}};
}

in_process::OnExchange answers_changed(std::function<void(service::Response&)> change) {
  return [change = std::move(change)](const service::Request& request, const auto& send) {
    service::Exchange exchange = send();
    auto* response = std::get_if<service::Response>(&exchange);
    if (response != nullptr && request.method == "GET") change(*response);
    return exchange;
  };
}

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  for (auto at = text.find(old); at != text.npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
  return text;
}

void control(sandbox::Service& service, const std::string& path) {
  service.handle({"POST", "/sandbox/" + path, {{"Content-Type", "application/json"}}, "{}"});
}

}  // namespace tolerance
