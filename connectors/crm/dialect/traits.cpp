#include "connectors/crm/dialect/traits.hpp"

#include <stdexcept>

namespace surveybridge::crm {

const DialectTraits& traits(Dialect dialect) {
  switch (dialect) {
    case Dialect::postgresql:
      return kPostgresql;
    case Dialect::mariadb:
      return kMariadb;
    case Dialect::sqlserver:
      return kSqlserver;
    case Dialect::sqlite:
      return kSqlite;
  }
  throw std::logic_error("a dialect without a description");
}

const std::vector<Dialect>& all_dialects() {
  static const std::vector<Dialect> all = {Dialect::postgresql, Dialect::mariadb,
                                           Dialect::sqlserver, Dialect::sqlite};
  return all;
}

}  // namespace surveybridge::crm
