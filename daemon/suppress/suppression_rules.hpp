// Whom no push may reach, without asking anybody: what the pulls bring becomes facts about a
// person, and facts become a ruling on one transaction. Pure. [suppress] of docs/CONFIG.md.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/people/people.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// Of a customer: opted out, invited, answered; each where it says so. `now` stands for a date that
// is missing.
std::vector<crm::Fact> facts_of_customer(const mapping::Record& customer, const std::string& person,
                                         TimePoint now);
// Of a bouncer: hard where its reason holds one of the operator's `hard_words` (in any case), else
// as mapping/values/bounce tells.
crm::Fact fact_of_bouncer(const mapping::Record& bouncer, const std::string& person,
                          const std::vector<std::string>& hard_words, TimePoint now);

struct Decision {
  enum class What { go, suppress, delay } what = What::go;
  std::string reason;  // empty: go
  TimePoint until{};   // delay
};

// One transaction of a push, and what is known of its person. Whoever asked to be forgotten is
// never mailed, whatever `suppress` says; nullptr: nothing else is asked.
struct Candidate {
  std::string push;
};
Decision decide(const Candidate& candidate, const crm::ContactHistory& contact_history,
                const config::Suppress* suppress, TimePoint now);

}  // namespace surveybridge::daemon
