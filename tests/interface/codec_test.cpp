// Each scalar of docs/SERVICE.md alone, through both codecs and back. The bodies are made from the
// copied tables, so a different spelling in the codecs is found.
#include "mapping/codec/codec.hpp"

#include <gtest/gtest.h>

#include "tests/interface/bridge.hpp"
#include "tests/interface/sample.hpp"

namespace interface {
namespace {

using namespace surveybridge::mapping;

// A record with this value at this leaf. Throws for a field that the description does not have.
Record record_of(const Leaf& leaf, const Value& value) {
  Record root(*described().at(leaf.root));
  Record* object = &root;
  for (const interface::Field* step : leaf.way) {
    Slot& slot = object->at(step->name);
    if (step != &leaf.field()) {
      object = &slot.records.emplace_back(*object->resource->find(step->name)->of);
    } else if (step->is_list()) {
      slot.values.push_back(value);
    } else {
      slot.value = value;
    }
  }
  return root;
}

Record read(const std::string& body, const char* type, const std::string& root) {
  auto outcome = read_record(body, type, *described().at(root), Reading{});
  if (const auto* bad = std::get_if<Malformed>(&outcome)) {
    ADD_FAILURE() << bad->place << ": " << bad->rule;
    return Record(*described().at(root));
  }
  return std::get<Record>(std::move(outcome));
}

struct EveryField : testing::TestWithParam<std::string> {};

TEST_P(EveryField, IsReadAndWrittenInJson) {
  for (const Leaf& leaf : leaves(GetParam())) {
    SCOPED_TRACE(leaf.path());
    const Sample value = sample(leaf.field().type);
    const Json body = json_body(leaf, value.json);
    const Record record = record_of(leaf, value.value);
    EXPECT_EQ(read(body.dump(), "application/json", leaf.root), record);
    EXPECT_EQ(Json::parse(write(record, Format::json)), body);
  }
}

TEST_P(EveryField, IsReadAndWrittenInXml) {
  for (const Leaf& leaf : leaves(GetParam())) {
    SCOPED_TRACE(leaf.path());
    const bool choice = leaf.field().type == "enumeration";
    const Sample value = sample(leaf.field().type);
    const Record record = record_of(leaf, choice ? Enumerator{{}, value.xml} : value.value);
    const std::string inside = xml_inside(json_body(leaf, value.xml), leaf.root);
    EXPECT_EQ(read("<R>" + inside + "</R>", "application/xml", leaf.root), record);
    EXPECT_NE(write(record, Format::xml).find(">" + inside + "</"), std::string::npos) << inside;
  }
}

TEST_P(EveryField, MayBeNullInBoth) {
  for (const Leaf& leaf : leaves(GetParam())) {
    if (leaf.field().is_list()) continue;  // a list has items or none
    SCOPED_TRACE(leaf.path());
    const Record record = record_of(leaf, Null{});
    EXPECT_EQ(read(json_body(leaf, nullptr).dump(), "application/json", leaf.root), record);
    std::string nil = xml_inside(json_body(leaf, ""), leaf.root);
    const std::string open = "<" + leaf.field().name + ">";
    nil.replace(nil.rfind(open), open.size(), "<" + leaf.field().name + " i:nil=\"true\">");
    EXPECT_EQ(read("<R>" + nil + "</R>", "application/xml", leaf.root), record);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, EveryField,
                         testing::Values("ImportCustomersRequest", "Customer", "Rating",
                                         "BouncedCustomer", "CustomerDataColumn", "Status"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace interface
