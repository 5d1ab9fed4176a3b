// [service], [service.pace], [service.dialect], [service.enumerations]: where the service is, how
// requests are written, and which names its numbers have.
#include <algorithm>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kGiB = 1024 * 1024 * 1024;

Kind<Pace> pace_section() {
  return section<Pace>({
      key("max_in_flight", &Pace::max_in_flight, integer(1, 64),
          "how many requests may be on their way at once"),
      key("max_per_second", &Pace::max_per_second, rate(1000),
          "how many requests may start in a second"),
      key("separate_limits", &Pace::separate_limits, flag(),
          "the service limits reading and writing apart; else both share one limit"),
  });
}

Kind<ServiceDialect> dialect_section() {
  using Members = ServiceDialect::Members;
  using Lists = ServiceDialect::Lists;
  using Dates = ServiceDialect::Dates;
  return section<ServiceDialect>({
      key("members", &ServiceDialect::members,
          choice<Members>({{"dot", Members::dot}, {"bracket", Members::bracket}}),
          "how a member of a filter is written: Filter.From or Filter[From]"),
      key("from", &ServiceDialect::from, name("a member's name"),
          "the member for a filter's first date"),
      key("to", &ServiceDialect::to, name("a member's name"),
          "the member for a filter's last date"),
      key("lists", &ServiceDialect::lists,
          choice<Lists>(
              {{"repeat", Lists::repeat}, {"indexed", Lists::indexed}, {"comma", Lists::comma}}),
          "how a list is written: a=1&a=2, a[0]=1&a[1]=2 or a=1,2"),
      key("dates", &ServiceDialect::dates,
          choice<Dates>({{"utc", Dates::utc}, {"offset", Dates::offset}, {"date", Dates::date}}),
          "how a date is written: in UTC, with the zone's offset, or the day only"),
      key("data_filter_column", &ServiceDialect::data_filter_column, name("a member's name"),
          "the member of a data filter that holds the column's number"),
      key("data_filter_value", &ServiceDialect::data_filter_value, name("a member's name"),
          "the member of a data filter that holds the value"),
      key("query_bytes", &ServiceDialect::query_bytes, integer(200, 65536),
          "the longest query string; longer lists go out in several requests"),
      key("xml_namespace", &ServiceDialect::xml_namespace, name("a namespace"),
          "of the elements that are written in XML; else none"),
      key("xml_list_namespace", &ServiceDialect::xml_list_namespace, name("a namespace"),
          "of the items of a list of numbers; else as all others"),
      key("statuses_path", &ServiceDialect::statuses_path, url_path(), "where statuses are listed"),
      key("columns_path", &ServiceDialect::columns_path, url_path(),
          "where data columns are listed"),
  });
}

// A number as the service writes it: no plus sign, no zeros before it.
std::optional<std::int64_t> number_of(const std::string& text) {
  const auto number = to_number<std::int64_t>(text);
  return number && std::to_string(*number) == text ? number : std::nullopt;
}

using NamesOfField = std::pair<std::string, NumberNames>;

Kind<NamesOfField> names_of(const std::string& field) {
  const std::string type = "a table: number = \"name\"";
  const auto text = name("a name");
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<NamesOfField> {
    const auto* table = content<Node::Table>(node, trail, type);
    if (table == nullptr) return std::nullopt;
    NamesOfField names{field, {}};
    for (const Entry& entry : *table) {
      const Trail at = trail.key(entry.key);
      const auto number = number_of(entry.key);
      if (!number) at.wrong(entry.place, "must be a whole number of 64 bits");
      const auto its = text.read(entry.node, at);
      if (!number || !its) continue;
      const auto same = std::ranges::find(names.second, *its, &NumberNames::value_type::second);
      if (same != names.second.end())
        at.wrong(entry.node.place, "is the name of " + std::to_string(same->first) + ", too");
      names.second.emplace(*number, *its);
    }
    return names;
  };
  return {type, read, {}, {}, Form::table, R"({"type":"object"})"};
}

void store_names(EnumerationNames& all, NamesOfField names) {
  all.insert(std::move(names));
}

Kind<EnumerationNames> enumerations_section() {
  const auto names = [](const std::string& field) {
    return key(field, store_names, names_of(field), "the names of its numbers");
  };
  return section<EnumerationNames>(
      {names("FormStatus"), names("ReviewStatus"), names("Sentiment"), names("Type")});
}

// The one proves nothing without the other.
void check_client(const Node::Table& table, const TextPlace&, const Trail& trail, Service&) {
  const std::pair<std::string, std::string> keys{"client_certificate", "client_key"};
  for (const auto& [one, other] : {keys, std::pair{keys.second, keys.first}}) {
    const Entry* entry = find(table, one);
    if (entry != nullptr && find(table, other) == nullptr)
      trail.key(one).wrong(entry->place, "needs " + other + " beside it");
  }
}

}  // namespace

Kind<Service> service_section() {
  using Format = Service::Format;
  return section<Service>(
      {
          required(key("base_url", &Service::base_url, base_url(),
                       "the service's address; https, or http to this machine")),
          key("format", &Service::format,
              choice<Format>({{"json", Format::json}, {"xml", Format::xml}}),
              "what requests and answers are written in"),
          key("time_zone", &Service::time_zone, zone(),
              "for the service's dates without an offset"),
          key("timeout", &Service::timeout, duration(1s, 10min), "how long one request may take"),
          key("max_body", &Service::max_body, bytes(1024, kGiB),
              "the largest answer read, in bytes"),
          key("ca_file", &Service::ca_file, absolute_path(),
              "the certificate authority to trust instead of the system's"),
          key("client_certificate", &Service::client_certificate, secret(),
              "our certificate in PEM, with its chain, for a service that asks for one"),
          key("client_key", &Service::client_key, secret(),
              "its private key, in PEM and without a password"),
          key("auth", &Service::auth, auth_section(), "who we are to the service"),
          key("pace", &Service::pace, pace_section(), "how fast requests may go"),
          key("dialect", &Service::dialect, dialect_section(), "what the interface leaves open"),
          key("enumerations", &Service::enumerations, enumerations_section(),
              "which name belongs to which number"),
      },
      check_client);
}

}  // namespace surveybridge::config
