#include <algorithm>
#include <map>
#include <set>

#include "tests/tree/code.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

// A floor, and the floors whose headers it may include besides its own. Only tests may include all.
const std::map<std::string, std::set<std::string>, std::less<>> kFloors = {
    {"config", {}},
    {"mapping", {"config"}},
    {"connectors/crm", {"config", "mapping"}},
    {"connectors/service", {"config", "mapping"}},
    {"http", {}},
    {"daemon", {"config", "mapping", "connectors/crm", "connectors/service", "http"}},
    {"sandbox", {"http"}},
};

// A header (or the beginning of its path), and the files that may include it (or the beginnings of
// their paths).
struct Library {
  std::string_view header;
  std::vector<std::string_view> homes;
};
const std::vector<Library> kLibraries = {
    {"curl/", {"connectors/service/curl_transport."}},
    {"soci/soci.h", {"connectors/crm/driver/driver."}},
    {"soci/sqlite3/", {"connectors/crm/driver/sqlite_driver."}},
    {"soci/postgresql/", {"connectors/crm/driver/postgresql_driver."}},
    {"soci/odbc/", {"connectors/crm/driver/odbc_driver."}},
    {"libpq-fe.h", {"connectors/crm/driver/postgresql_"}},
    {"sqlite3.h", {"connectors/crm/driver/sqlite_driver."}},
    {"sql.h", {"connectors/crm/driver/odbc_driver."}},
    {"sqlext.h", {"connectors/crm/driver/odbc_driver."}},
    {"boost/uuid/",
     {"mapping/values/name_uuid."}},  // Beast takes long to compile; this is only a hash
    {"boost/math/", {"mapping/statistics/statistics."}},
    {"boost/", {"http/"}},
    {"toml++/", {"config/toml/toml_reader."}},
    {"utf8.h", {"config/text.", "sandbox/model/text."}},
    {"uninorm.h", {"mapping/values/text."}},
    // An OAuth2 token is no resource of the service, so the code that fetches it reads it.
    {"nlohmann/",
     {"connectors/service/credentials.", "sandbox/body/json", "daemon/job/json_text."}},
    {"prometheus/", {"daemon/metrics/", "daemon/status/metrics."}},
    {"openssl/",
     {"mapping/values/base64.", "mapping/values/person.", "connectors/service/client_certificate.",
      "daemon/status/gate.", "sandbox/model/text.", "tests/support/tls_front.",
      "tests/support/tls_server."}},
    {"pugixml.hpp", {"mapping/codec/xml", "sandbox/body/xml"}},
    {"systemd/", {"daemon/commands/run.", "daemon/job/log."}},
};

// Headers that may have one user: jobs, the parts of a program that only its main part includes,
// and parts of a class that are an idea of their own.
constexpr std::string_view kMayHaveOneUser[] = {
    "daemon/commands/resend_check.hpp",
    "daemon/pull/pull_job.hpp",
    "daemon/pull/reference_data_job.hpp",
    "daemon/pull/report_renewal.hpp",
    "daemon/push/batch_choice.hpp",
    "daemon/push/forbidden.hpp",
    "daemon/push/posts.hpp",
    "daemon/push/push_job.hpp",
    "daemon/push/restore_check.hpp",
    "daemon/reconcile/reconcile_job.hpp",
};

// The files that include each header, without its own source.
std::map<std::string, std::set<std::string>> users_of_headers(const Tree& tree) {
  std::map<std::string, std::set<std::string>> users;
  for (const File& file : tree) {
    if (!is_source(file)) continue;
    const std::string own = file.path.substr(0, file.path.rfind('.')) + ".hpp";
    for (const Include& include : includes_of(file.text))
      if (include.quoted && include.target != own) users[include.target].insert(file.path);
  }
  return users;
}

std::string floor_of(std::string_view path) {
  const std::string folder(folder_of(path));
  return folder.substr(0, folder.find('/', starts(folder, "connectors/") ? 11 : 0));
}

bool allowed(const File& from, const std::string& target) {
  const auto floor = kFloors.find(floor_of(from.path));
  const std::string other = floor_of(target);
  return floor == kFloors.end() || other == floor->first || floor->second.count(other) != 0;
}

bool exists(const Tree& tree, const std::string& path) {
  return std::any_of(tree.begin(), tree.end(), [&](const File& f) { return f.path == path; });
}

// The first library of the table that matches the header decides.
bool at_home(const File& file, const std::string& header) {
  for (const Library& library : kLibraries)
    if (starts(header, library.header))
      return std::any_of(library.homes.begin(), library.homes.end(),
                         [&](std::string_view home) { return starts(file.path, home); });
  return true;
}

}  // namespace

Breaches includes_that_point_up(const Tree& tree) {
  Breaches found;
  for (const File& file : tree) {
    if (!is_source(file)) continue;
    for (const Include& include : includes_of(file.text)) {
      if (!include.quoted) continue;
      if (!exists(tree, include.target))
        found.push_back(at(file, include.line, "no file " + include.target + " from the root"));
      else if (!allowed(file, include.target))
        found.push_back(at(file, include.line, "may not include " + include.target));
    }
  }
  return found;
}

Breaches libraries_out_of_their_place(const Tree& tree) {
  Breaches found;
  for (const File& file : tree) {
    if (!is_product(file)) continue;
    for (const Include& include : includes_of(file.text))
      if (!at_home(file, include.target))
        found.push_back(at(file, include.line, include.target + " belongs to another file"));
  }
  return found;
}

Breaches headers_with_one_user(const Tree& tree) {
  auto users = users_of_headers(tree);
  Breaches found;
  for (const File& file : tree) {
    if (!ends(file.path, ".hpp") || !is_product(file)) continue;
    const auto& who = users[file.path];
    if (who.size() > 1 || std::ranges::count(kMayHaveOneUser, file.path) > 0) continue;
    found.push_back(
        at(file, 1, who.empty() ? "nobody includes it" : "only " + *who.begin() + " includes it"));
  }
  return found;
}

}  // namespace tree
