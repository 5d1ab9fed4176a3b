// How far each write-back has come through the stored records (survey_write_mark), and the records
// that met no row of the CRM (survey_unmatched): they are tried again, because the row may come
// later.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/pulled/write_back.hpp"

namespace surveybridge::crm {

// What a write's configuration hashes to: another configuration is another write, which all stored
// records are written by once.
std::string mark_of(const config::Write& write);

class WriteMarks {
 public:
  WriteMarks(Database& database, std::string list) : database_(database), list_(std::move(list)) {}

  // Keys of stored records that a write has not come to yet, the next ones first; empty: it is
  // through.
  std::vector<Value> next(const std::string& mark, const mapping::Resource& root, int limit);
  // It is through with the records up to this key; empty: with all.
  void reached(const std::string& mark, const std::optional<Value>& key);
  // Notes rows of `tried` that met none, and removes the others. Within a transaction.
  void note(const std::string& mark, const std::vector<WriteRow>& tried,
            const std::vector<WriteRow>& unmatched, Instant now);
  // Keys of unmatched records that were tried before this time, the oldest try first.
  std::vector<std::string> unmatched(const std::string& mark, Instant before, int limit);
  // Removes what is no longer stored.
  void remove(const std::string& mark, const std::vector<std::string>& records);
  // Forgets marks of writes that the configuration no longer has.
  void keep_only(const std::vector<std::string>& marks);
  // Every write of the list begins anew.
  void begin_anew();

 private:
  bool has_unmatched(const std::string& mark);
  void keep_since(const std::string& mark, const std::set<std::string>& records);

  Database& database_;
  std::string list_;
};

}  // namespace surveybridge::crm
