// Whom no push may reach, without asking anybody: what the pulls bring becomes facts about a
// person, and facts become a ruling on one transaction. Pure. [suppress] of docs/CONFIG.md.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/people/people.hpp"
#include "daemon/job/job.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// Does this customer say that its person opted out?
bool is_opted_out(const mapping::Record& customer);

// Of a customer: opted out, invited, answered; each where it says so. `now` stands for a date that
// is missing.
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
