// The pulled tables of docs/REPORTS.md, each with its key.
#include <gtest/gtest.h>

#include "mapping/interface/resource.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/support/generated_section.hpp"

namespace interface {
namespace {

using surveybridge::mapping::Table;

// "`survey_answer` (`customer_id`, `position`)".
std::string key_of(const Table& table) {
  std::string key;
  for (std::size_t i = 0; i < table.key_size; ++i)
    key += (key.empty() ? "`" : ", `") + table.columns[i].name + "`";
  return "`" + table.name + "` (" + key + ")";
}

TEST(PulledTables, AreInTheDocument) {
  namespace mapping = surveybridge::mapping;
  std::string made;
  for (const auto* root : {&mapping::customer(), &mapping::rating(), &mapping::bouncer(),
                           &mapping::status(), &mapping::data_column()}) {
    std::string keys;
    for (const Table& table : mapping::tables_of(*root))
      keys += (keys.empty() ? "" : ", ") + key_of(table);
    made += (made.empty() ? "" : " ") + keys + ".";
  }
  support::expect_section("docs/REPORTS.md", "pulled tables", support::wrapped(made));
}

}  // namespace
}  // namespace interface
