#include "daemon/report/verdict.hpp"

#include <fmt/format.h>

#include "daemon/report/data_text.hpp"

namespace surveybridge::daemon {

namespace {

std::string response_sentence(const Estimate& response) {
  if (response.n == 0) {
    return "No invitation is old enough for a response rate yet ([report] answer_days).";
  }
  const std::string did =
      fmt::format("{} of {} who could have answered did", count_text(response.part.value_or(0)),
                  count_text(response.n));
  if (!response.value) return did + ": too few for a rate.";
  return fmt::format("{} ({}, {}).", did, response.text, response.interval_text);
}

std::string score_sentence(const Measure& measure) {
  const Estimate& total = measure.total;
  const std::string name = isolated(measure.name) + ": ";
  if (!total.value) {
    return name + (total.n == 0
                       ? "no answers."
                       : fmt::format("{} ({}), so no score.", total.text, count_text(total.n)));
  }
  return fmt::format("{}{} {} ({}), n {}.", name, measure.kind, total.text, total.interval_text,
                     count_text(total.n));
}

std::string change_sentence(const std::vector<Measure>& measures, const std::string& before) {
  std::string changes;
  bool comparable = false;
  for (const auto& measure : measures) {
    comparable = comparable || measure.move.comparable;
    if (!measure.move.is_change) continue;
    changes += fmt::format("{}{} is {}", changes.empty() ? "" : "; ", isolated(measure.name),
                           measure.move.text);
  }
  const std::string against = "Against the time before (" + before + ") ";
  if (!comparable) return against + "nothing can be compared: too few answers.";
  if (changes.empty()) return against + "the numbers show no change.";
  return fmt::format("{}the numbers show: {}.", against, changes);
}

}  // namespace

std::vector<std::string> verdict_sentences(const std::vector<Measure>& measures,
                                           const std::string& before) {
  std::vector<std::string> sentences{response_sentence(measures.front().total)};
  if (measures.size() > 1) sentences.push_back(score_sentence(measures[1]));
  if (!before.empty()) sentences.push_back(change_sentence(measures, before));
  return sentences;
}

}  // namespace surveybridge::daemon
