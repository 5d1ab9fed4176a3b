// What the service calls things: its statuses and data columns, into survey_status and
// survey_data_column, so that a report can say "Finished" for 7. A step reads one of the two lists;
// each is read once an hour by whichever instance comes first.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "connectors/crm/pulled.hpp"
#include "daemon/desk.hpp"
#include "daemon/job.hpp"
#include "daemon/patience.hpp"

namespace surveybridge::daemon {

class NamesJob final : public Job {
 public:
  NamesJob(const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const Standing& standing() const override { return standing_; }

 private:
  struct List;
  static const List kLists[2];

  TimePoint due(const List& list, TimePoint today);
  TimePoint read(const List& list, TimePoint now, TimePoint today);

  std::string name_ = "pull.names";
  Desk desk_;
  Standing standing_;
  Patience patience_;
  Complaint missing_;
  std::set<std::string> read_;  // `sync`: once is enough
};

}  // namespace surveybridge::daemon
