#include "connectors/crm/dialect/traits.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

namespace surveybridge::crm {
namespace {

using Version = std::array<int, 3>;

Version version_in(std::string_view text) {
  Version version{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int& number : version) {
    const auto [behind, error] = std::from_chars(at, end, number);
    at = std::min(behind + 1, end);  // behind the dot
    if (error != std::errc{} || behind == end) break;
  }
  return version;
}

std::string shown(const Version& version) {
  return fmt::format("{}.{}.{}", version[0], version[1], version[2]);
}

}  // namespace

std::string too_old(Dialect dialect, std::string_view version) {
  const auto& of = traits(dialect);
  const Version found = version_in(version), oldest = version_in(of.oldest);
  if (found >= oldest) return "";
  return fmt::format("{} {} is too old: the bridge needs {} or later", of.product, shown(found),
                     of.oldest);
}

const DialectTraits& traits(Dialect dialect) {
  switch (dialect) {
    case Dialect::postgresql:
      return kPostgresql;
    case Dialect::mariadb:
      return kMariadb;
    case Dialect::mysql:
      return kMysql;
    case Dialect::sqlserver:
      return kSqlserver;
    case Dialect::sqlite:
      return kSqlite;
  }
  throw std::logic_error("a dialect without a description");
}

// It is never destroyed: a thread whose database does not answer may use it while the program ends.
const std::vector<Dialect>& all_dialects() {
  static const auto* const all = new std::vector<Dialect>{
      Dialect::postgresql, Dialect::mariadb, Dialect::mysql, Dialect::sqlserver, Dialect::sqlite};
  return *all;
}

}  // namespace surveybridge::crm
