// Whom no push may reach, without asking anybody: what the pulls bring becomes facts about a
// person, and facts become a ruling on one transaction. Pure. [suppress] of docs/CONFIG.md.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/people/people.hpp"
#include "daemon/job/job.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// Does this customer say that its person opted out?
bool is_opted_out(const mapping::Record& customer);

// Of a customer: opted out, invited or to be invited, answered; each where it says so. `now` stands
// for a date that is missing.
std::vector<crm::Fact> facts_of_customer(const mapping::Record& customer, const std::string& person,
                                         TimePoint now);
// Of a bouncer: hard where its reason holds one of the operator's `hard_words` (in any case), else
// as mapping/values/bounce tells.
crm::Fact fact_of_bouncer(const mapping::Record& bouncer, const std::string& person,
                          const std::vector<std::string>& hard_words, TimePoint now);

// The same of a record that could not be read: what it says, and where it cannot be read what it
// may say (FactKind::unread_…). `ref`: the record's name.
std::vector<crm::Fact> facts_of_unread_customer(const mapping::Unreadable& customer,
                                                const std::string& person, const std::string& ref,
                                                TimePoint now);
crm::Fact fact_of_unread_bouncer(const mapping::Unreadable& bouncer, const std::string& person,
                                 const std::string& ref, const std::vector<std::string>& hard_words,
                                 TimePoint now);

// Does a rule of `suppress` ask for facts of this kind?
bool asks_for(const config::Suppress& suppress, crm::FactKind kind);
// The facts for which nobody is mailed, whatever else is known.
std::vector<crm::FactKind> barring_facts(const std::optional<config::Suppress>& suppress);

struct Decision {
  enum class What { go, suppress, delay } what = What::go;
  std::string reason;  // empty: go
  TimePoint until{};   // delay
};

// Is a transaction among the share of its push that is sent (`sample`)? The answer stays the same,
// and who is drawn for a share is drawn for every larger one.
bool is_drawn(const config::Push& push, const std::string& key, const std::string& person);

// Since when the rows count that have a quota in common: the beginning of the day, week or month.
TimePoint quota_since(config::Push::Quota::Per per, config::Report::Day week_starts,
                      const std::string& zone, TimePoint now);

// What is left of a quota while the rows of one batch are judged.
class QuotaLeft {
 public:
  // `taken`: so many rows of each value were claimed before; `going`: so many others will be.
  QuotaLeft(int most, std::map<std::string, std::int64_t> taken,
            std::map<std::string, std::int64_t> going = {})
      : most_(most), taken_(std::move(taken)), going_(std::move(going)) {}
  enum class Says {
    go,
    wait,  // rows that go before it take the rest: it is judged anew once they are claimed
    full
  };
  Says take(const std::string& value);

 private:
  std::int64_t most_;
  std::map<std::string, std::int64_t> taken_, going_;
};
std::string over_quota_text(const config::Push::Quota& quota);

// One transaction of a push, and what is known of its person. Whoever asked to be forgotten is
// never mailed, whatever `suppress` says; nullptr: nothing else is asked.
struct Candidate {
  std::string push;
  bool drawn = true;  // by `sample`
};
Decision decide(const Candidate& candidate, const crm::ContactHistory& contact_history,
                const config::Suppress* suppress, TimePoint now);

}  // namespace surveybridge::daemon
