// What a person has decided for a new configuration. Plain values.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"

namespace surveybridge::daemon {

// One line of [push.NAME.customer.Data].
struct MapLine {
  std::string data_column, column;
  bool operator==(const MapLine&) const = default;
};

struct NewSettings {
  std::string base_url;
  config::Auth auth;
  config::Secret connection;
  std::string time_zone = "UTC";
  std::string push = "orders";
  std::string query, key, when;
  std::string start;      // "2026-11-15"
  std::string email;      // a column; empty: none yet
  std::string correlate;  // a data column; empty: none
  std::vector<MapLine> data;
  std::vector<std::string> left_out;  // data columns that get nothing; the file names them
  std::vector<std::string> unused;    // columns of the query that go nowhere; likewise
};

}  // namespace surveybridge::daemon
