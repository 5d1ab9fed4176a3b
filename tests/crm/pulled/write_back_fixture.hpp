// A table of orders on every database, and writes into it.
#pragma once

#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/records.hpp"
#include "tests/crm/turned_clock.hpp"

namespace surveybridge::crm {

using mapping::Null;
using mapping::Record;

inline constexpr std::int64_t kGood = 4;

// A customer who answered question 1200 with a score; OrderNumber tells which order it was.
inline Record answered(std::int64_t id, const std::string& order, Value score) {
  Record customer = bare_customer(id);
  Record data(*mapping::customer().find("Data")->of);
  data.set("Name", std::string{"OrderNumber"});
  data.set("Value", order);
  customer.at("Data").records.push_back(data);
  const auto& answer_shape = *mapping::customer().find("Answers")->of;
  Record answer(answer_shape), position(*answer_shape.find("SelectedScalePositions")->of);
  answer.set("BaseQuestionId", std::int64_t{1200});
  answer.set("Text", std::string{"fine"});
  position.set("Value", std::move(score));
  answer.at("SelectedScalePositions").records.push_back(position);
  customer.at("Answers").records.push_back(answer);
  return customer;
}

inline constexpr const char* kScore = "Answers[1200].SelectedScalePositions[0].Value";

class WriteBack : public OnOurTables {
 protected:
  WriteBack() {
    run_statement(database,
                  "CREATE TABLE orders (id integer PRIMARY KEY, code varchar(20), score smallint,"
                  " remark varchar(10), done boolean, at timestamp, day date, amount numeric(10,2),"
                  " CHECK (score < 100))");
    for (const char* id : {"1", "2", "3"}) {
      run_statement(database,
                    std::string("INSERT INTO orders (id, code) VALUES (") + id + ", 'twin')");
    }
  }

  static config::Write::Cell cell(const std::string& column, const std::string& path) {
    return {column, path, {"bridge.toml", 7, 3}};
  }
  static config::Write write(std::vector<config::Write::Cell> match,
                             std::vector<config::Write::Cell> set,
                             const std::string& table = "orders") {
    return {{"bridge.toml", 6, 1}, table, std::move(match), std::move(set)};
  }
  static config::Write score_of_order() {
    return write({cell("id", "Data[OrderNumber]")}, {cell("score", kScore)});
  }
  Saved save(const config::Write& what, const std::vector<Record>& records,
             const std::string& zone = "UTC") {
    PullStore tables(database, mapping::customer(), {what}, zone);
    return tables.save(records, walk_of_all(), std::nullopt);
  }
  static StoredWalk walk_of_all() { return {"customers", "all", {}, {}, "", {}, 0, 0, {}, ""}; }
  std::vector<Value> column(const std::string& name) {
    return cells_in(database, "SELECT " + name + " FROM orders ORDER BY id");
  }
  std::vector<std::string> problems(const config::Write& what) {
    std::vector<std::string> texts;
    for (const auto& problem : check_writes(database, mapping::customer(), {what})) {
      texts.push_back(to_string(problem));
    }
    return texts;
  }

  TurnedClock database{open()};
};

}  // namespace surveybridge::crm
