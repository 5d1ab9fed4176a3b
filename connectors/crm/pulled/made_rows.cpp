#include "connectors/crm/pulled/made_rows.hpp"

#include <map>

#include <fmt/format.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/conditions.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

// With the lengths of the values, so that no two rows have the same text. Empty: one is no text.
std::string hash_of(const CompiledWrite& write, const WriteRow& row) {
  std::string text = write.shape.table;
  for (std::size_t i = 0; i < row.match.size(); ++i) {
    const auto value = column_text(row.match[i], "UTC");
    if (!value) return "";
    text += fmt::format("\n{}={}:{}", write.shape.match.at(i).name, value->size(), *value);
  }
  return mapping::name_uuid(text);
}

}  // namespace

void MadeRows::note(const std::string& list, const CompiledWrite& write,
                    const std::vector<MadeRow>& made, Instant now) {
  std::vector<std::vector<Value>> rows;
  for (const auto& [row, key] : made)
    if (auto hash = hash_of(write, row); !hash.empty())
      rows.push_back({std::move(hash), list, row.record, key, now});
  upsert_rows(store_, made_row_table(), rows);
}

std::vector<MadeRow> MadeRows::of(const CompiledWrite& write, const std::vector<WriteRow>& rows) {
  std::map<std::string, const WriteRow*> asked;
  std::vector<Value> matches;
  for (const auto& row : rows) {
    matches.emplace_back(hash_of(write, row));
    asked.emplace(text_in(matches.back()), &row);
  }
  std::vector<MadeRow> made;
  for (const auto& row : rows_with_keys(store_, R"(SELECT "match", "key" FROM "survey_made_row")",
                                        made_row_table().columns.front(), matches))
    made.push_back({*asked.at(text_in(row.at(0))), text_in(row.at(1))});
  return made;
}

void MadeRows::remove(const CompiledWrite& write, const std::vector<MadeRow>& made) {
  std::vector<Value> matches;
  for (const auto& each : made)
    matches.emplace_back(hash_of(write, each.row));
  remove_rows(store_, made_row_table(), matches);
}

}  // namespace surveybridge::crm
