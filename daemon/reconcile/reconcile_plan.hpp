// What a read-back decides, without doing it. Pure: rows in doubt become searches of the customer
// list, and what the searches found becomes verdicts. A row is believed absent only when the search
// has proved itself; see docs/GUARANTEES.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/service/query.hpp"
#include "daemon/job/job.hpp"
#include "daemon/lists/page_walk.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// One walk of the customer list.
struct Search {
  // broad: by e-mail and window of transaction dates, many rows at once. exact: one key by a filter
  // on its data column. control: exact, for a key known to be there: it proves that the service
  // shows our column and understands the filter.
  enum class Kind { broad, exact, control } kind = Kind::broad;
  std::vector<crm::Doubt> doubts;
  std::vector<service::Parameter> filters;
  TimePoint begun;  // the database's clock; what it does not see was not there then
  // By key of a doubt: how long the service had answered then, after the row came into doubt; a key
  // that is not here: for long enough.
  std::map<std::string, Duration> answering;
  struct Match {  // a customer that carries a key
    std::int64_t id = 0;
    std::string key;
    std::string email;  // empty: not shown
    std::optional<TimePoint> transaction_date;
    std::optional<bool> test;  // of its batch
  };
  std::map<std::string, std::vector<Match>> found;  // by key
  // By key of a doubt, of a broad search: customers with its address and date and with a key that
  // is no doubt's, a few at most. The ledger says which of them it knows.
  std::map<std::string, std::vector<Match>> alike;
  bool complete = true;    // walked to the end, and no row lay outside the filters
  bool answered = true;    // false: it was given up, or the one before it
  bool unreached = false;  // the service may have been away when it was asked
};

// What becomes of a row of which no customer is known.
crm::Ledger::Verdict verdict_on(const crm::Doubt& doubt, crm::State state, std::string why);

// Rows in doubt that are looked up together: the same data column carried their keys, and the same
// key, known as sent, covers their form (mapping/values/service_copy.hpp).
struct DoubtGroup {
  std::string column;   // empty: none
  std::string control;  // key; empty: none is known
  std::vector<crm::Doubt> doubts;
  std::string push = {};  // that the ledger has them under
};
// `known`: keys that were sent as these were, the best one first.
std::vector<DoubtGroup> grouped(std::vector<crm::Doubt> doubts, const std::string& column,
                                const std::vector<std::string>& known);

// A row that a person has put back into doubt has neither address nor date, and one that the
// service lists has no date: they are looked for by their keys, if a data column carries those.
struct PartedDoubts {
  std::vector<crm::Doubt> by_address, by_key;
};
PartedDoubts part_by_what_is_known(const std::vector<crm::Doubt>& doubts, bool correlated);

// Doubts grouped so that a query stays within the dialect's bytes.
std::vector<Search> plan_searches(std::vector<crm::Doubt> doubts,
                                  const config::ServiceDialect& dialect, TimePoint begun);
// One key by its data column.
Search exact_search(Search::Kind kind, crm::Doubt doubt, std::int64_t column, TimePoint begun);

// Reads the customer list for a search, at most a thousand pages. Refuses answers without a list.
PageWalk walk_of(const Search& search, TimePoint now);

// Adds a page's customers to a search. `correlate`: the data column that carries the key, if any.
void take_page(Search& search, const std::vector<mapping::Record>& customers,
               const std::optional<mapping::DataColumn>& correlate);

// Adds what a step of its walk has read: Read or Endless. Returns whether the search has ended: its
// list has, or has no end, or the search for one key is not complete and proves nothing.
bool take_answer(Search& search, const PageWalk::Answer& answer,
                 const std::optional<mapping::DataColumn>& correlate);

// What this round's control search says of the service's searches.
enum class Control {
  none,    // no key of the same form is known to be sent, so there was nothing to search for
  missed,  // a customer known to be there was not found
  found,
};

// How absence is judged.
struct Rules {
  std::chrono::milliseconds settle;  // an unknown outcome is believed absent only after this
  bool resend = false;               // doubt = "resend"
  Control control = Control::none;
  bool correlated = true;  // there is a column that carries the key
};

// On a row that was not found. It counts once the control search has found its customer again: the
// service's searches may have failed meanwhile.
struct Absent {
  crm::Ledger::Verdict verdict;
  TimePoint since;  // when the row came into doubt
};

struct ReadBackDecision {
  std::vector<crm::Ledger::Verdict> verdicts;
  std::vector<Absent> absent;
  std::vector<crm::Doubt> look_exactly;  // not found: one more search
  int found_twice = 0;
  std::string first_twice = {};  // key
};
// Of a finished search. A row that is still unclear is in neither list: it is younger than
// `settle`, the service has answered for less than `settle` since it was away and may still work on
// an older request, or the search was not answered or the control search did not find its customer,
// which a later round may. After a day without, the row is held. A row that the service refused
// goes again whatever `resend` says: a refusal is an answer, once absence bears it out.
ReadBackDecision judge(const Search& search, const Rules& rules);

// Is the key of a finished control search among what it found?
bool proves(const Search& control);

// Is what was absent between two control searches believed absent? If the second one found its
// customer and no more than five minutes lay between, so that searches that failed and work again
// were noticed.
bool is_believed(Control second, Duration between);

// What to store of rows that were absent between two control searches: their verdicts if they are
// believed absent. Else nothing; rows that have been in doubt for a day are held.
std::vector<crm::Ledger::Verdict> confirmed(const std::vector<Absent>& absent, Control second,
                                            Duration between, TimePoint db_now);
// The control search is repeated before that.
inline constexpr Duration kControlEvery = std::chrono::minutes{2};

// How long after a round the next one begins, by the age of the youngest row in doubt: from half a
// minute to five minutes, so that rows that wait for long cost few requests.
Duration until_next_round(Duration youngest);

}  // namespace surveybridge::daemon
