// [crm]: the database with the rows to push and the bridge's own tables.
#include <algorithm>
#include <array>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

bool is_connection(const std::string& text) {
  constexpr std::array kBackends = {"postgresql://", "odbc://", "sqlite3://"};
  const bool known = std::any_of(kBackends.begin(), kBackends.end(), [&](std::string_view backend) {
    return text.starts_with(backend) && text.size() > backend.size();
  });
  return known && text.size() <= 4096 && !has_control(text);
}

}  // namespace

Kind<Crm> crm_section() {
  return section<Crm>({
      required(
          key("connection", &Crm::connection,
              secret_or_text(R"("postgresql://…", "odbc://…" or "sqlite3://…")", is_connection),
              "the database")),
      key("time_zone", &Crm::time_zone, zone(),
          "for the database's timestamps without a zone, and of its sessions"),
  });
}

}  // namespace surveybridge::config
