#include "tests/program/tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "config/sections/load.hpp"
#include "connectors/service/api.hpp"
#include "connectors/service/curl_transport.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/private_words.hpp"

namespace program {

namespace config = surveybridge::config;
namespace crm = surveybridge::crm;
namespace mapping = surveybridge::mapping;
namespace service = surveybridge::service;

namespace {

using Filters = std::vector<service::Parameter>;

std::vector<mapping::Record> all_of(service::Api& api, const service::ListOperation& list,
                                    const Filters& filters) {
  std::vector<mapping::Record> records;
  std::string cursor;
  do {
    auto page = std::get<mapping::Page>(api.page(list, filters, cursor, 100, {}));
    std::move(page.records.begin(), page.records.end(), std::back_inserter(records));
    cursor = page.next_cursor;
  } while (!cursor.empty());
  return records;
}

// The position of changed_at, which is ours and last in a root table; else how many there are.
std::size_t listed_columns(const mapping::Table& table) {
  const bool root = table.columns.back().name == "changed_at";
  return table.columns.size() - (root ? 1 : 0);
}

ListedTable listed(const mapping::TableRows& from) {
  const std::size_t width = listed_columns(*from.table);
  ListedTable table{from.table->name, {}, {}};
  for (std::size_t i = 0; i < width; ++i)
    table.columns.push_back(from.table->columns[i].name);
  for (const auto& row : from.rows) {
    Cells& cells = table.rows.emplace_back();
    for (std::size_t i = 0; i < width; ++i)
      cells.push_back(plain(row[i]));
  }
  return table;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

ServiceLists::ServiceLists(const std::string& base_url) {
  setenv("BRIDGE_TOKEN", kToken, 1);
  const auto parsed = config::parse(configuration("sqlite3://unused", base_url), "");
  const config::Service& settings = std::get<config::Settings>(parsed).service;
  service::CurlTransport transport({}, nullptr);
  const auto credentials = std::get<0>(service::Credentials::make(settings.auth));
  service::Api api(settings, transport, *credentials);
  const service::DateFilter always{mapping::Instant{}, std::nullopt};
  const auto add = [&](const mapping::Resource& root, const std::vector<mapping::Record>& records) {
    for (const auto& rows : mapping::rows_of(root, records, {}))
      tables_.push_back(listed(rows));
  };
  add(mapping::customer(), all_of(api, service::customers(), {}));
  add(mapping::rating(), all_of(api, service::operation_of(config::Pull::List::ratings),
                                {{"ReviewApprovedDateFilter", always}}));
  add(mapping::bouncer(), all_of(api, service::operation_of(config::Pull::List::bouncers), {}));
}

std::size_t ServiceLists::rows_in(const std::string& table) const {
  for (const ListedTable& listed : tables_) {
    if (listed.name == table) return listed.rows.size();
  }
  throw std::invalid_argument("no table " + table);
}

std::vector<Cells> stored(Crm& crm, const ListedTable& table) {
  return crm.rows("SELECT " + joined(table.columns) + " FROM " + table.name);
}

std::string first_difference(std::vector<Cells> found, const ListedTable& expected) {
  std::vector<Cells> wanted = expected.rows;
  std::sort(wanted.begin(), wanted.end());
  std::sort(found.begin(), found.end());
  const auto [here, there] =
      std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
  if (here == found.end() && there == wanted.end()) return "";
  const std::string row = here == found.end() ? "nothing" : joined(*here);
  const std::string other = there == wanted.end() ? "nothing" : joined(*there);
  return expected.name + ": " + row + "\ninstead of " + other;
}

std::map<std::string, std::vector<Cells>> snapshot(Crm& crm, Server server) {
  std::vector<std::string> names{"orders", "survey_push", "survey_push_event", "survey_batch"};
  for (const mapping::Resource* root :
       {&mapping::customer(), &mapping::rating(), &mapping::bouncer()}) {
    for (const mapping::Table& table : mapping::tables_of(*root))
      names.push_back(table.name);
  }
  const std::string version =
      server == Server::sqlite || speaks_mysql(server) ? "" : ", CAST(xmin AS TEXT)";
  std::map<std::string, std::vector<Cells>> all;
  for (const std::string& name : names) {
    auto rows = crm.rows("SELECT t.*" + version + " FROM " + name + " t");
    std::sort(rows.begin(), rows.end());
    all.emplace(name, std::move(rows));
  }
  return all;
}

}  // namespace program
