#include "sandbox/requests/intake.hpp"

#include <algorithm>
#include <unordered_set>

#include <date/date.h>
#include <fmt/format.h>

#include "sandbox/values/http.hpp"

namespace sandbox {
namespace {

bool base64(std::string_view text) {
  if (text.size() % 4 != 0) return false;
  const auto padding = std::min(text.find('='), text.size());
  if (text.size() - padding > 2 || text.find_first_not_of('=', padding) != text.npos) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(padding), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
  });
}

Encryption read_encryption(Fields& in) {
  Encryption encryption;
  encryption.encrypted = in.boolean("IsEncrypted").value_or(false);
  encryption.thumbprint = in.text("CertificateThumbprint");
  encryption.key = in.text("EncryptionKey");
  return encryption;
}

// Reads one customer after the other, with place and rules.
class CustomerReader {
 public:
  CustomerReader(TimePoint now, const IntakeRules& rules, Findings& findings)
      : now_(now), rules_(rules), findings_(findings) {}

  Imported customer(const Node& node, const std::string& place) {
    Fields in(node, place, findings_, rules_.reading);
    Imported customer;
    customer.email = in.text("Email");
    customer.phone = in.text("PhoneNumber");
    customer.send_date = in.instant("SendDate");
    customer.transaction_date = in.instant("TransactionDate").value_or(now_);
    customer.end_date = in.instant("EndDate");
    customer.priority = in.integer("Priority");
    customer.previous_id = in.integer("PreviousId");
    customer.data = data(in);
    customer.answers = answers(in);
    customer.answers_to_copy = integers(in, "AnswersToCopy");
    customer.copy_all_answers = in.boolean("CopyAllAnswers").value_or(false);
    in.refuse_rest();
    return customer;
  }

 private:
  TimePoint now_;
  const IntakeRules& rules_;
  Findings& findings_;

  // Reads each item of a collection with `read(node, place)`.
  template <typename T, typename Read>
  std::vector<T> each(Fields& in, std::string_view name, std::string_view item, Read read) {
    std::vector<T> all;
    for (const Node* node : in.list(name, item)) {
      all.push_back(read(*node, fmt::format("{}[{}]", in.place_of(name), all.size())));
    }
    return all;
  }

  std::vector<std::int64_t> integers(Fields& in, std::string_view name) {
    return each<std::int64_t>(in, name, "int", [&](const Node& node, const std::string& place) {
      return read_integer(node, place, findings_).value_or(0);
    });
  }

  std::vector<DataValue> data(Fields& in) {
    auto values = each<DataValue>(
        in, "Data", "CustomerData",
        [&](const Node& node, const std::string& place) { return data_value(node, place); });
    refuse_repeated(in, values);
    require_columns(in, values);
    return values;
  }

  DataValue data_value(const Node& node, const std::string& place) {
    Fields in(node, place, findings_, rules_.reading);
    DataValue data;
    const Integer column = in.integer("CustomerDataColumnId");
    in.text("Name");  // the id alone identifies the column (2.3)
    data.value = in.text("Value");
    if (data.value) change(*data.value);
    data.encryption = read_encryption(in);
    in.refuse_rest();
    data.column = column.value_or(0);
    data.name = column_name(column, in);
    return data;
  }

  void change(std::string& value) const {
    if (rules_.data_values == Options::DataValues::cut)
      value.resize(std::min<std::size_t>(value.size(), 10));
    if (rules_.data_values == Options::DataValues::upper)
      for (char& c : value)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }

  std::string column_name(Integer id, Fields& in) {
    const auto found = std::find_if(rules_.columns.begin(), rules_.columns.end(),
                                    [&](const DataColumn& column) { return column.id == id; });
    if (!id) {
      in.require("CustomerDataColumnId");
    } else if (found == rules_.columns.end()) {
      in.refuse("CustomerDataColumnId", fmt::format("there is no data column {}", *id));
    } else if (found->archived) {
      in.refuse("CustomerDataColumnId",
                fmt::format("data column {} ({}) is archived", *id, found->name));
    } else {
      return found->name;
    }
    return "";
  }

  void refuse_repeated(Fields& in, const std::vector<DataValue>& values) {
    for (auto value = values.begin(); value != values.end(); ++value) {
      const auto same = [&](const DataValue& other) { return other.column == value->column; };
      if (value->column != 0 && std::any_of(values.begin(), value, same)) {
        in.refuse("Data", fmt::format("data column {} appears twice", value->column));
      }
    }
  }

  // Rule 4 of docs/SERVICE.md 4.1. An empty value counts as
  // missing.
  void require_columns(Fields& in, const std::vector<DataValue>& values) {
    for (const DataColumn& column : rules_.columns) {
      if (!column.required || column.archived) continue;
      const auto filled = [&](const DataValue& value) {
        return value.column == column.id && value.value && !value.value->empty();
      };
      if (std::any_of(values.begin(), values.end(), filled)) continue;
      in.refuse("Data",
                fmt::format("the required data column {} ({}) is missing", column.id, column.name));
    }
  }

  std::vector<Answer> answers(Fields& in) {
    return each<Answer>(
        in, "Answers", "ImportAnswerExternal",
        [&](const Node& node, const std::string& place) { return answer(node, place); });
  }

  Answer answer(const Node& node, const std::string& place) {
    Fields in(node, place, findings_, rules_.reading);
    Answer answer;
    in.require("BaseQuestionId");
    answer.question = in.integer("BaseQuestionId").value_or(0);
    answer.not_applicable = in.boolean("IsNotApplicableSelected").value_or(false);
    answer.text = in.text("Text");
    answer.positions = each<ScalePosition>(
        in, "SelectedScalePositions", "ScalePosition",
        [&](const Node& one, const std::string& at) { return position(one, at); });
    answer.answered = in.instant("DateAnswered");
    answer.files =
        each<FileAnswer>(in, "FileAnswers", "FileAnswer",
                         [&](const Node& one, const std::string& at) { return file(one, at); });
    answer.page = in.integer("PageRepetition");
    answer.section = in.integer("SectionRepetition");
    in.refuse_rest();
    return answer;
  }

  ScalePosition position(const Node& node, const std::string& place) {
    Fields in(node, place, findings_, rules_.reading);
    ScalePosition position;
    position.id = in.integer("Id");
    position.label = in.text("Label");
    position.value = in.integer("Value");
    position.ranking = in.integer("Ranking");
    in.refuse_rest();
    return position;
  }

  FileAnswer file(const Node& node, const std::string& place) {
    Fields in(node, place, findings_, rules_.reading);
    FileAnswer file;
    file.id = in.integer("Id");
    file.answer_id = in.integer("AnswerId");
    file.name = in.text("FileName");
    file.size = in.integer("FileSize");
    file.type = in.text("FileType");
    file.content = in.text("Data");
    if (file.content && !base64(*file.content)) in.refuse("Data", "not base64");
    file.encryption = read_encryption(in);
    in.refuse_rest();
    return file;
  }
};

void read_type(Fields& in, Batch& batch) {
  const std::string type = in.text("TypeBatch").value_or("0");
  batch.portal = type == "1" || type == "portal";
  if (!batch.portal && type != "0" && type != "email") {
    in.refuse("TypeBatch", "allowed are 0, 1, email and portal");
  }
}

void read_notification(Fields& in, Batch& batch) {
  batch.notify = in.text("NotificationEmailAddresses").value_or("");
  std::string_view rest = batch.notify;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    std::string_view one = rest.substr(0, comma);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    one = one.substr(0, one.find_last_not_of(' ') + 1);
    if (!valid_email(one)) {
      return in.refuse("NotificationEmailAddresses", "not a comma separated list of addresses");
    }
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

Batch read_settings(Fields& in, const ReadingRules& reading) {
  Batch batch;
  batch.approve_automatically = in.boolean("ApproveAutomatically").value_or(false);
  batch.end_date = in.instant("EndDate");
  if (const auto time = in.date("SendTime")) {
    const TimePoint instant = time->instant(reading.offset);
    batch.send_time = instant - date::floor<date::days>(instant);
  }
  batch.concept_only = in.boolean("IsConcept").value_or(false);
  batch.test = in.boolean("IsTest").value_or(false) || batch.concept_only;
  read_type(in, batch);
  batch.allow_duplicates = in.boolean("AllowDuplicateEmail").value_or(false);
  read_notification(in, batch);
  batch.name = in.text("BatchName").value_or("");
  return batch;
}

void refuse_duplicates(Intake& intake, Findings& findings) {
  const auto& customers = intake.customers;
  std::unordered_set<std::string> seen;
  for (std::size_t at = 0; at < customers.size(); ++at) {
    if (!customers[at].email || customers[at].email->empty()) continue;
    if (!seen.insert(lower_case(*customers[at].email)).second) {
      intake.sound[at] = false;
      findings.add(fmt::format("request.Customers[{}].Email", at),
                   "the address appears twice in the batch and AllowDuplicateEmail is false");
    }
  }
}

}  // namespace

Intake read_batch(const Node& body, TimePoint now, const IntakeRules& rules, Findings& findings) {
  Intake intake;
  Fields in(body, "request", findings, rules.reading);
  intake.batch = read_settings(in, rules.reading);
  intake.batch.created = now;
  const auto nodes = in.list("Customers", "ImportCustomer");
  in.refuse_rest();
  if (nodes.empty()) in.refuse("Customers", "a batch needs at least one customer");
  if (nodes.size() > static_cast<std::size_t>(rules.most_customers)) {
    in.refuse("Customers", fmt::format("{} customers; at most {} are taken in one call",
                                       nodes.size(), rules.most_customers));
    return intake;
  }
  CustomerReader reader(now, rules, findings);
  for (const Node* node : nodes) {
    const std::size_t before = findings.count();
    intake.customers.push_back(
        reader.customer(*node, fmt::format("request.Customers[{}]", intake.customers.size())));
    intake.sound.push_back(findings.count() == before);
  }
  if (!intake.batch.allow_duplicates) refuse_duplicates(intake, findings);
  return intake;
}

}  // namespace sandbox
