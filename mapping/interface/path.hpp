// A path into a record, for write-back: "Status.StatusName", "Data[OrderNumber]",
// "Answers[1200].SelectedScalePositions[0].Value". Checked when it is made. Pure.
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
  // The path, or one sentence with the error ("Customer has no field \"Stauts\" (did you mean
  // \"Status\"?)"). In Data[x], x is a Name without regard to case, or a number
  // (CustomerDataColumnId). In a rating's Data[x] it is a DisplayName. In Answers[n], n is a
  // BaseQuestionId for a customer and a QuestionId for a rating. In every other list [n] is a
  // position from 0. Data[x] alone means its Value.
  static std::variant<Path, std::string> parse(std::string_view text, const Resource& root);

  // The value at the path; Null where a part of it is absent. The first match counts.
  Value read(const Record& record) const;
  Type type() const;

 private:
  struct Step {
    std::size_t field = 0;
    enum class Pick { none, position, by_key } pick = Pick::none;
    std::size_t position = 0;
    std::vector<std::size_t> key_fields;  // item fields compared with `key`
    std::string key;

    // The record to continue with; nullptr if there is none.
    const Record* pick_from(const std::vector<Record>& records) const;
  };
  void add(const Field& field, std::size_t slot, std::optional<std::string_view> key);

  std::vector<Step> steps_;
  Type type_ = Type::text;
};

}  // namespace surveybridge::mapping
