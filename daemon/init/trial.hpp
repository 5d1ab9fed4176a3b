// Tries answers at the service and in the database, as soon as they are given. Changes nothing
// there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/problem.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/service/api.hpp"
#include "daemon/init/new_settings.hpp"
#include "daemon/runtime/exit_code.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// Why an answer cannot be used.
struct Refusal {
  ExitCode code = kUsage;
  std::string why;
};
using Refused = std::optional<Refusal>;  // empty: the answer works

class Trial {
 public:
  // Does anything answer at this address? That it asks for credentials is an answer too.
  Refused address(const std::string& base_url);
  // Fetches the data columns.
  Refused authentication(const NewSettings& settings);
  Refused database(const config::Secret& connection, const std::string& zone);
  // Looks up the query's columns; no row is read.
  Refused query(const std::string& query);
  // Everything together: by the loader, the map and the query's columns. Every problem.
  std::vector<config::Problem> whole(const NewSettings& settings);

  bool knows_service() const { return knows_service_; }
  const std::vector<mapping::DataColumn>& data_columns() const { return data_columns_; }
  const std::vector<crm::Column>& columns() const { return columns_; }  // empty: not known
  // Those of them that each change of their row sets anew.
  const std::vector<std::string>& moving_columns() const { return moving_; }
  bool has_database() const { return database_ != nullptr; }
  // Of a database that works.
  crm::Dialect dialect() const { return database_->dialect(); }
  crm::Instant database_clock() { return database_->now(); }
  // Tables and views that a query may name, at most `most`; empty: the database does not tell.
  std::vector<std::string> tables(int most);
  // The name of a table or view as a query writes it: in quotes where it needs them. Empty: the
  // database names none like this.
  std::optional<std::string> table(const std::string& name);
  // " (did you mean \"orders\"?)" where there is a table or view of a similar name; else nothing.
  std::string similar_table(const std::string& name);

 private:
  std::optional<service::Trouble> fetch(const NewSettings& settings, std::string& unreadable);

  bool knows_service_ = false;
  std::vector<mapping::DataColumn> data_columns_;
  std::unique_ptr<crm::Database> database_;
  std::vector<crm::Column> columns_;
  std::vector<std::string> moving_;
};

}  // namespace surveybridge::daemon
