#include <algorithm>

#include "sandbox/lists/show.hpp"
#include "sandbox/model/answers.hpp"
#include "sandbox/model/enumerations.hpp"

namespace sandbox {
namespace {

void put_encryption(Object& out, const Encryption& encryption) {
  put(out, "IsEncrypted", encryption.encrypted);
  put(out, "CertificateThumbprint", show_text(encryption.thumbprint));
  put(out, "EncryptionKey", show_text(encryption.key));
}

Node show(const Category& category) {
  Object out;
  put(out, "Category", category.category);
  put(out, "SubCategory", category.sub_category);
  put(out, "Sentiment", sentiment(category.sentiment));
  return {std::move(out)};
}

Node show(const ScalePosition& position) {
  Object out;
  put(out, "Id", show_integer(position.id));
  put(out, "Label", show_text(position.label));
  put(out, "Value", show_integer(position.value));
  put(out, "Ranking", show_integer(position.ranking));
  return {std::move(out)};
}

Node show(const FileAnswer& file) {
  Object out;
  put(out, "Id", show_integer(file.id));
  put(out, "AnswerId", show_integer(file.answer_id));
  put(out, "FileName", show_text(file.name));
  put(out, "FileSize", show_integer(file.size));
  put(out, "FileType", show_text(file.type));
  put(out, "Data", show_text(file.content));
  put_encryption(out, file.encryption);
  return {std::move(out)};
}

Node show(const DataValue& data) {
  Object out;
  put(out, "CustomerDataColumnId", data.column);
  put(out, "Name", data.name);
  put(out, "Value", show_text(data.value));
  put_encryption(out, data.encryption);
  return {std::move(out)};
}

template <typename T>
List show_all(std::string_view item, const std::vector<T>& all) {
  List list{item, {}};
  for (const T& one : all)
    list.items.push_back(show(one));
  return list;
}

Node show(const Answer& answer, const View& view) {
  const Question* question = find_question(answer.question);
  Object out;
  put(out, "QuestionId",
      question ? std::string(question->guid) : "00000000-0000-0000-0000-000000000000");
  put(out, "BaseQuestionId", answer.question);
  put(out, "QuestionDescription", question ? std::string(question->description) : std::string());
  put(out, "QuestionText", question ? std::string(question->text) : std::string());
  put(out, "Categories", show_all("AnswerCategory", answer.categories));
  put(out, "PageRepetition", show_integer(answer.page));
  put(out, "SectionRepetition", show_integer(answer.section));
  put_encryption(out, {});
  put(out, "Text", show_text(answer.text));
  put(out, "SelectedScalePositions", show_all("ScalePosition", answer.positions));
  put(out, "DateAnswered", show_instant(answer.answered, view));
  put(out, "FileAnswers", show_all("FileAnswer", answer.files));
  return {std::move(out)};
}

}  // namespace

Node::Value show_instant(const Instant& instant, const View& view) {
  if (instant) return write_date(*instant, view.style.dates);
  if (view.style.unset_is_year_one) return std::string("0001-01-01T00:00:00");
  return Null{};
}

Node::Value show_text(const Text& text) {
  if (!text) return Null{};
  return *text;
}

Node::Value show_integer(const Integer& number) {
  if (!number) return Null{};
  return *number;
}

List show_data(const Customer& customer, const View& view) {
  return view.echo_data ? show_all("CustomerData", customer.in.data) : List{"CustomerData", {}};
}

std::string language_of(const Customer& customer) {
  for (const DataValue& data : customer.in.data) {
    if (data.name == "Language" && data.value && !data.encryption.encrypted) return *data.value;
  }
  return "en";
}

List show_answers(const Customer& customer, const View& view) {
  List list{"ExportAnswer", {}};
  for (const Answer& answer : answers_of(customer, view.seed, view.now)) {
    list.items.push_back(show(answer, view));
  }
  return list;
}

}  // namespace sandbox
