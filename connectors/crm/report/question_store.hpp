// survey_question: every question that somebody has answered, with its words and the ends of its
// scale as the answers show them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/report/invitation.hpp"

namespace surveybridge::crm {

class QuestionStore {
 public:
  // `language`: of its respondents the words are taken, where there are some; empty: of the last.
  explicit QuestionStore(std::string language) : language_(std::move(language)) {}
  // Within the caller's transaction. Rows are written only where something about a question is
  // new; of when it was last answered, only the day. `answers`: of each customer.
  void note(Database& database, const std::vector<std::vector<mapping::Answered>>& answers);

 private:
  struct Question {
    std::string words, language;  // of the words
    std::string kind = "text";    // or "scale"
    std::optional<std::int64_t> low, high;
    Instant first_seen, last_seen;
    bool operator==(const Question&) const = default;
  };
  using Questions = std::map<std::int64_t, Question>;
  // Takes what is new into known_. Is something new?
  bool learn(const mapping::Answered& answer);
  void add_stored(Database& database, Questions& questions) const;
  bool is_readers(std::string_view language) const;

  const std::string language_;
  Questions known_;
};

}  // namespace surveybridge::crm
