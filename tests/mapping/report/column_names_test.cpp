#include "mapping/report/column_names.hpp"

#include <gtest/gtest.h>

namespace {

using surveybridge::mapping::column_name;
using surveybridge::mapping::free_column_name;

TEST(ColumnName, IsWhatEachDatabaseTakes) {
  EXPECT_EQ(column_name("  Branch "), "Branch");
  EXPECT_EQ(column_name("a\nb\tc\x7F"), "a_b_c_");
  EXPECT_EQ(column_name("\"; DROP"), "\"; DROP");
  EXPECT_EQ(column_name("smile \U0001F600"), "smile _");
  EXPECT_EQ(column_name(" \t "), "_") << "a tab is a character that is replaced";
  EXPECT_EQ(column_name("   "), "");
  EXPECT_EQ(column_name("\xFF"), "") << "not UTF-8";
}

TEST(ColumnName, IsCutBetweenCharacters) {
  EXPECT_EQ(column_name(std::string(80, 'x')), std::string(60, 'x'));
  EXPECT_EQ(column_name(std::string(59, 'x') + "é"), std::string(59, 'x'));
  EXPECT_EQ(column_name(std::string(59, 'x') + " yz"), std::string(59, 'x'));
}

TEST(FreeColumnName, DiffersFromTheOthersWithoutRegardToCaseAndAccents) {
  EXPECT_EQ(free_column_name({"Branch"}, {}), "Branch");
  EXPECT_EQ(free_column_name({"branch"}, {"Branch"}), "branch 2");
  EXPECT_EQ(free_column_name({"branch"}, {"Branch", "BRANCH 2"}), "branch 3");
  EXPECT_EQ(free_column_name({"Café"}, {"cafe"}), "Café 2");
  EXPECT_EQ(free_column_name({"顧客"}, {"分店"}), "顧客");
  EXPECT_EQ(free_column_name({std::string(80, 'x')}, {std::string(60, 'X')}),
            std::string(58, 'x') + " 2");
}

TEST(FreeColumnName, TakesTheFirstTextThatGivesAName) {
  EXPECT_EQ(free_column_name({"", "  ", "column 7"}, {}), "column 7");
}

}  // namespace
