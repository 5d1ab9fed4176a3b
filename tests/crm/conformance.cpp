#include "tests/crm/conformance.hpp"

#include <cstdlib>
#include <filesystem>

namespace surveybridge::crm {

OnEveryDatabase::OnEveryDatabase() {
  std::string pattern = (std::filesystem::temp_directory_path() / "bridge-XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
  connection_ = "sqlite3://" + folder_ + "/crm.db";
}

OnEveryDatabase::~OnEveryDatabase() {
  open_.clear();
  std::filesystem::remove_all(folder_);
}

Database& OnEveryDatabase::open() {
  return *open_.emplace_back(open_database(connection_));
}

std::string database_name(const testing::TestParamInfo<Server>&) {
  return "sqlite";
}

}  // namespace surveybridge::crm
