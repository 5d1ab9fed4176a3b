// The table of a write-back as the database has it.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/database.hpp"

namespace surveybridge::crm {

struct RealColumn {
  std::string name;
  Kind kind = Kind::other;
  std::string type;       // PostgreSQL: what to cast to, without length; else empty
  bool required = false;  // NOT NULL
};

// DatabaseError where there is no such table or it may not be read.
std::vector<RealColumn> real_columns(Database& database, const std::string& table);

}  // namespace surveybridge::crm
