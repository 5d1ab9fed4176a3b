// What a report asks the database: counts by week, month and segment. Reads only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/score_sql.hpp"
#include "connectors/crm/rows/snapshot.hpp"
#include "connectors/crm/schema/ledger_words.hpp"
#include "mapping/report/funnel.hpp"
#include "mapping/statistics/statistics.hpp"

namespace surveybridge::crm {

// Days from the first to the last, "2026-11-23", both included, as the CRM's clock has them.
struct DayRange {
  std::string from, to;
};

// By what the lines of a report are.
struct GroupBy {
  enum class What { nothing, week, month, segment, push, language } what = What::nothing;
  std::size_t segment = 0;  // position in the configuration, from 0
  std::string from = {};    // a day: what is before it goes into one line with an empty name
};

// A line of counts. `name`: a period's first day, a segment's value, a push (empty: of customers
// that none has sent), a language as the service writes it, or empty.
struct CountedLine {
  std::string name;
  mapping::Funnel funnel;
  std::vector<mapping::Distribution> scores;  // one for each question
  // Of segments and languages. False: a line of the transactions of which no customer is stored,
  // and so no value; it has no name.
  bool known = true;
  std::optional<std::string> second = {};  // its name by the second that lines are parted by
};

class ReportReading {
 public:
  // `push` empty: all, with the customers that are not from here. All is read as it is at one
  // moment, where the database can.
  ReportReading(Database& database, const ReportShape& shape, std::string push);

  // Of the questions that scores are counted of, with the ends of their scales.
  const std::vector<ScoredQuestion>& questions() const { return questions_; }
  std::string words_of(std::int64_t question);  // as the customers read it; empty: not known

  // In the order of names. `also`: each line is parted by a second, too.
  std::vector<CountedLine> lines(const DayRange& days, const GroupBy& by, const GroupBy& also = {});

  struct Reason {
    std::string reason;
    std::int64_t rows = 0;
  };
  // Why transactions were not sent, the most frequent first, at most 50.
  std::vector<Reason> reasons(const DayRange& days, State state);
  // The statuses, as the service names them, of customers without an invitation date; as above.
  std::vector<Reason> not_invited(const DayRange& days);
  struct Bounces {
    std::string kind, domain;
    std::int64_t number = 0;
  };
  std::vector<Bounces> bounces(const DayRange& days);  // the most first, at most 50
  struct Contacts {
    std::int64_t open = 0;
    std::optional<std::string> oldest;         // a day
    std::vector<std::int64_t> customers = {};  // by number, at most 50
  };
  Contacts contacts();
  // From the invitation to the end, of those who have answered.
  struct AnswerTime {
    std::int64_t answers = 0, seconds = 0;  // their sum
  };
  AnswerTime answer_time(const DayRange& days);
  struct Text {
    std::string day, question, text;
    std::optional<std::int64_t> score;
    // The customer's answer to the first question of a net promoter score.
    std::optional<std::int64_t> recommends = {};
  };
  // Those of detractors first, then the latest. `word`: only texts that contain it, in any case of
  // letters; empty: all.
  std::vector<Text> texts(const DayRange& days, int most, const std::string& word = "");
  // Answers whose text is encrypted, so that it is not among the texts.
  std::int64_t encrypted(const DayRange& days);
  // Are all stored customers counted? After an upgrade it takes a while.
  bool is_complete();

 private:
  // By its names, and `known`.
  using Lines = std::map<std::tuple<std::string, std::string, bool>, CountedLine>;
  std::string named(const GroupBy& by, const GroupBy& also) const;
  CountedLine& line_in(Lines& lines, const std::string& name, const std::string& second,
                       bool known) const;
  void add_funnels(const DayRange& days, const GroupBy& by, const GroupBy& also, Lines& lines);
  void add_scores(const DayRange& days, const GroupBy& by, const GroupBy& also, Lines& lines);
  std::string condition(const DayRange& days, const std::string& alias) const;
  Result query(const std::string& sql);

  Database& database_;
  Snapshot snapshot_;
  const ReportShape& shape_;
  std::string push_;
  std::vector<ScoredQuestion> questions_;
};

// Does the database have what a report reads?
bool has_report_tables(Database& database);
// The last day of the CRM's clock before or at an instant.
std::string day_of(Instant instant, const std::string& zone);

}  // namespace surveybridge::crm
