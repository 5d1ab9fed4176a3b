// Stored records of a list that are to be written into the CRM's tables (survey_write_queue), where
// the CRM is another database than the store: the writes cannot be part of the transaction that
// stores a record, so that transaction queues the record. A record that changes again while it
// waits is queued again: removing an entry leaves the later entries of its record.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::crm {

class WriteQueue {
 public:
  WriteQueue(Database& store, std::string list) : store_(store), list_(std::move(list)) {}

  // Within the transaction that stores these records.
  void add(std::span<const mapping::Record> records, Instant now);

  struct Entry {
    std::int64_t id;
    std::string record;  // its key
  };
  // Up to `limit` entries, the longest waiting first.
  std::vector<Entry> next(int limit);
  void remove(const std::vector<Entry>& entries);

 private:
  Database& store_;
  std::string list_;
};

// What waits in the queue of each list.
struct WriteBacklog {
  std::string list;
  std::int64_t entries = 0;
  Instant oldest;
};
std::vector<WriteBacklog> write_backlogs(Database& store);

}  // namespace surveybridge::crm
