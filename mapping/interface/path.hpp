// A path into a record, as write-back uses it: "Status.StatusName", "Data[OrderNumber]",
// "Answers[1200].SelectedScalePositions[0].Value". Checked against the description when made. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

class Path {
 public:
  // The path, or one sentence saying what is wrong with it ("Customer has no field \"Stauts\" (did
  // you mean \"Status\"?)"). In Data[x], x is a Name (a number: its CustomerDataColumnId), without
  // regard to case; in Answers[n] of a customer n is a BaseQuestionId, of a rating a QuestionId;
  // in a rating's Data[x] x is a DisplayName; in every other list [n] is a position from 0.
  // Data[x] and nothing behind it means its Value.
  static std::variant<Path, std::string> parse(std::string_view text, const Resource& root);

  // The value there; Null where a part of the way is absent. The first of several that fit.
  Value read(const Record& record) const;
  Type type() const;

 private:
  struct Step {
    std::size_t field = 0;
    enum class Pick { none, position, by_key } pick = Pick::none;
    std::size_t position = 0;
    std::vector<std::size_t> key_fields;  // item fields compared with `key`
    std::string key;

    // The record to go on with; nullptr where there is none.
    const Record* pick_from(const std::vector<Record>& records) const;
  };
  void add(const Field& field, std::size_t slot, std::optional<std::string_view> key);

  std::vector<Step> steps_;
  Type type_ = Type::text;
};

}  // namespace surveybridge::mapping
