#include "mapping/interface/path.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/interface/resource.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

constexpr std::size_t kPathBytes = 1024;

// One step as it is written: "Answers[1200]".
struct Word {
  std::string_view name;
  std::optional<std::string_view> key;
};

using Words = std::variant<std::vector<Word>, std::string>;

// Dots within brackets belong to the key: a data column may have the name "order.no".
Words split(std::string_view text) {
  if (text.size() > kPathBytes) return "a path has at most 1024 bytes";
  std::vector<Word> words;
  while (true) {
    Word word{text.substr(0, text.find_first_of(".[")), {}};
    if (word.name.empty()) return "a path is written Field, Field.Field or Field[x].Field";
    text.remove_prefix(word.name.size());
    if (text.starts_with('[')) {
      const auto close = text.find(']');
      if (close == std::string_view::npos) return "\"[\" without \"]\"";
      word.key = text.substr(1, close - 1);
      if (word.key->empty()) return fmt::format("{}[] says not which", word.name);
      text.remove_prefix(close + 1);
    }
    words.push_back(word);
    if (text.empty()) return words;
    if (!text.starts_with('.')) return fmt::format("expected \".\" before \"{}\"", text);
    text.remove_prefix(1);
  }
}

std::optional<std::int64_t> number_in(std::string_view text) {
  return to_number<std::int64_t>(text);
}

// The fields by which a list is searched: Data by name or number of the column, Answers by the
// question. Other lists are indexed by position.
std::vector<std::size_t> key_fields(const Field& list, std::string_view key) {
  std::vector<std::string_view> names;
  if (list.name == "Data") names = {"Name", "DisplayName"};
  if (list.name == "Data" && number_in(key)) names.emplace_back("CustomerDataColumnId");
  if (list.name == "Answers")
    names = {list.of->find("BaseQuestionId") ? "BaseQuestionId" : "QuestionId"};
  std::vector<std::size_t> fields;
  for (const std::string_view name : names) {
    if (const Field* field = list.of->find(name)) fields.push_back(list.of->index(*field));
  }
  return fields;
}

bool is_called(const Value& value, const std::string& key) {
  if (const auto* text = std::get_if<std::string>(&value)) return same_name(*text, key);
  const auto* number = std::get_if<std::int64_t>(&value);
  return number && number_in(key) == *number;
}

// Whether the path may continue or end at this field; empty: yes.
std::string fault_in_word(const Word& word, const Field& field, bool last) {
  if (field.list && field.type == Type::object) {
    if (!word.key) return fmt::format("{0} is a list: say which, as {0}[0]", field.name);
    if (field.name != "Data" && number_in(*word.key).value_or(-1) < 0)
      return fmt::format("{}[{}]: expected a number from 0", field.name, *word.key);
    if (last && field.name != "Data")
      return fmt::format("{} holds objects: name a field of it", field.name);
    return {};
  }
  if (field.list) return fmt::format("{} holds several values: a path means one", field.name);
  if (word.key) return fmt::format("{} is no list", field.name);
  const bool object = field.type == Type::object;
  if (object && last) return fmt::format("{} is an object: name a field of it", field.name);
  if (!object && !last) return fmt::format("{} has no fields of its own", field.name);
  return {};
}

}  // namespace

std::variant<Path, std::string> Path::parse(std::string_view text, const Resource& root) {
  Words split_up = split(text);
  if (auto* fault = std::get_if<std::string>(&split_up)) return std::move(*fault);
  auto& words = std::get<std::vector<Word>>(split_up);
  if (words.back().name == "Data" && words.back().key) words.push_back({"Value", {}});
  Path path;
  const Resource* resource = &root;
  for (const Word& word : words) {
    auto found = named_field(*resource, word.name);
    if (auto* fault = std::get_if<std::string>(&found)) return std::move(*fault);
    const Field* field = std::get<const Field*>(found);
    const bool last = &word == &words.back();
    if (auto fault = fault_in_word(word, *field, last); !fault.empty()) return fault;
    path.add(*field, resource->index(*field), word.key);
    resource = field->of;
  }
  return path;
}

void Path::add(const Field& field, std::size_t slot, std::optional<std::string_view> key) {
  Step step;
  step.field = slot;
  type_ = field.type;
  if (key) {
    step.key = *key;
    step.key_fields = key_fields(field, *key);
    step.pick = step.key_fields.empty() ? Step::Pick::position : Step::Pick::by_key;
    if (step.pick == Step::Pick::position)
      step.position = static_cast<std::size_t>(*number_in(*key));
  }
  steps_.push_back(std::move(step));
}

const Record* Path::Step::pick_from(const std::vector<Record>& records) const {
  const auto fits = [&](const Record& item) {
    return std::ranges::any_of(
        key_fields, [&](std::size_t slot) { return is_called(item.slots[slot].value, key); });
  };
  if (pick == Pick::by_key) {
    const auto found = std::ranges::find_if(records, fits);
    return found == records.end() ? nullptr : &*found;
  }
  return position < records.size() ? &records[position] : nullptr;
}

Value Path::read(const Record& record) const {
  const Record* object = &record;
  for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
    object = steps_[i].pick_from(object->slots[steps_[i].field].records);
    if (!object) return Null{};
  }
  return object->slots[steps_.back().field].value;
}

Type Path::type() const {
  return type_;
}

}  // namespace surveybridge::mapping
