// Learns which number and which name of an enumeration say the same, where values have come by one
// of the two alone: reads a few customers in JSON and then in XML. A step is one page. A value that
// nobody has asked about is asked about at once, the others once an hour by whichever instance
// comes first.
#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "connectors/crm/pulled/enumeration_store.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry_state.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/tables/enumerations.hpp"

namespace surveybridge::daemon {

class EnumerationJob final : public Job {
 public:
  EnumerationJob(const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void make_due() override { asked_for_ = true; }

 private:
  using Question = crm::EnumerationStore::Question;
  struct Idle {};
  struct ReadInJson {  // the customers to ask for were read by number
    Question asked;
    std::vector<mapping::Record> by_number;
  };
  using Customers = std::variant<std::vector<mapping::Record>, service::Trouble>;

  TimePoint due(TimePoint db_now);
  TimePoint read_by_number(TimePoint now, TimePoint db_now);
  TimePoint read_by_name(ReadInJson before, TimePoint now, TimePoint db_now);
  TimePoint failed(const service::Trouble& trouble, const Question& asked, mapping::Format format,
                   TimePoint now, TimePoint db_now);
  Customers read(const std::vector<std::int64_t>& ids, mapping::Format format, TimePoint now);
  TimePoint finish(const Question& asked, const std::set<mapping::EnumerationPair>& pairs,
                   TimePoint now, TimePoint db_now);
  bool has_new_values();
  TimePoint rest(TimePoint now, TimePoint db_now);

  std::string name_ = "pull.enumerations";
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
  std::variant<Idle, ReadInJson> state_;
  bool learned_ = false;    // `sync`: once is enough
  bool asked_for_ = false;  // a person wants it now
  // Values that nobody could be asked about when that was tried: no stored customer shows them.
  std::int64_t unshown_ = 0;
};

}  // namespace surveybridge::daemon
