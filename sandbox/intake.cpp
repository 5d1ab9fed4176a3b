#include <algorithm>
#include <unordered_set>

#include <date/date.h>
#include <fmt/format.h>

#include "sandbox/model/http.hpp"
#include "sandbox/model/text.hpp"
#include "sandbox/store.hpp"

namespace sandbox {
namespace {

constexpr std::size_t kMostCustomers = 200;  // docs/SERVICE.md 4.1

bool letter_or_digit(char c) {
  // Bytes of UTF-8 beyond ASCII are accepted, for internationalised addresses.
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80);
}

// Parts of at most `longest` bytes with dots between, of letters, digits and the characters of
// `also`.
bool has_parts(std::string_view text, int least, std::size_t longest, std::string_view also) {
  const auto allowed = [&](char c) { return letter_or_digit(c) || also.find(c) != also.npos; };
  for (int parts = 1;; ++parts) {
    const auto dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    if (part.empty() || part.size() > longest) return false;
    if (!std::all_of(part.begin(), part.end(), allowed)) return false;
    if (dot == text.npos) return parts >= least;
    text.remove_prefix(dot + 1);
  }
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
    Fields in(node, place, findings_);
    Imported customer;
    customer.email = in.text("Email");
    customer.phone = in.text("PhoneNumber");
    customer.send_date = in.instant("SendDate");
    customer.transaction_date = in.instant("TransactionDate").value_or(now_);
    customer.end_date = in.instant("EndDate");
    customer.priority = in.integer("Priority");
    customer.previous_id = in.integer("PreviousId");
    customer.data = data(in);
    customer.answers = each(in, "Answers", "ImportAnswerExternal", &CustomerReader::answer);
    check_integers(in, "AnswersToCopy");  // nothing is copied here
    in.boolean("CopyAllAnswers");
    in.refuse_rest();
    return customer;
  }

 private:
  TimePoint now_;
  const IntakeRules& rules_;
  Findings& findings_;

  // Reads each item of a collection of objects.
  template <typename T>
  std::vector<T> each(Fields& in, std::string_view name, std::string_view item,
                      T (CustomerReader::*read)(Fields&)) {
    std::vector<T> all;
    for (const Node* node : in.list(name, item)) {
      Fields one(*node, fmt::format("{}[{}]", in.place_of(name), all.size()), findings_);
      all.push_back((this->*read)(one));
      one.refuse_rest();
    }
    return all;
  }

  void check_integers(Fields& in, std::string_view name) {
    int at = 0;
    for (const Node* node : in.list(name, "int"))
      read_integer(*node, fmt::format("{}[{}]", in.place_of(name), at++), findings_);
  }

  std::vector<DataValue> data(Fields& in) {
    auto values = each(in, "Data", "CustomerData", &CustomerReader::data_value);
    refuse_repeated(in, values);
    require_columns(in, values);
    return values;
  }

  DataValue data_value(Fields& in) {
    DataValue data;
    const Integer column = in.integer("CustomerDataColumnId");
    in.text("Name");  // the id alone identifies the column (2.3)
    data.value = in.text("Value");
    if (data.value) change(*data.value);
    data.encryption = read_encryption(in);
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

  // Rule 4 of docs/SERVICE.md 4.1. An empty value counts as missing.
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

  Answer answer(Fields& in) {
    Answer answer;
    in.require("BaseQuestionId");
    answer.question = in.integer("BaseQuestionId").value_or(0);
    in.boolean("IsNotApplicableSelected");
    answer.text = in.text("Text");
    answer.positions =
        each(in, "SelectedScalePositions", "ScalePosition", &CustomerReader::position);
    answer.answered = in.instant("DateAnswered");
    answer.files = each(in, "FileAnswers", "FileAnswer", &CustomerReader::file);
    answer.page = in.integer("PageRepetition");
    answer.section = in.integer("SectionRepetition");
    return answer;
  }

  ScalePosition position(Fields& in) {
    ScalePosition position;
    position.id = in.integer("Id");
    position.label = in.text("Label");
    position.value = in.integer("Value");
    position.ranking = in.integer("Ranking");
    return position;
  }

  FileAnswer file(Fields& in) {
    FileAnswer file;
    file.id = in.integer("Id");
    file.answer_id = in.integer("AnswerId");
    file.name = in.text("FileName");
    file.size = in.integer("FileSize");
    file.type = in.text("FileType");
    file.content = in.text("Data");
    if (file.content && !is_base64(*file.content)) in.refuse("Data", "not base64");
    file.encryption = read_encryption(in);
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

void check_notification(Fields& in) {
  const std::string all = in.text("NotificationEmailAddresses").value_or("");
  std::string_view rest = all;
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

Batch read_settings(Fields& in, TimePoint now) {
  Batch batch;
  batch.created = now;
  batch.approved = in.boolean("ApproveAutomatically").value_or(false);
  batch.end_date = in.instant("EndDate");
  if (const auto time = in.instant("SendTime"))
    batch.send_time = *time - date::floor<date::days>(*time);
  batch.concept_only = in.boolean("IsConcept").value_or(false);
  batch.test = in.boolean("IsTest").value_or(false) || batch.concept_only;
  read_type(in, batch);
  check_notification(in);
  in.text("BatchName");
  return batch;
}

void refuse_duplicates(const std::vector<Imported>& customers, Findings& findings) {
  std::unordered_set<std::string> seen;
  for (std::size_t at = 0; at < customers.size(); ++at) {
    if (!customers[at].email || customers[at].email->empty()) continue;
    if (!seen.insert(lower_case(*customers[at].email)).second) {
      findings.add(fmt::format("request.Customers[{}].Email", at),
                   "the address appears twice in the batch and AllowDuplicateEmail is false");
    }
  }
}

}  // namespace

bool valid_email(std::string_view address) {
  constexpr std::size_t kLongest = 254, kLongestLocal = 64, kLongestLabel = 63;
  const auto at = address.rfind('@');
  if (at == address.npos || address.size() > kLongest || at > kLongestLocal) return false;
  if (!has_parts(address.substr(0, at), 1, kLongestLocal, "!#$%&'*+-/=?^_`{|}~")) return false;
  const std::string domain = "." + std::string(address.substr(at + 1)) + ".";
  if (domain.find(".-") != domain.npos || domain.find("-.") != domain.npos) return false;
  return has_parts(address.substr(at + 1), 2, kLongestLabel, "-");
}

Intake read_batch(const Node& body, TimePoint now, const IntakeRules& rules, Findings& findings) {
  Fields in(body, "request", findings);
  Intake intake{read_settings(in, now), {}};
  const bool duplicates = in.boolean("AllowDuplicateEmail").value_or(false);
  const auto nodes = in.list("Customers", "ImportCustomer");
  in.refuse_rest();
  if (nodes.empty()) in.refuse("Customers", "a batch needs at least one customer");
  if (nodes.size() > kMostCustomers) {
    in.refuse("Customers", fmt::format("{} customers; at most {} are taken in one call",
                                       nodes.size(), kMostCustomers));
    return intake;
  }
  CustomerReader reader(now, rules, findings);
  for (const Node* node : nodes) {
    intake.customers.push_back(
        reader.customer(*node, fmt::format("request.Customers[{}]", intake.customers.size())));
  }
  if (!duplicates) refuse_duplicates(intake.customers, findings);
  return intake;
}

}  // namespace sandbox
