// Keeps the tables for reports up to date with the records that a pull stores: a flat row for each
// invitation, bounce and rating, the questions, and the views over them (docs/REPORTS.md).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/history_store.hpp"
#include "connectors/crm/report/report_columns.hpp"
#include "mapping/interface/data_column.hpp"
#include "mapping/interface/record.hpp"
#include "mapping/report/invitation.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

class ReportStore {
 public:
  // A transaction of ours; nullopt: the record is not from here.
  struct Ours {
    std::string push, key;
  };
  using OursOrNone = std::optional<Ours>;

  // `root`: what the pull stores; others than customers, ratings and bouncers have no report.
  ReportStore(Database& database, const mapping::Resource& root, ReportShape shape);

  // Outside a transaction, before these records are stored: makes columns and views that they need.
  // A database that refuses that is no error: problem() says why, and the report goes without. The
  // service's data columns are read anew where a record shows another one, now and then, and where
  // there are no records. Where somebody reads, so that a change of the shape would have to wait,
  // it is tried again later: the records are noted without the new columns, and are behind().
  void prepare(std::span<const mapping::Record> records);
  // Works out what note() writes of these records, as far as that needs no database. It may be left
  // out; between it and note() these records stay where they are.
  void gather(std::span<const mapping::Record> records);
  // Within the transaction in which these records are stored. `replaced`: the keys of those that
  // were stored before; empty: not known. `now`: when they are seen, by the database's clock.
  void note(std::span<const mapping::Record> records,
            const std::optional<std::vector<Value>>& replaced, Instant now);

  // The last of the records that were noted again since the configuration of the report changed, or
  // since these tables exist; empty: none was. Nullopt: all were.
  std::optional<std::string> behind();
  // All records up to this key are noted, or all there are. Within the caller's transaction.
  // Nothing where the state is no longer the one that behind() has read.
  void set_reached(const std::optional<std::string>& key);

  const std::string& problem() const { return problem_; }
  // The database has refused a note: the report goes without, and the records are behind().
  void give_up(const std::string& problem);
  // Columns of these records are wanted that could not be added yet.
  bool lacks_columns() const { return lacks_columns_; }
  // A change of the shape, or records, wait for another try.
  bool is_late() const { return lacks_columns_ || views_late_ || late_; }

 private:
  using Rows = std::vector<std::vector<Value>>;
  using Answers = std::vector<mapping::Answered>;

  // Parallel to the customers of a page.
  struct Gathered {
    const mapping::Record* of = nullptr;  // the first of them
    std::vector<Answers> answers;
    std::vector<OursOrNone> ours;
    Rows rows;  // of survey_invitation, as if nothing had bounced
  };

  Gathered gathered(std::span<const mapping::Record> customers) const;
  void note_customers(std::span<const mapping::Record> customers, Gathered page,
                      const std::optional<std::vector<Value>>& replaced, Instant now);
  void note_bouncers(std::span<const mapping::Record> records, Instant now);
  void note_ratings(std::span<const mapping::Record> records);
  void load_columns();
  void change_shape(const ReportColumns& wanted);
  void take_up_gap();
  void note_gap();
  void mark_late(std::span<const mapping::Record> customers);
  std::optional<std::string> stored_reach();
  // By the data column that carries the key.
  std::vector<OursOrNone> transactions_of(std::span<const mapping::Record> records) const;
  // `bounced`: when the transaction has, if that is known; null: it has not.
  std::vector<Value> invitation_row(const mapping::Record& customer, const Answers& answers,
                                    const OursOrNone& ours,
                                    const std::optional<Instant>* bounced) const;
  Database& database_;
  const mapping::Resource& root_;
  ReportShape shape_;
  std::vector<mapping::DataColumn> data_columns_;
  std::vector<mapping::DataColumn> correlates_, segments_;  // parallel to the shape's
  ReportColumns columns_;
  mapping::Table invitation_;  // with the columns of scores
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> score_at_;  // question, occurrence
  HistoryStore history_;
  // Answers by question and language that survey_question_text does not count yet.
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> uncounted_;
  std::optional<Gathered> gathered_;
  std::string problem_;
  std::string state_;  // as behind() has read it
  bool loaded_ = false, views_made_ = false;
  int pages_ = 0;  // since the data columns were read
  bool lacks_columns_ = false, views_late_ = false, late_ = false;
  int pause_ = 0, pages_to_wait_ = 0;  // between two tries to change the shape, in pages
};

// Are the segments of all customers in the tables those of this shape? Not between a change of the
// configuration and the end of the renewal: then they are those of another shape, or of both.
bool has_segments_of(Database& database, const ReportShape& shape);

// The tables in which the report has rows of this root's records, by the records' keys.
std::vector<const mapping::Table*> report_tables_of(const mapping::Resource& root);

}  // namespace surveybridge::crm
