// What would become of the rows of a push that wait, by a configuration: read, mapped and judged as
// the daemon does it. For `preview` and `plan`. Nothing is changed, not even a cursor.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/source/source.hpp"
#include "connectors/service/api.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/context/databases.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// Some rows that were looked at together.
struct ForeseenRows {
  std::vector<std::string> keys;  // of all of them, in their order
  // Rows that the ledger has as pending, those that it does not know, and those that were set aside
  // and have changed since. The daemon looks at them in this order.
  enum class Of { pending, query, mended } of = Of::pending;
  std::vector<BatchItem> go;
  std::vector<std::string> behind;  // keys: others go first that take the rest of the quota
  std::vector<crm::Ledger::SetAside> quarantined, suppressed;
  std::vector<crm::Ledger::Delay> delayed;
  // What becomes of rows once another one of the same person has gone out.
  SuppressionCheck::Screened after_another;
};

class Forecast {
 public:
  // Tables of the bridge that are missing are made in a transaction that is rolled back when this
  // object ends. Throws DatabaseError, as the other calls do.
  Forecast(Databases& databases, const config::Settings& settings, const config::Push& push,
           std::function<Duration()> uptime);

  // Looks at up to `most` rows: pending ones that are due, then new ones, then those that were set
  // aside and have changed. Calls `seen` for some after the other. Returns the problems of the map;
  // then nothing was looked at. `at`: another time than the CRM's now. Called once.
  using Seen = std::function<void(ForeseenRows rows)>;
  std::vector<config::Problem> look(const std::vector<mapping::DataColumn>& data_columns,
                                    std::size_t most, const Seen& seen,
                                    std::optional<TimePoint> at = std::nullopt);

  crm::Source& source() { return source_; }
  // In which new rows lie, by the CRM's clock.
  const crm::Window& window() const { return window_; }
  bool has_more_pending() const { return has_more_pending_; }  // behind those that were looked at
  bool has_more_new() const { return has_more_new_; }
  // Did `most` end the look?
  bool is_cut() const { return left_ == 0; }

 private:
  // `others`: rows of the same look of which it is known already what becomes of them.
  void add(const mapping::Mapper& mapper, crm::Rows rows, ForeseenRows others, const Seen& seen);
  std::vector<BatchItem> take_repeated(std::vector<BatchItem>& go);

  Databases& databases_;
  const config::Settings& settings_;
  const config::Push& push_;
  std::optional<crm::Transaction> never_committed_;
  crm::Source source_;
  SuppressionCheck suppression_;
  crm::Window window_;
  std::size_t left_ = 0;  // rows that may still be looked at
  bool has_more_pending_ = false, has_more_new_ = false;
  bool goes_ = false;              // one row at least
  std::set<std::string> persons_;  // of rows that go out
};

// The data columns of the service; else the exit code of what is in the way, which was reported.
std::variant<std::vector<mapping::DataColumn>, ExitCode> data_columns_of(service::Api& api);

// Runs what asks the queries of pushes. Tables that may not be used are reported instead; so is an
// error of the database, which is one of a query where it does not pass.
ExitCode ask_queries(const std::vector<const CommandContext*>& places,
                     const std::function<ExitCode()>& ask);

}  // namespace surveybridge::daemon
