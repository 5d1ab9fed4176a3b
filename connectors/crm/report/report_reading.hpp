// What a report asks the database: counts by week, month and segment. Reads only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_sql.hpp"
#include "connectors/crm/rows/snapshot.hpp"
#include "connectors/crm/schema/ledger_words.hpp"
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

// Transactions from the CRM's row to the finished survey, counted. A number below 0 counts as 0.
struct Funnel {
  std::int64_t transactions = 0;
  std::int64_t suppressed = 0, quarantined = 0, waiting = 0, in_doubt = 0;  // not sent
  std::int64_t not_drawn = 0, over_quota = 0;  // of the suppressed: by `sample` and `quota`
  std::int64_t sent = 0;                       // to the service
  // Of those that were sent: no customer is stored, since it is not pulled yet, or removed; and the
  // customer has no invitation and gets none, since it is closed, or over in another way.
  std::int64_t unlisted = 0, never_invited = 0;
  std::int64_t invited = 0;  // the service has mailed the invitation
  std::int64_t opened = 0, begun = 0, finished = 0;
  std::int64_t bounced = 0, opted_out = 0;
  // Delivered invitations that are at least `answer_days` old, whatever has become of them, and
  // those of them that were finished. Only these two make the response rate. An invitation must
  // not become due by being finished: then the youngest weeks would have hardly anybody but those
  // who answered, and a rate near 100 %.
  std::int64_t due = 0, due_finished = 0;
};

// Each number of a funnel, and its name for programs.
struct FunnelNumber {
  std::string_view name;
  std::int64_t Funnel::*number;
};
inline constexpr std::array kFunnelNumbers = {FunnelNumber{"transactions", &Funnel::transactions},
                                              FunnelNumber{"suppressed", &Funnel::suppressed},
                                              FunnelNumber{"quarantined", &Funnel::quarantined},
                                              FunnelNumber{"waiting", &Funnel::waiting},
                                              FunnelNumber{"in_doubt", &Funnel::in_doubt},
                                              FunnelNumber{"sent", &Funnel::sent},
                                              FunnelNumber{"invited", &Funnel::invited},
                                              FunnelNumber{"opened", &Funnel::opened},
                                              FunnelNumber{"begun", &Funnel::begun},
                                              FunnelNumber{"finished", &Funnel::finished},
                                              FunnelNumber{"bounced", &Funnel::bounced},
                                              FunnelNumber{"opted_out", &Funnel::opted_out},
                                              FunnelNumber{"due", &Funnel::due},
                                              FunnelNumber{"due_finished", &Funnel::due_finished},
                                              FunnelNumber{"unlisted", &Funnel::unlisted},
                                              FunnelNumber{"never_invited", &Funnel::never_invited},
                                              FunnelNumber{"not_drawn", &Funnel::not_drawn},
                                              FunnelNumber{"over_quota", &Funnel::over_quota}};

// A line of counts. `name`: a period's first day, a segment's value, a push (empty: of customers
// that none has sent), a language as the service writes it, or empty.
struct CountedLine {
  std::string name;
  Funnel funnel;
  // One for each question; with answers beside its scale, so that they can be told.
  std::vector<mapping::Distribution> scores;
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

  // Those that scores are counted of, with their words and the ends of their scales.
  const std::vector<ScoredQuestion>& questions() const { return questions_; }

  // In the order of names. `also`: each line is parted by a second, too.
  std::vector<CountedLine> lines(const DayRange& days, const GroupBy& by, const GroupBy& also = {});

  struct Reason {
    std::string reason;
    std::int64_t rows = 0;
    static auto cells(auto& of) { return std::tie(of.reason, of.rows); }
  };
  // Why transactions were not sent, the most frequent first, at most 50.
  std::vector<Reason> reasons(const DayRange& days, State state);
  // The statuses, as the service names them, of customers without an invitation date; as above.
  std::vector<Reason> not_invited(const DayRange& days);
  struct Bounces {
    std::string kind, domain;
    std::int64_t number = 0;
    static auto cells(auto& of) { return std::tie(of.kind, of.domain, of.number); }
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
    static auto cells(auto& of) {
      return std::tie(of.day, of.question, of.text, of.score, of.recommends);
    }
  };
  // Those of detractors first, then the latest. `word`: only texts that contain it, in any case of
  // letters; empty: all.
  std::vector<Text> texts(const DayRange& days, int most, const std::string& word = "");
  // Answers whose text is encrypted, so that it is not among the texts.
  std::int64_t encrypted(const DayRange& days);

 private:
  // The name of a row's line (an alias a).
  std::string name_of(const GroupBy& by) const;
  // Of rows with the alias a.
  std::string is_of_push() const;
  std::string is_within(const DayRange& days) const;
  // How many rows to count there are of each of these keys, the most first, at most 50. The number
  // is the last cell.
  std::vector<std::vector<Value>> most_frequent(const std::string& keys, const std::string& rows,
                                                const DayRange& days);
  std::vector<std::vector<Value>> query(const std::string& sql);

  Database& database_;
  Snapshot snapshot_;
  ReportSql sql_;
  std::string push_;
  std::vector<ScoredQuestion> questions_;
};

// Does the database have what a report reads?
bool has_report_tables(Database& database);
// The last day of the CRM's clock before or at an instant.
std::string day_of(Instant instant, const std::string& zone);

}  // namespace surveybridge::crm
