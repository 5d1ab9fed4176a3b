#include "tests/simulation/follow_up_checks.hpp"

#include <algorithm>
#include <set>

#include "connectors/crm/pulled/follow_up_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/simulation/configuration.hpp"
#include "tests/simulation/faulty_transport.hpp"

namespace simulation {

using namespace surveybridge;

namespace {

constexpr int kNoScore = -1;  // no score is as low

std::string number_of(const mapping::Record& customer) {
  return crm::text_in(mapping::key_of(customer));
}

std::optional<std::int64_t> score_of(const mapping::Record& customer) {
  for (const auto& answer : customer.at("Answers").records) {
    if (answer.get<std::int64_t>("BaseQuestionId") != kScoreQuestion) continue;
    const auto& positions = answer.at("SelectedScalePositions").records;
    if (!positions.empty()) return positions.front().get<std::int64_t>("Value");
  }
  return std::nullopt;
}

// Does it ask for a message as it is?
bool is_met(const FollowUpNames& follow_up, const mapping::Record& customer, const Drawn& drawn) {
  return asks_for_follow_up(customer, follow_up.has_scores ? drawn.score_limit : kNoScore);
}

// Or did it, while its score was turned?
bool was_met(const FollowUpNames& follow_up, const mapping::Record& customer, const Drawn& drawn) {
  const auto score = follow_up.has_scores ? score_of(customer) : std::nullopt;
  const bool turns = changes_score(drawn, number_of(customer));
  return is_met(follow_up, customer, drawn) ||
         (turns && score && kHighestScore - *score <= drawn.score_limit);
}

// An answer since then is told. For a database whose clock lags, the follow-up may have begun
// later than its clock shows now.
TimePoint told_since(ScheduleRun& run, const Drawn& drawn, const FollowUpNames& follow_up) {
  auto since = crm::FollowUpStore(run.store()).since("customers", follow_up.name);
  if (drawn.has(Extra::keep)) since = std::max(since, run.clock().now - kKeep);
  if (drawn.has(Extra::clock_steps)) since = std::max(since, kBegin + std::chrono::hours{1});
  return since;
}

std::optional<TimePoint> arrived_at(const std::vector<Message>& messages) {
  const auto first = std::ranges::find(messages, true, &Message::has_arrived);
  return first == messages.end() ? std::nullopt : std::optional(first->at);
}

// What was found without faults was told before the next pull.
void check_soon(ScheduleRun& run, Report& report) {
  for (const auto& row : run.store()
                             .query({"SELECT name, receiver, record, found_at FROM survey_follow_up"
                                     " WHERE record <> ''",
                                     {}})
                             .rows) {
    const Telling telling{crm::text_in(row.at(0)), crm::text_in(row.at(1)),
                          crm::text_in(row.at(2))};
    const TimePoint found = crm::instant_in(row.at(3)).value();
    const auto messages = run.told().find(telling);
    const auto at = messages == run.told().end() ? std::nullopt : arrived_at(messages->second);
    if (at && *at > std::max(found, run.calm_since() + kPullEvery) + kPullEvery)
      report.faults.push_back(to_string(telling) + ": told later than at the next pull");
  }
}

}  // namespace

bool asks_for_follow_up(const mapping::Record& customer, int score_limit) {
  const auto score = score_of(customer);
  return customer.is_true("IsContactRequested") || (score && *score <= score_limit);
}

bool is_since(const mapping::Record& customer, TimePoint since) {
  const auto finished = customer.get<mapping::Instant>("SurveyFinishedDate");
  const auto at = finished ? finished : customer.get<mapping::Instant>("LastActivityDate");
  return at && *at >= since;
}

void check_follow_ups(ScheduleRun& run, const Drawn& drawn,
                      const std::vector<mapping::Record>& customers, Report& report) {
  const auto& root = mapping::customer();
  const auto stored = crm::stored_records(
      run.store(), root,
      crm::stored_keys(run.store(), root, "", static_cast<int>(drawn.orders.size() * 2)));
  std::set<Telling> wanted, allowed;
  for (const auto& follow_up : follow_ups_of(drawn)) {
    const TimePoint since = told_since(run, drawn, follow_up);
    for (const auto& receiver : follow_up.to) {
      const auto telling = [&](const mapping::Record& customer) {
        return Telling{follow_up.name, receiver, number_of(customer)};
      };
      for (const auto& customer : customers)
        if (was_met(follow_up, customer, drawn)) allowed.insert(telling(customer));
      for (const auto& customer : stored)
        if (is_met(follow_up, customer, drawn) && is_since(customer, since))
          wanted.insert(telling(customer));
    }
  }
  report.told = 0;
  for (const auto& [telling, messages] : run.told()) {
    if (!messages.empty() && !allowed.contains(telling))
      report.faults.push_back(to_string(telling) + ": told, though it does not meet its condition");
    if (!arrived_at(messages)) continue;
    ++report.told;
    wanted.erase(telling);
  }
  for (const auto& telling : wanted)
    report.faults.push_back(to_string(telling) + ": never told");
  check_soon(run, report);
}

}  // namespace simulation
