#include "tests/tolerance/trial.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/service/curl_transport.hpp"
#include "daemon/runtime/sync.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "http/server.hpp"
#include "mapping/tables/tables.hpp"

namespace tolerance {
namespace {

using namespace surveybridge;

constexpr in_process::TimePoint kBegin{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

constexpr const char* kConfiguration = R"(
[service]
base_url = "http://127.0.0.1:1"
format = "{}"
{}
[service.auth]
{}
[service.pace]
max_per_second = 1000
[service.dialect]
{}
[service.enumerations]
FormStatus = {{ 0 = "None", 1 = "New", 2 = "InProgress", 3 = "Closed" }}
ReviewStatus = {{ 0 = "None", 1 = "Pending", 2 = "Approved", 3 = "Rejected" }}
Sentiment = {{ 0 = "Negative", 1 = "Neutral", 2 = "Positive" }}
Type = {{ 0 = "InteractionByUser", 1 = "InteractionBySystem" }}
[crm]
connection = "sqlite3:///unused"
[push.orders]
brake = false
query = "SELECT * FROM orders"
key = "id"
when = "delivered_at"
start = 2026-11-01
look_back = "3650d"
correlate = "OrderNumber"
[push.orders.batch]
size = 8
ApproveAutomatically = true
{}
[push.orders.customer]
Email = "email"
Priority = "priority"
TransactionDate = "delivered_at"
[push.orders.customer.Data]
OrderNumber = "id"
FirstName = "name"
[[push.orders.customer.Answers]]
BaseQuestionId = 1202
Text = "remark"
[pull.customers]
from = 2026-11-01
overlap = "3650d"
limit = 10
{}
[pull.ratings]
from = 2026-11-01
overlap = "3650d"
limit = 2
[pull.bouncers]
look_back = "365d"
limit = 2
)";

std::string cell_text(const crm::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* decimal = std::get_if<mapping::Decimal>(&value)) return decimal->text;
  if (const auto* bytes = std::get_if<mapping::Bytes>(&value)) return bytes->bytes;
  return "-";
}

std::string columns_of(const mapping::Table& table) {
  std::string columns;
  for (const auto& column : table.columns) {
    if (column.name == "digest" || column.name == "changed_at") continue;
    columns += (columns.empty() ? "\"" : ", \"") + column.name + "\"";
  }
  return columns;
}

class Trial {
 public:
  Trial(Format format, const Variant& variant)
      : variant_(variant),
        service_(options_of(variant), [this] { return clock_.now; }),
        settings_(settings_of(format, variant)),
        crm_(crm::open_database("sqlite3://" + file_)) {
    if (variant.socket) listen();
    crm_->execute(
        {"CREATE TABLE orders (id TEXT, email TEXT, delivered_at TEXT, name TEXT,"
         " priority INTEGER, remark TEXT)",
         {}});
    for (int i = 0; i < kOrders; ++i) {
      const std::string remark = i % 3 == 0 ? "" : "a <b> & \"c\" é 🚲\r\nmore";
      crm_->execute({"INSERT INTO orders VALUES (:p1, :p2, '2026-11-09T12:00:00Z', :p3, :p4, :p5)",
                     {"o-" + std::to_string(i), fmt::format("p+{}@example.test", i),
                      "Zoë " + std::to_string(i), std::int64_t{100 + i}, remark}});
    }
  }

  Kept run() {
    if (variant_.before) variant_.before(service_);
    if (variant_.released) {
      const auto pulls = std::exchange(settings_.pulls, {});
      const auto begun = clock_.now;
      sync();
      clock_.now = begun;  // the customers live as those of a service that holds nothing up
      crm::Brakes(*crm_).release(
          "orders", daemon::fingerprint_of(settings_.pushes.at(0), settings_.crm.time_zone),
          kOrders);
      settings_.pulls = pulls;
    }
    sync();
    clock_.now += std::chrono::days{45};
    if (variant_.between) variant_.between(service_);
    sync();
    for (int i = variant_.patient ? 0 : 1; i < 2; ++i) {
      clock_.now += std::chrono::hours{2};
      sync();
    }
    collect();
    return std::move(kept_);
  }

 private:
  static sandbox::Options options_of(const Variant& variant) {
    sandbox::Options options = variant.options;
    if (variant.auth.find("\"none\"") != std::string::npos) options.token.clear();
    return options;
  }
  static config::Settings settings_of(Format format, const Variant& variant) {
    return in_process::settings_of(
        fmt::format(kConfiguration, format == Format::json ? "json" : "xml", variant.service,
                    variant.auth, variant.dialect, variant.push, variant.customers));
  }

  void listen() {
    server_ = std::make_unique<http::Server>(
        http::ServerOptions{},
        [this](const sandbox::Request& request) { return service_.handle(request); });
    curl_ = std::make_unique<service::CurlTransport>(service::CurlLimits{}, nullptr);
  }

  service::Exchange exchange(service::Request request,
                             const std::function<service::Exchange()>& send) {
    ++kept_.requests;
    if (variant_.on_post) return variant_.on_post(request, send, service_);
    if (variant_.on_exchange) return variant_.on_exchange(request, send);
    if (!server_) return send();
    request.url.replace(0, std::string_view("http://127.0.0.1:1").size(),
                        "http://127.0.0.1:" + std::to_string(server_->port()));
    return curl_->send(request);
  }

  void sync() {
    const in_process::Outside outside{
        file_, service_, clock_, {}, [this](const service::Request& request, const auto& send) {
          return exchange(request, send);
        }};
    in_process::Instance instance(settings_, outside, ++seed_, true);
    const daemon::SyncClock clock{[this] { return clock_.now; },
                                  [this](in_process::TimePoint until) {
                                    clock_.now = std::max(clock_.now, until);
                                    return true;
                                  }};
    daemon::sync(instance.jobs(), clock, [](const auto&, const auto&) {});
    const auto& lines = instance.log().lines();
    kept_.log.insert(kept_.log.end(), lines.begin(), lines.end());
  }

  Rows rows(const std::string& sql) {
    Rows rows;
    for (const auto& row : crm_->query({sql, {}}).rows) {
      auto& cells = rows.emplace_back();
      for (const auto& cell : row)
        cells.push_back(cell_text(cell));
    }
    std::ranges::sort(rows);
    return rows;
  }

  void collect() {
    for (const auto* root : {&mapping::customer(), &mapping::rating(), &mapping::bouncer(),
                             &mapping::status(), &mapping::data_column()}) {
      for (const auto& table : mapping::tables_of(*root))
        kept_.tables[table.name] = rows("SELECT " + columns_of(table) + " FROM " + table.name);
    }
    for (const auto& row : rows("SELECT state, COUNT(*) FROM survey_push GROUP BY state"))
      kept_.states[row.at(0)] = std::stoi(row.at(1));
    for (const auto& customer : service_.customers()) {
      for (const auto& [column, value] : customer.data)
        if (column == "OrderNumber") ++kept_.held[value];
    }
  }

  const Variant& variant_;
  support::TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/crm.db";
  in_process::TurnedClock clock_{kBegin};
  std::uint64_t seed_ = 6;  // of the last instance: each gets other batch ids
  sandbox::Service service_;
  config::Settings settings_;
  std::unique_ptr<crm::Database> crm_;
  Kept kept_;
  std::unique_ptr<service::CurlTransport> curl_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace

bool Kept::said(const std::string& text) const {
  return std::ranges::any_of(
      log, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

Kept try_out(Format format, const Variant& variant) {
  return Trial(format, variant).run();
}

}  // namespace tolerance
