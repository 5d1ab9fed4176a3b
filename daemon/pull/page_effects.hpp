// What a pulled page means besides its tables: facts about people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/unreadable_store.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/suppress/persons.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// A page without the people who asked to be forgotten, whose records are added to `theirs`, and
// without their addresses beside those of others: the service may still list them. What is stored
// of them is erased, because a page that was under way at that time may have stored it.
std::vector<mapping::Record> without_forgotten(JobContext& context, PagePersons& persons,
                                               std::vector<mapping::Record> records,
                                               std::vector<mapping::Record>& theirs);

// The same for records that could not be read, as far as they show whose they are.
std::vector<mapping::Unreadable> without_forgotten(JobContext& context, PagePersons& persons,
                                                   std::vector<mapping::Unreadable> records,
                                                   std::vector<mapping::Record>& theirs);

// What these records of a list say about people, by the list's description: of every address that
// `Email` may mean. `db_now`: the database's time at the beginning of the step.
std::vector<crm::Fact> facts_of(JobContext& context, PagePersons& persons, config::Pull::List list,
                                const std::vector<mapping::Record>& records, TimePoint db_now);

// What records of the forgotten say of others, whose address stands beside theirs.
std::vector<crm::Fact> facts_beside_forgotten(JobContext& context, PagePersons& persons,
                                              config::Pull::List list,
                                              const std::vector<mapping::Record>& theirs,
                                              TimePoint db_now);

// What facts_of() says, of records that could not be read, each with whose it is, and what
// [suppress] asks for and it hides. Where `Email` cannot be read, or has no address, every address
// of the text counts.
struct UnreadPage {
  std::vector<crm::UnreadRecord> records;
  std::vector<crm::Fact> facts;
};
UnreadPage effects_of_unread(JobContext& context, PagePersons& persons, config::Pull::List list,
                             std::vector<mapping::Unreadable> records, TimePoint db_now);

}  // namespace surveybridge::daemon
