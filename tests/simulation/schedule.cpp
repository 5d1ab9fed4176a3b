#include "tests/simulation/schedule.hpp"

#include <filesystem>

#include "connectors/crm/people/people.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "mapping/values/person.hpp"
#include "tests/simulation/checks.hpp"
#include "tests/simulation/control.hpp"

namespace simulation {

namespace {

namespace fs = std::filesystem;
using namespace surveybridge;

// When the faults have stopped, this is enough for everything to settle.
constexpr Duration kCalm = std::chrono::minutes{100};

void make_orders(crm::Database& database) {
  database.execute(
      {"CREATE TABLE orders (id TEXT PRIMARY KEY, email TEXT, first_name TEXT,"
       " delivered_at TEXT, survey_status TEXT, branch TEXT)",
       {}});
}

// A database for both, and one for the CRM alone.
void make_templates(const std::string& folder) {
  const auto both = crm::open_database("sqlite3://" + folder + "/template.db");
  make_orders(*both);
  crm::make_schema(*both);
  make_orders(*crm::open_database("sqlite3://" + folder + "/template.crm.db"));
}

void fresh_file(const std::string& model, const std::string& file) {
  for (const char* suffix : {"", "-wal", "-shm"})
    fs::remove(file + suffix);
  fs::copy_file(model, file);
}

// The store; the CRM's file, where it has one, is called the same with ".crm" behind it. The key of
// the persons' hashes, which the bridge draws at random, comes from the seed: with it who is drawn.
std::string fresh_database(const std::string& folder, bool apart, std::uint64_t seed) {
  const std::string model = folder + "/template.db";
  if (!fs::exists(model)) make_templates(folder);
  const std::string file = folder + "/crm.db";
  fresh_file(model, file);
  crm::People(*crm::open_database("sqlite3://" + file))
      .hash_key(mapping::person_of("simulation", std::to_string(seed)));
  if (apart) fresh_file(folder + "/template.crm.db", file + ".crm");
  return file;
}

}  // namespace

bool ScheduleRun::is_walking() {
  const auto walks = store_->query(
      {"SELECT (SELECT COUNT(*) FROM survey_cursor WHERE cursor IS NOT NULL AND cursor <> '')"
       " + (SELECT COUNT(*) FROM survey_lease WHERE name LIKE 'pull.%' AND expires_at > :p1)",
       {clock_.now + clock_.database_step}});
  return std::get<std::int64_t>(walks.rows.at(0).at(0)) > 0;
}

Report run_schedule(std::uint64_t seed, Broken broken, const World& world,
                    const std::string& folder) {
  Report report;
  report.seed = seed;
  const Drawn drawn = fit_for(draw(seed, world), broken);
  ScheduleRun run(drawn, broken, fresh_database(folder, drawn.has(Extra::apart), seed), seed);
  try {
    run.run_until(kBegin + kFaultsLast, true);
    run.run_until(run.clock().now + kCalm, false);  // a pause may have lasted longer
    if (drawn.has(Extra::closed_days) && drawn.closes_late)
      run.pass_suspended(kMidnight + kDay - run.clock().now);
    run.catch_up();
    // Searches that prove nothing are repeated for a day, and a row that breaks the service goes
    // again five times before that.
    run.settle_doubts(3 * kDay);
    check_transactions(run, drawn, report);
    check_tables(run, drawn, report);
    if (drawn.has(Extra::keep)) {
      run.pass_suspended(kKeep + std::chrono::hours{2});
      check_tables(run, drawn, report);
    }
  } catch (const std::exception& error) {
    report.faults.push_back(std::string("no progress: ") + error.what());
  }
  run.count(report);
  return report;
}

}  // namespace simulation
