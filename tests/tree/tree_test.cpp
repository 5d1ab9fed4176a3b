// Applies the rules to the source tree. The tests of the rules are in rules_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/paths.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

using testing::IsEmpty;

class SourceTree : public testing::Test {
 protected:
  const Tree tree_ = read_tree(support::source_dir());
};

TEST_F(SourceTree, IsReadFromEveryRoom) {
  for (const std::string_view room : {"config/", "mapping/", "connectors/crm/",
                                      "connectors/service/", "http/", "sandbox/", "tests/"}) {
    bool found = false;
    for (const File& file : tree_)
      if (starts(file.path, room) && is_source(file)) found = !file.text.empty();
    EXPECT_TRUE(found) << room;
  }
}

TEST_F(SourceTree, IncludesDownwardsOnly) {
  EXPECT_THAT(includes_that_point_up(tree_), IsEmpty());
}
TEST_F(SourceTree, IncludesItsRoomsInTheirOrder) {
  EXPECT_THAT(includes_that_climb(tree_), IsEmpty());
}
TEST_F(SourceTree, HasNoCircleOfRooms) {
  EXPECT_THAT(circles_of_rooms(tree_), IsEmpty());
}
TEST_F(SourceTree, ListsItsRoomsInTheDocument) {
  EXPECT_THAT(rooms_missing_in_the_document(tree_), IsEmpty());
}
TEST_F(SourceTree, HasAReadmeInEachRoom) {
  EXPECT_THAT(rooms_without_a_readme(tree_), IsEmpty());
}
TEST_F(SourceTree, CitesDocumentsThatAreThere) {
  EXPECT_THAT(documents_not_there(tree_), IsEmpty());
}
TEST_F(SourceTree, IncludesEachLibraryInItsPlaceOnly) {
  EXPECT_THAT(libraries_out_of_their_place(tree_), IsEmpty());
}
TEST_F(SourceTree, IsPureWhereTheHeaderSaysSo) {
  EXPECT_THAT(impurities(tree_), IsEmpty());
}
TEST_F(SourceTree, HasNoEmptyNames) {
  EXPECT_THAT(empty_names(tree_), IsEmpty());
}
TEST_F(SourceTree, OpensEachHeaderWithAComment) {
  EXPECT_THAT(silent_headers(tree_), IsEmpty());
}
TEST_F(SourceTree, HasNoHeaderWithOneUser) {
  EXPECT_THAT(headers_with_one_user(tree_), IsEmpty());
}
TEST_F(SourceTree, BuildsEverySource) {
  EXPECT_THAT(sources_not_built(tree_), IsEmpty());
}
TEST_F(SourceTree, HasNoForbiddenWord) {
  EXPECT_THAT(forbidden_words(tree_), IsEmpty());
}

}  // namespace
}  // namespace tree
