#include "daemon/push/row_counts.hpp"

#include <map>

namespace surveybridge::daemon {

namespace {

std::string_view word_of(crm::State state, std::string_view sent) {
  switch (state) {
    case crm::State::sent:
      return sent;
    case crm::State::in_doubt:
      return row_outcome::kInDoubt;
    case crm::State::held:
      return row_outcome::kHeld;
    case crm::State::quarantined:
      return row_outcome::kQuarantined;
    case crm::State::suppressed:
      return row_outcome::kSuppressed;
    case crm::State::claimed:
    case crm::State::pending:
      break;
  }
  return row_outcome::kNotSent;
}

}  // namespace

void count_rows(Recorder& recorder, const std::string& push,
                const std::vector<crm::Ledger::Verdict>& verdicts, std::string_view sent) {
  std::map<std::string_view, std::int64_t> counts;
  for (const auto& verdict : verdicts)
    ++counts[word_of(verdict.state, sent)];
  for (const auto& [word, count] : counts)
    recorder.rows(push, word, count);
}

}  // namespace surveybridge::daemon
