#include "daemon/commands/waiting_rows.hpp"

#include <algorithm>

#include "connectors/crm/source/source.hpp"
#include "daemon/context/push_window.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kKeysAtOnce = 10'000;
constexpr std::size_t kBytesAtOnce = 16 << 20;

bool has_address(const mapping::Row& row, const std::string& normal_address) {
  return std::ranges::any_of(row.cells, [&](const mapping::Value& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr && mapping::normal_address(*text) == normal_address;
  });
}

// Of one push.
class Search {
 public:
  Search(crm::Source& source, std::string address, std::size_t most)
      : source_(source), address_(mapping::normal_address(address)), most_(most) {}

  std::vector<std::string> keys_in(const crm::Window& window) {
    for (crm::Chunk chunk; !chunk.end && found_.size() < most_;) {
      chunk = source_.chunk(window, chunk.next, kKeysAtOnce);
      look_at(std::move(chunk.keys));
    }
    return std::move(found_);
  }

 private:
  void look_at(std::vector<std::string> keys) {
    while (!keys.empty()) {
      const auto whole = source_.whole_rows(keys, std::nullopt, kBytesAtOnce);
      for (const auto& row : whole.rows.rows)
        if (found_.size() < most_ && has_address(row, address_)) found_.push_back(row.key);
      keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(whole.keys));
    }
  }

  crm::Source& source_;
  std::string address_;
  std::size_t most_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<WaitingRow> waiting_rows_of(Databases& databases, const config::Settings& settings,
                                        const std::string& only, const std::string& address,
                                        std::size_t most) {
  using namespace std::chrono;
  const auto& zone = settings.crm.time_zone;
  std::vector<WaitingRow> found;
  for (const auto& push : settings.pushes) {
    if (!only.empty() && only != push.name) continue;
    crm::Source source(databases.crm(), databases.store(), crm::source_query(push, zone));
    const crm::Window window{found_since(push, zone, databases.store(), databases.crm().now()),
                             sys_days{9000y / January / 1}};
    for (auto& key : Search(source, address, most - found.size()).keys_in(window))
      found.push_back({push.name, std::move(key)});
    if (found.size() >= most) break;
  }
  return found;
}

}  // namespace surveybridge::daemon
