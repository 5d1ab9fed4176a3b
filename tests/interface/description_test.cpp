#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/interface/bridge.hpp"
#include "tests/interface/document.hpp"

namespace interface {
namespace {

using surveybridge::mapping::Resource;
using surveybridge::mapping::Type;
using testing::ElementsAre;
using testing::IsEmpty;
using Differences = std::vector<std::string>;

Type described_type(const Field& field, const Fields& document) {
  static const std::map<std::string, Type> types = {
      {"boolean", Type::boolean},
      {"integer", Type::integer},
      {"string", Type::text},
      {"guid", Type::guid},
      {"date-time", Type::instant},
      {"base64", Type::base64},
      {"enumeration", Type::enumeration},
  };
  return document.count(field.type) != 0 ? Type::object : types.at(field.type);
}

void compare(const std::string& name, const Resource& described, const Fields& document,
             const std::string& path, Differences& found) {
  for (const Field& field : document.at(name)) {
    const std::string place = path + "." + field.name;
    const auto* known = described.find(field.name);
    if (known == nullptr || known->name != field.name) {
      found.push_back(place + " is not described");
      continue;
    }
    if (known->type != described_type(field, document)) found.push_back(place + ": type");
    if (known->list != field.is_list()) found.push_back(place + ": list");
    if (known->xml_item != field.item) found.push_back(place + ": XML item");
    const bool object = known->type == Type::object && known->of != nullptr;
    if (object && document.count(field.type) != 0)
      compare(field.type, *known->of, document, place, found);
  }
  for (const auto& known : described.fields) {
    const auto& all = document.at(name);
    if (std::ranges::find(all, known.name, &Field::name) == all.end())
      found.push_back(path + "." + std::string(known.name) + " is not in the document");
  }
}

Differences differences(const Fields& document) {
  Differences found;
  for (const auto& [name, described] : described())
    compare(name, *described, document, name, found);
  return found;
}

TEST(Description, HasEachFieldOfTheDocumentAndNoOther) {
  EXPECT_THAT(differences(fields()), IsEmpty());
}

TEST(Description, IsNotTakenForWhole) {
  Fields more = fields();
  more["ScalePosition"].push_back({"ScalePosition", "Colour", "string", "-", ""});
  EXPECT_THAT(differences(more),
              ElementsAre("Customer.Answers.SelectedScalePositions.Colour is not described",
                          "ImportCustomersRequest.Customers.Answers.SelectedScalePositions.Colour "
                          "is not described"));
  Fields other = fields();
  other["RatingReaction"][2] = {"RatingReaction", "Reaction", "integer", "-", "int"};
  EXPECT_THAT(differences(other),
              ElementsAre("Rating.Reactions.Reaction: type", "Rating.Reactions.Reaction: list",
                          "Rating.Reactions.Reaction: XML item"));
  Fields fewer = fields();
  fewer["Status"].pop_back();
  EXPECT_THAT(differences(fewer), ElementsAre("Customer.Status.StatusName is not in the document",
                                              "Status.StatusName is not in the document"));
}

TEST(Transcription, HasAsManyRowsAsTheDocument) {
  std::size_t rows = 0;
  for (const auto& [name, of] : fields())
    rows += of.size();
  EXPECT_EQ(rows, 147U);
  EXPECT_EQ(parameters().size(), 29U);
  EXPECT_EQ(codes().size(), 8U);
}

TEST(Transcription, IsReachedFromItsRoots) {
  std::map<std::string, bool> reached;
  for (const auto& [root, described] : described()) {
    reached[root] = true;
    for (const Leaf& leaf : leaves(root))
      for (const Field* field : leaf.way)
        reached[field->resource] = true;
  }
  for (const auto& [name, of] : fields())
    EXPECT_TRUE(reached[name]) << name;
}

TEST(Transcription, RefusesARowWithAWordTooFew) {
  EXPECT_THROW(rows("a b\n\n# c\na\n", 2), std::runtime_error);
  EXPECT_EQ(rows("# a\n\n a  b\n", 2).size(), 1U);
}

}  // namespace
}  // namespace interface
