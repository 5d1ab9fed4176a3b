// The table of what is tried again; docs/SERVICE.md shows what is decided.
#include "daemon/pace/retry.hpp"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "daemon/push/push_plan.hpp"
#include "tests/support/generated_section.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using service::Trouble;
using TroubleKind = Trouble::Kind;
using Then = Retry::Then;

struct Answer {
  const char* words;
  TroubleKind kind;
  int status;
};
constexpr Answer kAnswers[] = {
    {"429, or 503 with `Retry-After`", TroubleKind::too_many, 429},
    {"401, with a fresh token too", TroubleKind::unauthorized, 401},
    {"403", TroubleKind::forbidden, 403},
    {"400, 422", TroubleKind::rejected, 400},
    {"404, 410", TroubleKind::misplaced, 404},
    {"405, 415, 3xx", TroubleKind::misplaced, 405},
    {"5xx, 408, time-out, not connected", TroubleKind::unavailable, 503},
    {"2xx that cannot be read", TroubleKind::malformed, 200},
};

Trouble trouble(const Answer& answer) {
  return {answer.kind, answer.status, std::nullopt, "x"};
}

std::string whose(JobStatus::Fault fault) {
  switch (fault) {
    case JobStatus::Fault::configuration:
      return "; error: the engineer's";
    case JobStatus::Fault::person:
      return "; error: a person's";
    case JobStatus::Fault::unreachable:
    case JobStatus::Fault::throttled:
      return "; warning";
    case JobStatus::Fault::none:
      break;
  }
  return "";
}

std::string words(const Retry& retry, TroubleKind kind) {
  switch (retry.then) {
    case Then::wait:
      return (kind == TroubleKind::too_many ? "waits as asked" : "backs off") + whose(retry.fault);
    case Then::start_again:
      return "the walk starts again";
    case Then::go_without:
      return "goes without";
  }
  return "";
}

std::string reads() {
  std::string table =
      "| A GET answered by | Page of a list, of a search too | Data columns needed | Names |\n"
      "|---|---|---|---|\n";
  for (const auto& answer : kAnswers) {
    const auto cell = [&](Operation operation, bool has_cursor = false) {
      return words(retry_after(operation, trouble(answer), has_cursor), answer.kind);
    };
    const auto walk = [&](Operation operation) {
      const std::string first = cell(operation), within = cell(operation, true);
      return within == first ? first : first + "; with a cursor: " + within;
    };
    EXPECT_EQ(walk(Operation::page), walk(Operation::search)) << answer.words;
    table += fmt::format("| {} | {} | {} | {} |\n", answer.words, walk(Operation::page),
                         cell(Operation::column), cell(Operation::names));
  }
  return table;
}

service::Unknown unknown(TroubleKind kind, int status, std::optional<service::Wait> wait = {}) {
  return {{kind, status, wait, "x"}};
}

std::string row(const char* answer, const service::AddOutcome& outcome, bool refusals_lie = false) {
  const PushDecision decision = after_push({"a", "b"}, outcome, refusals_lie);
  std::set<std::string> states;
  for (const auto& verdict : decision.verdicts)
    states.insert(to_string(verdict.state));
  std::string then = decision.next == PushDecision::Next::wait ? "backs off" : "goes on";
  if (decision.floor > Duration{0}) then = "waits as asked";
  if (!decision.retry_split.empty()) then += ", the halves apart";
  if (decision.size_cap > 0) then += ", with half as many";
  return fmt::format("| {} | {} | {}{} |\n", answer, fmt::join(states, ", "), then,
                     whose(decision.fault));
}

std::string adds() {
  std::string table = "| `customer/add` answered by | Its rows | Then |\n|---|---|---|\n";
  table += row("2xx", service::Accepted{});
  for (const auto& answer : kAnswers) {
    const bool certain = answer.kind == TroubleKind::too_many ||
                         answer.kind == TroubleKind::unauthorized ||
                         answer.kind == TroubleKind::forbidden;
    if (!certain) continue;
    Trouble made = trouble(answer);
    if (answer.kind == TroubleKind::too_many) made.wait = service::Wait{1000};
    const bool too_many = answer.kind == TroubleKind::too_many;
    table += row(too_many ? "429" : answer.words, service::NotSent{made});
  }
  table += row("not connected", service::NotSent{{TroubleKind::unavailable, 0, std::nullopt, "x"}});
  table += row("413", service::TooLarge{});
  table += row("400, 422", service::Refused{});
  table += row("the same, from a service that has kept what it refused", service::Refused{}, true);
  table += row("503 with `Retry-After`", unknown(TroubleKind::too_many, 503, service::Wait{1000}));
  table += row("500", unknown(TroubleKind::unavailable, 500));
  table += row("any other 5xx, 408, time-out, reset, an answer that was cut off",
               unknown(TroubleKind::unavailable, 502));
  table +=
      row("any other 4xx (404, 405, 409, 410, 415, …), 3xx", unknown(TroubleKind::misplaced, 404));
  table +=
      row("2xx that names a refusal, cannot be read, or is not this service's (HTML, a document)",
          unknown(TroubleKind::malformed, 200));
  return table;
}

TEST(Retries, AreInTheDocumentAsTheyAreDecided) {
  support::expect_section("docs/SERVICE.md", "retries of an add", adds());
  support::expect_section("docs/SERVICE.md", "retries of a GET", reads());
}

// What is away answers no batch: the next one waits for an answer to something harmless.
TEST(Retries, AskForTheColumnsBeforeAnotherBatchWhereTheServiceCannotBeReached) {
  for (const int status : {0, 408, 502, 503, 504})
    EXPECT_TRUE(after_push({"a"}, unknown(TroubleKind::unavailable, status)).unreachable) << status;
  EXPECT_TRUE(after_push({"a"}, service::NotSent{{TroubleKind::unavailable, 0, std::nullopt, "x"}})
                  .unreachable);
  for (const int status : {500, 501})
    EXPECT_FALSE(after_push({"a"}, unknown(TroubleKind::unavailable, status)).unreachable)
        << status;
  EXPECT_FALSE(after_push({"a"}, unknown(TroubleKind::malformed, 200)).unreachable);
}

TEST(Retries, ThatMayHaveArrivedAreNeverSentAgain) {
  for (const int status : {0, 200, 301, 404, 408, 409, 410, 500, 502, 503, 504}) {
    const PushDecision decision = after_push({"a"}, unknown(TroubleKind::unavailable, status));
    EXPECT_EQ(decision.verdicts.at(0).state, crm::State::in_doubt) << status;
    EXPECT_TRUE(decision.retry_split.empty());
  }
}

// A permission is given later, a firewall's block passes.
TEST(Retries, NeverEnd) {
  for (const auto& answer : kAnswers) {
    for (const auto operation : {Operation::add, Operation::page, Operation::search})
      EXPECT_EQ(retry_after(operation, trouble(answer)).then, Then::wait) << answer.words;
  }
  const Trouble forbidden{TroubleKind::forbidden, 403, std::nullopt, "x"};
  EXPECT_EQ(retry_after(Operation::page, forbidden).fault, JobStatus::Fault::configuration);
}

// What the token endpoint answers says nothing about a row, a cursor or a list.
TEST(Retries, OfATokenThatCannotBeHadWaitForIt) {
  const Trouble token{TroubleKind::unauthorized, 0, std::nullopt, "token endpoint: HTTP 403"};
  for (const auto operation :
       {Operation::page, Operation::search, Operation::column, Operation::names})
    EXPECT_EQ(retry_after(operation, token, true).then, Then::wait);
  const PushDecision decision = after_push({"a", "b"}, service::NotSent{token});
  EXPECT_FALSE(decision.forbidden);
  EXPECT_TRUE(decision.retry_split.empty());
  EXPECT_EQ(decision.next, PushDecision::Next::wait);
  EXPECT_EQ(decision.answer.http_status, 0);
}

TEST(Retries, StartAWalkAgainOnlyWithinOne) {
  const Trouble gone{TroubleKind::misplaced, 410, std::nullopt, "x"};
  EXPECT_EQ(retry_after(Operation::page, gone, true).then, Then::start_again);
  EXPECT_EQ(retry_after(Operation::page, gone, false).then, Then::wait);
  const Trouble busy{TroubleKind::unavailable, 503, std::nullopt, "x"};
  EXPECT_EQ(retry_after(Operation::page, busy, true).then, Then::wait);
}

}  // namespace
