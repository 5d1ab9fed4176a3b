// Prepared statements of a session that wait to be executed again.
#pragma once

#include <cstddef>
#include <list>
#include <string>

#include <soci/soci.h>

namespace surveybridge::crm {

struct PreparedStatement {
  std::string sql;
  std::size_t parameters;
  soci::statement statement;
};

// One that is in use is not among them. They must go before their session.
class KeptStatements {
 public:
  // Of no or one element, so that nothing is copied.
  using Taken = std::list<PreparedStatement>;

  Taken take(const std::string& sql, std::size_t parameters);
  // The one that was used longest ago goes when there are too many.
  void keep(Taken statement);
  void clear() noexcept { kept_.clear(); }

 private:
  static constexpr std::size_t kMost = 200;

  std::list<PreparedStatement> kept_;  // the last used is the first
};

}  // namespace surveybridge::crm
