// surveysimulate: any number of schedules. A failing seed is printed; `--seeds N..N` repeats it
// exactly.
#include <iostream>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "tests/simulation/pace/report.hpp"
#include "tests/simulation/processes/process_world.hpp"
#include "tests/simulation/schedule.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace simulation;

struct Totals {
  long schedules = 0, failed = 0, rows = 0, sent = 0, in_doubt = 0, held = 0, forgotten = 0,
       crashes = 0, pauses = 0, wire_faults = 0, lies = 0, database_faults = 0, releases = 0,
       requests = 0, left_out = 0, told = 0;

  void add(const Report& report) {
    ++schedules;
    failed += report.faults.empty() ? 0 : 1;
    rows += report.rows;
    sent += report.sent;
    in_doubt += report.in_doubt;
    held += report.held;
    forgotten += report.forgotten;
    crashes += report.crashes;
    pauses += report.pauses;
    wire_faults += report.wire_faults;
    lies += report.lies;
    database_faults += report.database_faults;
    releases += report.releases;
    requests += report.requests;
    left_out += report.left_out;
    told += report.told;
  }
};

void print(const Report& report) {
  for (const auto& fault : report.faults)
    fmt::print("seed {}: {}\n", report.seed, fault);
  if (!report.faults.empty()) fmt::print("seed {} drew: {}\n", report.seed, report.extras);
}

void print(const Totals& totals) {
  fmt::print(
      "{} schedules: {} transactions, {} sent, {} times in doubt, {} held, {} left out; "
      "{} answers told; {} people forgotten; {} crashes, {} pauses, "
      "{} wire faults and {} lies, {} database faults, {} releases, {} requests\n"
      "{} schedules failed\n",
      totals.schedules, totals.rows, totals.sent, totals.in_doubt, totals.held, totals.left_out,
      totals.told, totals.forgotten, totals.crashes, totals.pauses, totals.wire_faults, totals.lies,
      totals.database_faults, totals.releases, totals.requests, totals.failed);
}

std::pair<std::uint64_t, std::uint64_t> read_seeds(const std::string& text) {
  const auto dots = text.find("..");
  const auto first = std::stoull(text.substr(0, dots));
  return {first, dots == std::string::npos ? first : std::stoull(text.substr(dots + 2))};
}

std::string names_of_extras() {
  std::string names;
  for (const auto& [extra, name] : kAllExtras)
    names += (names.empty() ? "" : ",") + std::string(name);
  return names;
}

int simulate_pace(const std::string& seeds) {
  const auto [first, last] = read_seeds(seeds);
  std::cout << pace_simulation::table_of(pace_simulation::simulate(first, last));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Simulated lives of surveybridge: crashes, lost answers, two daemons, late commits."};
  std::string seeds = "1..100";
  Broken broken = Broken::nothing;
  std::map<std::string, Broken> names;
  for (const auto rule : kAllBroken)
    names[to_string(rule)] = rule;
  app.add_option("--seeds", seeds, "A..B, or one to replay it")->capture_default_str();
  app.add_option("--break", broken, "A rule to break: the simulator must notice")
      ->transform(CLI::CheckedTransformer(names));
  std::string world_text = "tested";
  app.add_option("--world", world_text,
                 "What is drawn beyond crashes and lost answers, with commas: all, tested, plain, "
                 "names (\"always NAME\": in each schedule): " +
                     names_of_extras())
      ->capture_default_str();
  std::string database = "sqlite";
  app.add_option("--database", database,
                 "postgresql: real processes on a real PostgreSQL, in real time")
      ->check(CLI::IsMember({"sqlite", "postgresql"}))
      ->capture_default_str();
  int at_once = 4;
  app.add_option("--at-once", at_once, "postgresql: how many seeds run side by side")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  auto* pace = app.add_subcommand("pace", "Every kind of limit before ours and peers' strategies");
  std::string pace_seeds = "1..5";
  pace->add_option("--seeds", pace_seeds, "A..B; the worst of them is shown")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (*pace) return simulate_pace(pace_seeds);
  const auto world = read_world(world_text);
  if (!world) {
    std::cerr << "--world: all, tested, plain, or some of " << names_of_extras() << '\n';
    return 2;
  }
  Totals totals;
  const auto [first, last] = read_seeds(seeds);
  if (database == "postgresql") {
    run_on_postgresql(first, last, *world, at_once, [&](const Report& report) {
      print(report);
      totals.add(report);
    });
    print(totals);
    return totals.failed == 0 ? 0 : 1;
  }
  const support::TemporaryFolder folder(support::TemporaryFolder::Place::memory);
  for (auto seed = first; seed <= last; ++seed) {
    const Report report = run_schedule(seed, broken, *world, folder.path());
    print(report);
    totals.add(report);
  }
  print(totals);
  return totals.failed == 0 ? 0 : 1;
}
