#include "connectors/service/api.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "config/service_list.hpp"
#include "config/text.hpp"
#include "mapping/interface/resource.hpp"

namespace surveybridge::service {

namespace {

mapping::Format format_of(const config::Service& settings) {
  return settings.format == config::Service::Format::json ? mapping::Format::json
                                                          : mapping::Format::xml;
}

// No request asks for a part, or for a list that is made later.
constexpr int kNotReady = 202, kPartialContent = 206;

// A list that a cache keeps for longer says nothing of what was added or changed meanwhile.
constexpr std::int64_t kOldest = 60;  // s

constexpr const char* kWithoutList = "got an answer without that list";

// So many items may be in any page.
constexpr std::size_t kPageItems = 10'000;

const char* media_type(mapping::Format format) {
  return format == mapping::Format::json ? "application/json" : "application/xml";
}

int status_of(const Exchange& exchange) {
  const auto* response = std::get_if<Response>(&exchange);
  return response == nullptr ? 0 : response->status;
}

// If no token could be fetched, the request was not sent.
Failure not_sent(const Trouble& trouble) {
  return {Failure::Kind::stopped, trouble.detail, 0};
}

// RFC 8288: <https://x.test/b>; rel="next". Any words may stand within the address.
bool has_next_link(const Response& response) {
  for (const auto& [name, value] : response.headers) {
    if (name != "link") continue;
    std::string parameter;
    bool in_address = false;
    for (const char c : config::lower_case(value) + ',') {
      if (c == '<' || c == '>') {
        in_address = c == '<';
      } else if (in_address) {
        continue;
      } else if (c != ';' && c != ',') {
        parameter += c == '"' ? ' ' : c;
      } else {
        parameter += ' ';
        const auto rel = parameter.find("rel=");
        const bool is_rel = rel != parameter.npos && rel == parameter.find_first_not_of(" \t");
        if (is_rel && (parameter.find(" next ") != parameter.npos ||
                       parameter.find("=next ") != parameter.npos))
          return true;
        parameter.clear();
      }
    }
  }
  return false;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// A header names the next page.
bool says_more_follows(const Response& response) {
  return has_next_link(response) || std::ranges::any_of(response.headers, [](const auto& header) {
           const auto& [name, value] = header;
           return is_one_of(name, {"x-next-cursor", "x-next-page", "x-next-page-token",
                                   "x-next-token", "x-has-more", "x-continuation-token",
                                   "x-ms-continuation", "opc-next-page"}) &&
                  !mapping::says_nothing(value);
         });
}

// The largest number of these headers; 0: none of them has one.
std::int64_t number_in(const Response& response, std::initializer_list<std::string_view> names) {
  std::int64_t most = 0;
  for (const auto& [name, value] : response.headers)
    if (is_one_of(name, names))
      most = std::max(most, config::to_number<std::int64_t>(value).value_or(0));
  return most;
}

void add_totals(const Response& response, mapping::Page& page) {
  page.total = std::max(page.total, number_in(response, {"x-total-count", "x-total", "total-count",
                                                         "x-total-results", "x-total-items"}));
  page.pages = std::max(page.pages, number_in(response, {"x-total-pages", "x-page-count"}));
}

// RFC 9111: for how long a cache has kept the answer, or that it is stale. Empty: neither is said.
std::string why_old(const Response& response) {
  const auto age = number_in(response, {"age"});
  if (age > kOldest)
    return fmt::format(
        "the answer is {} seconds old (its header Age), more than {}: a cache stands"
        " before the service",
        age, kOldest);
  for (const auto& [name, value] : response.headers)
    if (name == "warning" &&
        (value.starts_with("110") || value.starts_with("111") || value.starts_with("112")))
      return "the answer is stale (its header Warning): a cache stands before the service";
  return "";
}

Trouble malformed(const Response& response, std::string detail) {
  return {Trouble::Kind::malformed, response.status, std::nullopt, std::move(detail)};
}

// The first page of a list that has no other, and says that there is more than it shows. A service
// that counts pages, and knows no cursor, lists so.
std::optional<Trouble> not_all(const mapping::Page& page) {
  const auto items = static_cast<std::int64_t>(page.records.size() + page.unreadable.size());
  if (!page.next_cursor.empty() || (page.total <= items && page.pages <= 1)) return std::nullopt;
  const std::string said = page.total > items ? fmt::format("{} of {} items", items, page.total)
                                              : fmt::format("1 of {} pages", page.pages);
  return Trouble{Trouble::Kind::malformed, 200, std::nullopt,
                 fmt::format("the answer says that it {}: it has {}, and there is no cursor",
                             mapping::kNotWhole, said)};
}

}  // namespace

const ListOperation& operation_of(config::Pull::List list) {
  static const auto all = [] {
    std::map<config::Pull::List, ListOperation> operations;
    for (const auto& each : config::service_lists()) {
      const auto& item = mapping::root_resource(each.resource);
      operations.emplace(each.list, ListOperation{each.path, each.array, item});
    }
    return operations;
  }();
  return all.at(list);
}

const ListOperation& customers() {
  return operation_of(config::Pull::List::customers);
}

Trouble without_list(const ListOperation& list, const std::string& more) {
  return {Trouble::Kind::malformed, 200, std::nullopt,
          fmt::format("expected an object with \"{}\", {}{}", list.array, kWithoutList, more)};
}

bool is_without_list(const Trouble& trouble) {
  return trouble.kind == Trouble::Kind::malformed &&
         trouble.detail.find(kWithoutList) != std::string::npos;
}

bool is_not_whole(const Trouble& trouble) {
  return trouble.kind == Trouble::Kind::malformed &&
         trouble.detail.find(mapping::kNotWhole) != std::string::npos;
}

// One request with the present credentials; once more with new ones after a 401. If no token can be
// fetched, the reason is in `token_trouble_`.
Exchange Api::exchange(Request request, mapping::Instant now) {
  const auto bare = request.headers;
  for (int attempt = 0;; ++attempt) {
    auto header = credentials_.header(transport_, now);
    if (const auto* trouble = std::get_if<Trouble>(&header)) {
      token_trouble_ = *trouble;
      return not_sent(*trouble);
    }
    const auto& used = std::get<std::optional<Header>>(header);
    request.headers = bare;
    if (used) request.headers.push_back(*used);
    Exchange answer = transport_.send(request);
    if (status_of(answer) == 401 && attempt == 0 && credentials_.refused(used)) continue;
    if (auto* response = std::get_if<Response>(&answer)) credentials_.hide(used, *response);
    return answer;
  }
}

std::string Api::body_of(const mapping::Record& batch) const {
  const auto& dialect = settings_.dialect;
  return mapping::write(batch, format_of(settings_),
                        {dialect.xml_namespace, dialect.xml_list_namespace});
}

AddOutcome Api::add(const mapping::Record& batch, mapping::Instant now,
                    std::function<bool()> may_start) {
  Request request{"POST", settings_.base_url + "/external/api/v3/customer/add",
                  {},     {},
                  true,   std::move(may_start)};
  request.headers.emplace_back("Content-Type", media_type(format_of(settings_)));
  request.headers.emplace_back("Accept", media_type(format_of(settings_)));
  request.body = body_of(batch);
  token_trouble_.reset();
  const Exchange answer = exchange(std::move(request), now);
  if (token_trouble_) return NotSent{*token_trouble_};
  return classify_add(answer, now, settings_.base_url);
}

Request Api::get(const std::string& path_and_query, mapping::Format format) const {
  Request request{"GET", settings_.base_url + path_and_query, {}, {}, false, {}};
  request.headers.emplace_back("Accept", media_type(format));
  request.headers.emplace_back("Cache-Control", "no-cache");
  return request;
}

std::variant<mapping::Page, Trouble> Api::read(const std::string& path_and_query,
                                               std::string_view array,
                                               const mapping::Resource& item, mapping::Instant now,
                                               std::size_t items,
                                               std::optional<mapping::Format> format) {
  token_trouble_.reset();
  Exchange raw = exchange(get(path_and_query, format.value_or(format_of(settings_))), now);
  if (token_trouble_) return *token_trouble_;
  auto answer = classify_read(std::move(raw), now);
  if (auto* trouble = std::get_if<Trouble>(&answer)) return std::move(*trouble);
  const auto& response = std::get<Response>(answer);
  if (response.status == kPartialContent)
    return Trouble{Trouble::Kind::malformed, response.status, std::nullopt,
                   fmt::format("HTTP 206: the answer says that it {}", mapping::kNotWhole)};
  if (response.status == kNotReady)
    return malformed(response, "HTTP 202: the list is not ready, or something asks for a browser");
  if (auto old = why_old(response); !old.empty()) return malformed(response, std::move(old));
  mapping::Reading reading{settings_.time_zone, {}};
  reading.names = &settings_.enumerations;
  reading.limits.bytes = static_cast<std::size_t>(settings_.max_body);
  reading.limits.page = items;
  // Reference data is read whole or not at all.
  reading.set_aside = &item != &mapping::data_column() && &item != &mapping::status();
  auto page =
      mapping::read_page(response.body, response.header("content-type"), array, item, reading);
  if (const auto* malformed = std::get_if<mapping::Malformed>(&page)) {
    const std::string where = malformed->place.empty() ? "" : malformed->place + ": ";
    return Trouble{Trouble::Kind::malformed, response.status, std::nullopt,
                   where + malformed->rule};
  }
  auto& read = std::get<mapping::Page>(page);
  if (read.next_cursor.empty() && says_more_follows(response))
    return malformed(response,
                     fmt::format("the answer says that it {}: a header names the next page, and "
                                 "there is no cursor",
                                 mapping::kNotWhole));
  add_totals(response, read);
  return std::move(read);
}

std::variant<mapping::Page, Trouble> Api::page(const ListOperation& list,
                                               std::vector<Parameter> filters,
                                               const std::string& cursor, int limit,
                                               mapping::Instant now,
                                               std::optional<mapping::Format> format, Bare bare) {
  filters.push_back({"Cursor", cursor});
  filters.push_back({"Limit", std::to_string(limit)});
  const std::string query = write_query(filters, settings_.dialect, settings_.time_zone);
  const std::size_t items =
      std::max<std::size_t>(kPageItems, 100 * static_cast<std::size_t>(limit));
  auto answer =
      read(std::string(list.path) + "?" + query, list.array, list.item, now, items, format);
  const auto* page = std::get_if<mapping::Page>(&answer);
  if (page != nullptr && cursor.empty())
    if (auto trouble = not_all(*page)) return *std::move(trouble);
  if (page == nullptr || !page->bare || bare == Bare::taken) return answer;
  return without_list(list);
}

std::variant<std::vector<mapping::Record>, Trouble> Api::data_columns(mapping::Instant now) {
  auto page = read(settings_.dialect.columns_path, "CustomerDataColumns", mapping::data_column(),
                   now, kPageItems);
  if (auto* trouble = std::get_if<Trouble>(&page)) return std::move(*trouble);
  return std::get<mapping::Page>(std::move(page)).records;
}

std::variant<std::vector<mapping::Record>, Trouble> Api::statuses(mapping::Instant now) {
  auto page = read(settings_.dialect.statuses_path, "Statuses", mapping::status(), now, kPageItems);
  if (auto* trouble = std::get_if<Trouble>(&page)) return std::move(*trouble);
  return std::get<mapping::Page>(std::move(page)).records;
}

}  // namespace surveybridge::service
