#include "connectors/crm/pulled/written_cells.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "config/service_list.hpp"
#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/conditions.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

std::vector<Value> hashes_of(const CompiledWrite& write, const std::vector<WriteRow>& rows) {
  std::vector<Value> hashes;
  for (const auto& row : rows)
    if (auto hash = WrittenCells::match_of(write, row); !hash.empty())
      hashes.emplace_back(std::move(hash));
  return hashes;
}

std::string name_of(const WriteShape::Column& column) {
  return std::string(config::first_bytes(column.shown(), kKeyBytesMax));
}

// What a row of survey_written has without its match and cell.
struct Note {
  CellWriter writer;
  std::string key;  // of a row that was made
};
constexpr const char* kRowItself = "";  // the cell of that

// By match and cell.
using Notes = std::map<std::string, std::map<std::string, Note>>;

Notes notes_of(Database& store, const CompiledWrite& write, const std::vector<WriteRow>& rows) {
  Notes notes;
  for (const auto& row : rows_with_keys(
           store,
           R"(SELECT "match", "cell", "list", "record", "dated", "key" FROM "survey_written")",
           written_table().columns.front(), hashes_of(write, rows))) {
    notes[text_in(row.at(0))][text_in(row.at(1))] = {
        {text_in(row.at(2)), text_in(row.at(3)), instant_in(row.at(4))},
        mapping::is_null(row.at(5)) ? "" : text_in(row.at(5))};
  }
  return notes;
}

bool contains(const std::vector<std::size_t>& positions, std::size_t at) {
  return std::ranges::find(positions, at) != positions.end();
}

// A row of which nothing is written yet.
WriteRow begun(const CompiledWrite& write, const WriteRow& row, const Notes& notes) {
  WriteRow joined{row.match, std::vector<Value>(write.set.size())};
  joined.writers.resize(write.set.size());
  const auto known = notes.find(WrittenCells::match_of(write, row));
  for (std::size_t i = 0; i < write.set.size(); ++i) {
    joined.left.push_back(i);
    if (known == notes.end()) continue;
    const auto note = known->second.find(name_of(write.shape.set[i]));
    if (note != known->second.end()) joined.writers[i] = note->second.writer;
  }
  return joined;
}

void join(WriteRow& joined, const WriteRow& row, const CellWriter& writer) {
  joined.record = row.record;
  for (std::size_t i = 0; i < row.set.size(); ++i) {
    if (contains(row.left, i)) continue;
    CellWriter& before = joined.writers[i];
    const bool is_own = before.list == writer.list && before.record == writer.record;
    if (!is_own && (contains(row.nothing, i) || writer.dated < before.dated)) continue;
    joined.set[i] = row.set[i];
    before = writer;
    std::erase(joined.left, i);
  }
}

}  // namespace

// A hash, with the lengths of the values, so that no two rows have the same text.
std::string WrittenCells::match_of(const CompiledWrite& write, const WriteRow& row) {
  std::string text = write.shape.table;
  for (std::size_t i = 0; i < row.match.size(); ++i) {
    const auto value = column_text(row.match[i], "UTC");
    if (!value) return "";
    text += fmt::format("\n{}={}:{}", write.shape.match.at(i).name, value->size(), *value);
  }
  return mapping::name_uuid(text);
}

std::vector<WriteRow> WrittenCells::joined(const mapping::Resource& root,
                                           const CompiledWrite& write, std::vector<WriteRow> rows) {
  const std::string list = config::list_of(root.name);
  const Notes notes = notes_of(store_, write, rows);
  std::ranges::stable_sort(rows, {}, &WriteRow::dated);
  std::vector<WriteRow> all;
  for (const auto& row : rows) {
    auto of_match = std::ranges::find(all, row.match, &WriteRow::match);
    if (of_match == all.end()) of_match = all.insert(all.end(), begun(write, row, notes));
    join(*of_match, row, {list, row.record, row.dated});
  }
  return all;
}

void WrittenCells::note(const mapping::Resource& root, const CompiledWrite& write,
                        const std::vector<WriteRow>& rows, const std::vector<MadeRow>& made) {
  const std::string list = config::list_of(root.name);
  std::vector<std::vector<Value>> notes;
  const auto add = [&](const WriteRow& row, const std::string& cell, const CellWriter& writer,
                       Value key) {
    auto hash = WrittenCells::match_of(write, row);
    if (hash.empty()) return;
    notes.push_back({std::move(hash), cell, write.shape.table, writer.list, writer.record,
                     writer.dated ? Value{*writer.dated} : Value{mapping::Null{}},
                     std::int64_t{write.forgets ? 1 : 0}, std::move(key)});
  };
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.set.size(); ++i)
      if (!contains(row.left, i))
        add(row, name_of(write.shape.set[i]), row.writers.at(i), mapping::Null{});
  for (const auto& [row, key] : made)
    add(row, kRowItself, {list, row.record, row.dated}, key);
  // In the order of keys: two walks that store the same records do not wait for each other.
  std::ranges::sort(notes, {}, [](const std::vector<Value>& note) {
    return std::pair(text_in(note.at(0)), text_in(note.at(1)));
  });
  upsert_rows(store_, written_table(), notes);
}

WrittenCells::Theirs WrittenCells::of(const RecordsOfLists& records, const CompiledWrite& write,
                                      std::vector<WriteRow> rows) {
  const auto is_theirs = [&](const Note& note) {
    const auto of_list = records.find(note.writer.list);
    return of_list != records.end() && of_list->second.contains(note.writer.record);
  };
  const Notes notes = notes_of(store_, write, rows);
  Theirs theirs;
  for (auto& row : rows) {
    const auto known = notes.find(WrittenCells::match_of(write, row));
    if (known == notes.end()) continue;
    bool is_others = false;
    for (const auto& [cell, note] : known->second)
      is_others = is_others || (cell != kRowItself && !is_theirs(note));
    for (std::size_t i = 0; i < write.set.size(); ++i) {
      const auto note = known->second.find(name_of(write.shape.set[i]));
      if (note == known->second.end() || !is_theirs(note->second)) row.left.push_back(i);
    }
    const bool has_cells = row.left.size() < write.set.size();
    const auto made = known->second.find(kRowItself);
    const bool is_made = write.deletes && made != known->second.end();
    if (is_made && !is_others && (has_cells || is_theirs(made->second)))
      theirs.made.push_back({row, made->second.key});
    if (has_cells) theirs.rows.push_back(std::move(row));
  }
  return theirs;
}

void WrittenCells::remove(const CompiledWrite& write, const std::vector<MadeRow>& made) {
  std::vector<WriteRow> rows;
  for (const auto& each : made)
    rows.push_back(each.row);
  remove_rows(store_, written_table(), hashes_of(write, rows));
}

std::map<std::string, std::set<std::string>> WrittenCells::matches_of(
    const RecordsOfLists& records) {
  std::map<std::string, std::set<std::string>> matches;
  for (const auto& [list, of_list] : records)
    for (const auto& record : of_list)
      for (const auto& row : query_rows(store_,
                                        R"(SELECT "target", "match" FROM "survey_written" WHERE)"
                                        R"( "list" = {key} AND "record" = {key} AND "forget" = 1)"
                                        R"( AND "cell" <> '')",
                                        {list, record}))
        matches[text_in(row.at(0))].insert(text_in(row.at(1)));
  return matches;
}

}  // namespace surveybridge::crm
