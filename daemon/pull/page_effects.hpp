// What a pulled page says beyond its own tables: which transactions are at the service, whatever
// the ledgers thought of them, and what is to be known of the people on it.
#pragma once

#include <string>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// Tells every push whose `correlate` is its own, and logs what nobody expected, in the name of
// `job`. Where two pushes share a data column, nobody can say whose a key is: they are left alone.
void settle_listed(JobContext& context, const std::string& job,
                   const std::vector<mapping::Record>& customers);

// A page without those who asked to be forgotten: the service may still list them. What is stored
// of them is erased: a page that was on its way while they asked may have brought it.
std::vector<mapping::Record> without_forgotten(JobContext& context,
                                               std::vector<mapping::Record> records);

// Facts about the people of a page of customers or bouncers, within the page's transaction.
void note_people(JobContext& context, const std::vector<mapping::Record>& records);

}  // namespace surveybridge::daemon
