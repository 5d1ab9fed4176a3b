#include "tests/daemon/shop.hpp"

#include "connectors/crm/daemon_state/brakes.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/values/person.hpp"

namespace in_process {

using namespace surveybridge;

namespace {

constexpr TimePoint kBegin{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

const char* const kConfiguration = R"(
[push.orders]
brake = false
every = "1m"
query = "SELECT id, email, grade, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2026-11-01
correlate = "OrderNumber"
[push.orders.customer]
Email = "email"
[push.orders.customer.Data]
OrderNumber = "id"
[pull.customers]
from = 2026-11-01
[pull.ratings]
from = 2026-11-01
)";

}  // namespace

Shop::Shop(sandbox::Options options, const std::string& connection)
    : connection_(connection.empty() ? "sqlite3://" + folder_.path() + "/crm.db" : connection),
      clock_{kBegin},
      service_(std::move(options), [this] { return clock_.now; }),
      settings_(settings_of(kConfiguration)),
      crm_(crm::open_database(connection_)) {
  sql("CREATE TABLE orders (id TEXT, email TEXT, grade TEXT, delivered_at TEXT)");
}

sandbox::Options Shop::still() {
  sandbox::Options options;
  options.token.clear();
  options.lives_speed = 0;
  return options;
}

void Shop::order(const std::string& id, const std::string& grade) {
  crm_->execute({"INSERT INTO orders VALUES (:p1, :p2, :p3, '2026-11-09T12:00:00Z')",
                 {id.empty() ? crm::Value{mapping::Null{}} : crm::Value{id},
                  "person" + id + "@example.test", grade}});
}

std::int64_t Shop::number(const std::string& query) {
  return std::get<std::int64_t>(crm_->query({query, {}}).rows.at(0).at(0));
}

std::string Shop::cell(const std::string& query) {
  const auto found = crm_->query({query, {}});
  const auto& value = found.rows.at(0).at(0);
  const auto* number = std::get_if<std::int64_t>(&value);
  return number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
}

void Shop::pull_and_suppress(const std::string& toml) {
  auto settings = settings_of(toml);
  settings_.pulls = std::move(settings.pulls);
  settings_.suppress = std::move(settings.suppress);
}

std::string Shop::person(const std::string& address) {
  return mapping::person_of(daemon::person_key(*crm_), address);
}

crm::Erased Shop::forget(const std::string& address, const std::vector<std::string>& correlates) {
  return crm::forget(*crm_, *crm_, person(address), address, correlates);
}

crm::State Shop::state(const std::string& key) {
  const auto entry = crm::Ledger(*crm_).find("orders", key);
  if (!entry) throw std::runtime_error("not in the ledger: " + key);
  return entry->state;
}

std::string Shop::reason(const std::string& key) {
  return crm::Ledger(*crm_).find("orders", key).value().reason;
}

void Shop::release(std::int64_t rows, const std::string& push) {
  const std::string fingerprint =
      daemon::fingerprint_of(settings_.pushes.at(0), settings_.crm.time_zone);
  const auto database = watched(crm::open_database(connection_), clock_, {});
  crm::Brakes(*database).release(push, fingerprint, rows);
}

void Shop::run(daemon::Duration length) {
  Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + length);
}

void Shop::change_answers(Change change) {
  outside_.on_exchange = [change = std::move(change)](const service::Request& request,
                                                      const auto& send) {
    auto answer = send();
    auto* response = std::get_if<service::Response>(&answer);
    if (request.method == "GET" && response != nullptr) change(request, *response);
    return answer;
  };
}

Shop::Synced Shop::sync() {
  Instance instance(settings_, outside_, ++seed_, true);
  const TimePoint begun = clock_.now;
  const daemon::SyncClock clock{[this] { return clock_.now; },
                                [this](TimePoint until) {
                                  clock_.now = std::max(clock_.now, until);
                                  return true;
                                }};
  auto result = daemon::sync(instance.jobs(), clock, [](const auto&, const auto&) {});
  return {std::move(result), clock_.now - begun};
}

bool is_search(const service::Request& request) {
  return request.url.find("EmailAddresses") != std::string::npos ||
         request.url.find("DataFilters") != std::string::npos;
}

bool is_walk(const service::Request& request) {
  return request.url.find("DateFilter") != std::string::npos && !is_search(request);
}

service::Response no_customers() {
  return {200, {{"content-type", "application/json"}}, R"({"Customers":[],"NextCursor":null})"};
}

service::Exchange lose_answers(const service::Request& request,
                               const std::function<service::Exchange()>& send) {
  auto answer = send();
  if (request.method != "POST") return answer;
  return service::Failure{service::Failure::Kind::unknown, "the answer is lost", 0};
}

}  // namespace in_process
