// The stored batch and its customers: the fields of docs/SERVICE.md 2.1 and 2.2. Values; the Store
// owns them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/model/life.hpp"
#include "sandbox/model/time.hpp"

namespace sandbox {

using Text = std::optional<std::string>;
using Integer = std::optional<std::int64_t>;
using Instant = std::optional<TimePoint>;

// Encrypted data that the service stores without reading it.
struct Encryption {
  bool encrypted = false;
  Text thumbprint, key;
};

struct ScalePosition {
  Integer id;
  Text label;
  Integer value, ranking;
};

struct FileAnswer {
  Integer id, answer_id;
  Text name;
  Integer size;
  Text type, content;  // content in base64
  Encryption encryption;
};

struct DataValue {
  std::int64_t column = 0;
  std::string name;  // the column's
  Text value;
  Encryption encryption;
};

struct Category {
  std::string category, sub_category;
  int sentiment = 0;
};

struct Answer {
  std::int64_t question = 0;  // BaseQuestionId
  Text text;
  std::vector<ScalePosition> positions;
  Instant answered;
  std::vector<FileAnswer> files;
  Integer page, section;  // repetitions
  std::vector<Category> categories;
};

// ImportCustomer, docs/SERVICE.md 2.2.
struct Imported {
  Text email, phone;
  Instant send_date;
  TimePoint transaction_date;
  Instant end_date;
  Integer priority, previous_id;
  std::vector<DataValue> data;
  std::vector<Answer> answers;
};

// ImportCustomersRequest, docs/SERVICE.md 2.1.
struct Batch {
  std::int64_t id = 0;
  bool approved = false;  // ApproveAutomatically; the others wait for an operator
  Instant end_date;
  std::optional<std::chrono::microseconds> send_time;  // of the day, UTC
  bool test = false, concept_only = false, portal = false;
  TimePoint created;
};

struct Customer {
  std::int64_t id = 0;
  std::size_t batch = 0;  // its position in the Store
  Imported in;
  TimePoint created;
  bool valid_email = false;
  Life life;
  std::int64_t original = 0;  // the customer whose second feedback this is; 0: none
  std::int64_t second = 0;    // its own second feedback; 0: none yet
};

}  // namespace sandbox
