#include "daemon/commands/waiting_rows.hpp"

#include <algorithm>
#include <set>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/push/push_plan.hpp"
#include "mapping/values/address.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kKeysAtOnce = 10'000;
constexpr std::size_t kBytesAtOnce = 16 << 20;

// As a cell writes it: alone, with a name, behind mailto:, or in a list.
bool has_address(const mapping::Row& row, const std::string& normal_address) {
  const auto is_it = [&](const std::string& text) {
    return mapping::normal_address(text) == normal_address;
  };
  return std::ranges::any_of(row.cells, [&](const mapping::Value& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr &&
           (is_it(*text) || std::ranges::any_of(mapping::addresses_in(*text).addresses, is_it));
  });
}

// Of one push.
class AddressSearch {
 public:
  // `mapper`: of the push, if its map is right.
  AddressSearch(crm::Source& source, const mapping::Mapper* mapper, const config::Batch& batch,
                std::string address, std::size_t most, TimePoint now)
      : source_(source),
        mapper_(mapper),
        batch_(batch),
        address_(mapping::normal_address(address)),
        most_(most),
        now_(now) {}

  std::vector<std::string> keys_in(const crm::Window& window) {
    for (crm::Chunk chunk; !chunk.end && found_.size() < most_;) {
      chunk = source_.chunk(window, chunk.next, kKeysAtOnce);
      look_at(std::move(chunk.keys));
    }
    return std::move(found_);
  }
  // Rows that the ledger knows without knowing whose they are: they may go out later.
  void look_among(crm::Ledger& ledger, const std::string& push) {
    for (const auto state : {crm::State::pending, crm::State::quarantined}) {
      std::string last;
      for (auto keys = ledger.without_person(push, state, last, kKeysAtOnce);
           !keys.empty() && found_.size() < most_;
           keys = ledger.without_person(push, state, last, kKeysAtOnce)) {
        last = keys.back();
        look_at(std::move(keys));
      }
    }
  }

 private:
  void look_at(std::vector<std::string> keys) {
    while (!keys.empty()) {
      const auto whole = source_.whole_rows(keys, std::nullopt, kBytesAtOnce);
      const auto mapped = mapped_keys(whole.rows.rows);
      for (const auto& row : whole.rows.rows)
        if (found_.size() < most_ && (has_address(row, address_) || mapped.contains(row.key)))
          found_.push_back(row.key);
      keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(whole.keys));
    }
  }

  // Those whose address the map makes of several cells, say.
  std::set<std::string> mapped_keys(const std::vector<mapping::Row>& rows) const {
    std::set<std::string> keys;
    if (mapper_ == nullptr) return keys;
    for (const auto& item : map_rows(*mapper_, rows, batch_, now_).items)
      if (mapping::normal_address(item.claim.email) == address_) keys.insert(item.claim.key);
    return keys;
  }

  crm::Source& source_;
  const mapping::Mapper* mapper_;
  const config::Batch& batch_;
  std::string address_;
  std::size_t most_;
  TimePoint now_;
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
    const auto made = mapping::Mapper::make(push, names_of(source.columns()), {}, zone);
    AddressSearch search(source, std::get_if<mapping::Mapper>(&made), push.batch, address,
                         most - found.size(), databases.crm().now());
    crm::Ledger ledger(databases.store());
    search.look_among(ledger, push.name);
    for (auto& key : search.keys_in(window))
      found.push_back({push.name, std::move(key)});
    if (found.size() >= most) break;
  }
  return found;
}

}  // namespace surveybridge::daemon
