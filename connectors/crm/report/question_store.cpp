#include "connectors/crm/report/question_store.hpp"

#include <algorithm>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/report_tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Null;
using End = std::optional<std::int64_t>;

End lower(const End& end, const End& other) {
  if (!end || !other) return end ? end : other;
  return std::min(*end, *other);
}

End higher(const End& end, const End& other) {
  if (!end || !other) return end ? end : other;
  return std::max(*end, *other);
}

End end_in(const Value& cell) {
  return mapping::is_null(cell) ? std::nullopt : End(integer_in(cell));
}

Value cell_of(const End& end) {
  return end ? Value{*end} : Value{Null{}};
}

}  // namespace

bool QuestionStore::learn(const mapping::Answered& answer) {
  const auto [found, is_new] = known_.try_emplace(answer.question);
  Question& known = found->second;
  bool changed = is_new;
  const auto set = [&](auto& part, const auto& now) {
    if (part == now) return;
    part = now;
    changed = true;
  };
  if (is_new) known.first_seen = known.last_seen = answer.at;
  const bool is_better = is_readers(answer.language);
  if (!answer.words.empty() && (is_better || !is_readers(known.language))) {
    set(known.words, answer.words);
    if (changed || is_better) set(known.language, answer.language);
  }
  if (answer.score) set(known.kind, "scale");
  set(known.low, lower(known.low, answer.score));
  set(known.high, higher(known.high, answer.score));
  set(known.first_seen, std::min(known.first_seen, answer.at));
  if (answer.at - known.last_seen >= std::chrono::hours{24}) set(known.last_seen, answer.at);
  return changed;
}

bool QuestionStore::is_readers(std::string_view language) const {
  return !language_.empty() && config::same_ignoring_case(language, language_);
}

// What another run has seen counts, too.
void QuestionStore::add_stored(Database& database, Questions& questions) const {
  std::vector<Value> ids;
  for (const auto& [id, question] : questions)
    ids.emplace_back(id);
  for (const auto& row : rows_with_keys(database,
                                        R"(SELECT "id", "kind", "low", "high", "first_seen",)"
                                        R"( "last_seen", "words", "language")"
                                        R"( FROM "survey_question")",
                                        question_table().columns[0], ids)) {
    Question& one = questions.at(integer_in(row.at(0)));
    if (text_in(row.at(1)) == "scale") one.kind = "scale";
    one.low = lower(one.low, end_in(row.at(2)));
    one.high = higher(one.high, end_in(row.at(3)));
    one.first_seen = std::min(one.first_seen, instant_in(row.at(4)).value_or(one.first_seen));
    one.last_seen = std::max(one.last_seen, instant_in(row.at(5)).value_or(one.last_seen));
    const std::string words = text_in(row.at(6)), language = text_in(row.at(7));
    if (is_readers(language) && !is_readers(one.language))
      one.words = words, one.language = language;
  }
}

void QuestionStore::note(Database& database,
                         const std::vector<std::vector<mapping::Answered>>& answers) {
  Questions changed;
  for (const auto& of_one : answers) {
    for (const auto& answer : of_one)
      if (learn(answer)) changed[answer.question] = known_.at(answer.question);
  }
  if (changed.empty()) return;
  add_stored(database, changed);
  std::vector<std::vector<Value>> rows;
  for (const auto& [id, one] : changed) {
    known_[id] = one;
    rows.push_back({id, text_or_null(one.words), text_or_null(one.language), one.kind,
                    cell_of(one.low), cell_of(one.high), one.first_seen, one.last_seen});
  }
  put(database, upsert(database.dialect(), question_table()), rows);
}

}  // namespace surveybridge::crm
