// What a push decides, without doing it. Pure: rows become a batch, an outcome becomes the states
// of its rows.
// The right column of the table in docs/SERVICE.md 7.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/schema/ledger_words.hpp"
#include "connectors/service/outcome.hpp"
#include "connectors/service/query.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/job/job.hpp"
#include "daemon/suppress/batch_item.hpp"
#include "mapping/field_map/mapper.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

// What became of some rows: who can go, and why the others cannot.
struct MappedRows {
  std::vector<BatchItem> items;
  std::vector<crm::Ledger::SetAside> set_aside;  // quarantined
  std::vector<crm::Ledger::SetAside> skipped;    // suppressed, as the map says
  // Customers whom a test must not reach: they wait until it is none any more.
  std::vector<crm::Ledger::Delay> waiting;
  std::size_t left = 0;  // rows not looked at yet
};
// Files are heavy: once they fill a batch of `batch.bytes`, the other rows are left. A test batch
// leaves who is outside `batch.test_domains` (docs/SERVICE.md 2.1). With a `hash` each row's digest
// and quota are told.
MappedRows map_rows(const mapping::Mapper& mapper, const std::vector<mapping::Row>& rows,
                    const config::Batch& batch, TimePoint now,
                    const mapping::PersonHash* hash = nullptr);

// What a row that was set aside is recognized by: another one means that a cell that is mapped has
// changed.
std::string digest_of(const mapping::Mapper& mapper, const mapping::Row& row,
                      const mapping::PersonHash& hash);

// Of pushes, of columns.
template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const auto& each : all)
    names.push_back(each.name);
  return names;
}

// With these the service's list of customers has those that this push can have sent.
std::vector<service::Parameter> customer_filters(const config::Push& push);

// The first of `items` that make one batch: at most `size` customers and `bytes` bytes, and
// no address twice (without regard to case) unless `allow_duplicate_email`. The others wait.
std::vector<BatchItem> cut_batch(std::vector<BatchItem> items, std::size_t size, std::size_t bytes,
                                 bool allow_duplicate_email);

// Whether one batch may ask the same address twice: as the service is told, but never where
// `[suppress]` counts how often a person is asked, for that sees one batch after another.
bool may_repeat_address(const config::Push& push, const config::Settings& settings);

// What the ledger is to be told, and what comes next.
struct PushDecision {
  crm::Ledger::Answer answer;
  std::vector<crm::Ledger::Verdict> verdicts;
  std::vector<std::vector<std::string>> retry_split;  // keys that go again as batches of their own
  std::vector<std::string> named;  // those of a refused batch that the service named
  bool names_all = false;          // it named each of them, which may have any meaning
  std::size_t size_cap = 0;        // 0: as before
  bool forbidden = false;          // 403: halved until a row stands alone
  Duration delay{0};               // its rows wait so long; others go on
  bool unreachable = false;        // the service is asked for its data columns before another batch
  bool probe = false;              // until something is accepted, a single row goes at a time
  // ask: nothing more goes out before a person has released the push.
  enum class Next { go_on, wait, ask } next = Next::go_on;
  Duration floor{0};                                // wait: at least this long, for everybody
  JobStatus::Fault fault = JobStatus::Fault::none;  // of the trouble
  std::string trouble;                              // what to tell people; empty: nothing
};

// `keys` in the order of the batch's customers. `refusals_lie`: this service has been seen to keep
// what it refused; then a refusal is looked up like any other doubt.
PushDecision after_push(const std::vector<std::string>& keys, const service::AddOutcome& outcome,
                        bool refusals_lie = false);

// A refusal of so many rows, so few of which are accepted beside them, is no fault of the rows:
// what it would set aside stays pending, and a person is asked. `lately`: within the last hour.
PushDecision doubt_refusals(PushDecision decision, const crm::Ledger::Refusals& lately);

// Of a batch that is claimed and nothing more: certainly not sent.
PushDecision not_sent(const std::vector<std::string>& keys, const std::string& why);

using crm::kRefusedByService;

// The reason of a row that the service refused. It ends with the service's words, which may quote
// the row; whoever shows reasons to more than the person at the row's command cuts them off.
std::string refusal_reason(std::string_view words);
std::string without_service_words(std::string_view reason);

}  // namespace surveybridge::daemon
