#include "config/problem.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "config/text.hpp"

namespace surveybridge::config {
namespace {

// A longer word is not compared: it is no misspelt key, and the time grows with both lengths.
constexpr std::size_t kLongestMeant = 64;

// How many letters to change, add, drop or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j)
    cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto same = [&](std::size_t x, std::size_t y) { return a[x] == b[y]; };
      const std::size_t changed = cost[i - 1][j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, changed});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

// A lower bound of the distance.
std::size_t apart(std::string_view a, std::string_view b) {
  return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

// Short words are close to every word: one slip for them, three for long ones.
std::size_t slips_allowed(std::size_t length) {
  return length <= 3 ? 1 : length <= 6 ? 2 : 3;
}

// "LastActivityDateFilter" and "LastActivity" both mean "LastActivityDate".
bool begins_with(std::string_view whole, std::string_view part) {
  constexpr std::size_t kShortestPart = 4;
  return part.size() >= kShortestPart && part.size() <= whole.size() &&
         same_ignoring_case(whole.substr(0, part.size()), part);
}

}  // namespace

std::string to_string(const Problem& problem) {
  std::string text = problem.place.file;
  if (problem.place.line > 0) {
    text += fmt::format(":{}:{}", problem.place.line, problem.place.column);
  }
  if (!problem.key.empty()) text += ": " + problem.key;
  return text + ": " + problem.rule;
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestMeant) return {};
  std::size_t least = slips_allowed(word.size()) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestMeant || apart(word, candidate) >= least) continue;
    const std::size_t slips = distance(lower_case(word), lower_case(candidate));
    // With as many slips as letters any word could become any other.
    if (slips < least && slips < std::max(word.size(), candidate.size())) {
      least = slips;
      best = candidate;
    }
  }
  if (!best.empty()) return best;
  const auto longer = std::find_if(candidates.begin(), candidates.end(), [&](const auto& each) {
    return begins_with(each, word) || begins_with(word, each);
  });
  return longer == candidates.end() ? "" : *longer;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string meant = closest(word, candidates);
  return meant.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", meant);
}

}  // namespace surveybridge::config
