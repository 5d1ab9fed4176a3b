#include "daemon/reconcile/reconcile_plan.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "config/text.hpp"
#include "daemon/push/push_plan.hpp"
#include "mapping/interface/second_feedback.hpp"
#include "mapping/report/invitation.hpp"
#include "mapping/values/service_copy.hpp"

namespace surveybridge::daemon {

namespace {

using crm::State;

// Services round, shift and re-zone transaction dates; the window must not miss ours for that.
constexpr Duration kMargin = std::chrono::hours{48};
constexpr std::size_t kFixedBytes = 300;  // of the other parameters, encoded
constexpr std::int64_t kPagesMax = 1000;

Search search_of(std::vector<crm::Doubt> doubts, const service::Scalars& addresses,
                 TimePoint begun) {
  const auto [first, last] = std::minmax_element(
      doubts.begin(), doubts.end(),
      [](const auto& a, const auto& b) { return a.transaction_date < b.transaction_date; });
  Search search;
  search.begun = begun;
  search.filters = {
      {"TransactionDateFilter",
       service::DateFilter{first->transaction_date - kMargin, last->transaction_date + kMargin}}};
  if (!addresses.empty()) search.filters.push_back({"EmailAddresses", addresses});
  const bool test = std::any_of(doubts.begin(), doubts.end(), [](const auto& d) { return d.test; });
  if (test) search.filters.push_back({"IncludeTestRecords", std::string("true")});
  search.doubts = std::move(doubts);
  return search;
}

bool has_address(const service::Scalars& addresses, const mapping::Record& customer) {
  const auto* email = std::get_if<std::string>(&customer.value("Email"));
  return email != nullptr && std::any_of(addresses.begin(), addresses.end(), [&](const auto& a) {
           return config::lower_case(a) == config::lower_case(*email);
         });
}

// A service that does not understand a filter ignores it and answers with everything.
bool asked_for(const Search& search, const mapping::Record& customer, const std::string& key) {
  if (search.kind != Search::Kind::broad) return key == search.doubts.front().key;
  for (const auto& filter : search.filters) {
    if (filter.name != "EmailAddresses") continue;
    return has_address(std::get<service::Scalars>(filter.argument), customer);
  }
  return true;
}

std::string ids_text(const std::vector<std::int64_t>& ids) {
  std::string text;
  for (const auto id : ids)
    text += (text.empty() ? "" : ", ") + std::to_string(id);
  return text;
}

crm::Ledger::Verdict found(const crm::Doubt& doubt, const std::vector<std::int64_t>& ids) {
  const std::string what = ids.size() == 1 ? "found by read-back: customer "
                                           : "FOUND MORE THAN ONCE by read-back: customers ";
  return {doubt.key, State::sent, what + ids_text(ids), ids.front(), "", doubt.attempts};
}

// What is lacking for absence to be believed; empty: nothing.
std::string missing_proof(const Search& search, const Rules& rules) {
  if (!rules.correlated) return "no data column carries the key (correlate)";
  if (!search.answered) return "the service does not answer a search that would show it";
  if (!search.complete)
    return "the service ignored a filter, its list did not end, or there was none";
  if (rules.control == Control::missed) return "a customer known to be there was not found either";
  if (rules.control == Control::none)
    return "no key of its form (length, case, characters) is known to be sent, to try the search "
           "with";
  return "";
}

// The service's searches may work again, and the first row may be sent. Longer than that, a person
// is asked.
constexpr Duration kProofWait = std::chrono::hours{24};

bool may_be_proved_later(const Search& search, const crm::Doubt& doubt, const Rules& rules) {
  const bool lacks = !search.answered || (search.complete && rules.control != Control::found);
  return rules.correlated && lacks && search.begun - doubt.since < kProofWait;
}

// After an outage the service may still work on a request that it got before, so what it does not
// list counts only once it has answered for `settle`; a service that is away again and again is not
// waited for longer than for a proof.
bool may_become_visible(const Search& search, const crm::Doubt& doubt, const Rules& rules) {
  const Duration age = search.begun - doubt.since;
  const auto known = search.answering.find(doubt.key);
  const bool answers = known == search.answering.end() || known->second >= rules.settle;
  return age < rules.settle || (!answers && age < kProofWait);
}

crm::Ledger::Verdict absent(const crm::Doubt& doubt, State state, const std::string& lacking) {
  return verdict_on(doubt, state,
                    lacking.empty() ? "the service does not list it after settle"
                                    : "cannot be told whether it has arrived: " + lacking);
}

// How often a row may break the service (500) before a person looks at it.
constexpr std::int64_t kBrokenMax = 5;

// Absent beyond doubt. Refused alone, and it is the row that is at fault.
crm::Ledger::Verdict goes_again(const crm::Doubt& doubt) {
  if (doubt.broken >= kBrokenMax)
    return verdict_on(
        doubt, State::held,
        "the service answered 500 to " + std::to_string(doubt.broken) + " batches with it");
  if (!doubt.refused || !doubt.alone) return absent(doubt, State::pending, "");
  return verdict_on(doubt, State::quarantined, refusal_reason(doubt.words));
}

}  // namespace

crm::Ledger::Verdict verdict_on(const crm::Doubt& doubt, State state, std::string why) {
  return {doubt.key, state, std::move(why), std::nullopt, "", doubt.attempts};
}

std::vector<DoubtGroup> grouped(std::vector<crm::Doubt> doubts, const std::string& column,
                                const std::vector<std::string>& known) {
  // The longest first: a key that covers its form covers that of most others.
  std::ranges::stable_sort(doubts, std::greater{},
                           [](const auto& doubt) { return doubt.key.size(); });
  std::vector<DoubtGroup> groups;
  for (auto& doubt : doubts) {
    auto group = std::ranges::find_if(groups, [&](const auto& each) {
      return !each.control.empty() && mapping::covers_form_of(each.control, doubt.key);
    });
    if (group == groups.end()) {
      const auto covering = std::ranges::find_if(
          known, [&](const auto& key) { return mapping::covers_form_of(key, doubt.key); });
      const std::string control = covering == known.end() ? "" : *covering;
      group = std::ranges::find(groups, control, &DoubtGroup::control);
      if (group == groups.end()) group = groups.insert(groups.end(), {column, control, {}});
    }
    group->doubts.push_back(std::move(doubt));
  }
  return groups;
}

PartedDoubts part_by_what_is_known(const std::vector<crm::Doubt>& doubts, bool correlated) {
  PartedDoubts parted;
  for (const auto& doubt : doubts)
    (correlated && !doubt.dated ? parted.by_key : parted.by_address).push_back(doubt);
  return parted;
}

std::vector<Search> plan_searches(std::vector<crm::Doubt> doubts,
                                  const config::ServiceDialect& dialect, TimePoint begun) {
  std::map<std::string, std::vector<crm::Doubt>> by_address;
  for (auto& doubt : doubts)
    by_address[config::lower_case(doubt.email)].push_back(std::move(doubt));
  std::vector<Search> searches;
  if (const auto nobody = by_address.find(""); nobody != by_address.end()) {
    searches.push_back(search_of(std::move(nobody->second), {}, begun));
    by_address.erase(nobody);
  }
  service::Scalars addresses;
  for (const auto& [address, rows] : by_address)
    addresses.push_back(rows.front().email);
  for (const auto& part : service::chunks("EmailAddresses", addresses, kFixedBytes, dialect)) {
    std::vector<crm::Doubt> rows;
    for (const auto& address : part) {
      for (auto& doubt : by_address[config::lower_case(address)])
        rows.push_back(std::move(doubt));
    }
    searches.push_back(search_of(std::move(rows), part, begun));
  }
  return searches;
}

namespace {

Search::Match match_of(const mapping::Record& customer, std::int64_t id) {
  Search::Match match{id, "", "", std::nullopt, std::nullopt};
  if (const auto* email = std::get_if<std::string>(&customer.value("Email"))) match.email = *email;
  if (const auto* at = std::get_if<mapping::Instant>(&customer.value("TransactionDate")))
    match.transaction_date = *at;
  match.test = mapping::is_of_test_batch(customer);
  return match;
}

// Is this customer the row in doubt? Its key is; what else is known of both must not differ.
bool is_the_row(const Search::Match& match, const crm::Doubt& doubt) {
  const bool address = match.email.empty() || doubt.email.empty() ||
                       config::lower_case(match.email) == config::lower_case(doubt.email);
  const bool date = !match.transaction_date || !doubt.dated ||
                    (*match.transaction_date > doubt.transaction_date - kMargin &&
                     *match.transaction_date < doubt.transaction_date + kMargin);
  return address && date && match.test.value_or(doubt.test) == doubt.test;
}

constexpr std::size_t kAlikeMax = 10;

// Remembers a customer whose key is no doubt's, where it may be a doubt's with its key changed.
void take_alike(Search& search, const Search::Match& match) {
  for (const auto& doubt : search.doubts) {
    const bool address = !match.email.empty() && is_the_row(match, doubt);
    const bool date = !match.transaction_date || !doubt.dated ||
                      mapping::may_be_date(*match.transaction_date, doubt.transaction_date);
    auto& alike = search.alike[doubt.key];
    const bool is_new = std::ranges::find(alike, match.id, &Search::Match::id) == alike.end();
    if (address && !doubt.email.empty() && date && is_new && alike.size() < kAlikeMax)
      alike.push_back(match);
  }
}

// The ids of the row's customers, and of others with its key.
struct Matched {
  std::vector<std::int64_t> ours, others;
};

Matched matched(const Search& search, const crm::Doubt& doubt) {
  Matched result;
  const auto at = search.found.find(doubt.key);
  if (at == search.found.end()) return result;
  for (const auto& match : at->second)
    (is_the_row(match, doubt) ? result.ours : result.others).push_back(match.id);
  return result;
}

crm::Ledger::Verdict held_alike(const crm::Doubt& doubt, const std::vector<Search::Match>& alike) {
  std::vector<std::int64_t> ids;
  for (const auto& match : alike)
    ids.push_back(match.id);
  return verdict_on(doubt, State::held,
                    "the service lists this address and transaction date under a key that no "
                    "transaction has: customer " +
                        ids_text(ids));
}

crm::Ledger::Verdict held_beside(const crm::Doubt& doubt, const std::vector<std::int64_t>& others) {
  return verdict_on(doubt, State::held,
                    "the service lists this key with another address or transaction date, or as a "
                    "test: customer " +
                        ids_text(others));
}

}  // namespace

void take_page(Search& search, const std::vector<mapping::Record>& customers,
               const std::optional<mapping::DataColumn>& correlate) {
  for (const auto& customer : customers) {
    const std::string key = correlate ? data_value(customer, *correlate) : "";
    if (!asked_for(search, customer, key)) search.complete = false;
    const auto id = mapping::imported_customer_id(customer);
    if (!id) continue;
    const bool doubted =
        std::ranges::find(search.doubts, key, &crm::Doubt::key) != search.doubts.end();
    if (search.kind == Search::Kind::broad && !doubted) {
      auto match = match_of(customer, *id);
      match.key = key;
      take_alike(search, match);
    }
    if (key.empty()) continue;
    auto& matches = search.found[key];
    const auto known = std::ranges::find(matches, *id, &Search::Match::id);
    if (known == matches.end()) {
      matches.push_back(match_of(customer, *id));
    } else if (!mapping::is_second_feedback(customer)) {
      *known = match_of(customer, *id);  // the original says more than its second feedback
    }
  }
}

// A record that cannot be read may be the customer that is looked for, and a list that does not end
// may have it on its next page.
bool take_answer(Search& search, const PageWalk::Answer& answer,
                 const std::optional<mapping::DataColumn>& correlate) {
  const auto* read = std::get_if<PageWalk::Read>(&answer);
  const auto& page = read == nullptr ? std::get<PageWalk::Endless>(answer).page : read->page;
  take_page(search, page.records, correlate);
  for (const auto& each : page.unreadable)
    take_page(search, {each.partial}, correlate);
  if (read == nullptr || !page.unreadable.empty()) search.complete = false;
  const bool worth_it = search.complete || search.kind == Search::Kind::broad;
  return read == nullptr || read->last || !worth_it;
}

ReadBackDecision judge(const Search& search, const Rules& rules) {
  ReadBackDecision judgement;
  for (const auto& doubt : search.doubts) {
    const bool again = rules.resend || doubt.refused;
    const std::string lacking = missing_proof(search, rules);
    const auto [ours, others] = matched(search, doubt);
    if (!ours.empty() && rules.correlated) {
      judgement.verdicts.push_back(found(doubt, ours));
      if (ours.size() > 1 && ++judgement.found_twice == 1) judgement.first_twice = doubt.key;
    } else if (!search.answered && search.kind == Search::Kind::broad && rules.correlated) {
      judgement.look_exactly.push_back(doubt);  // what it finds counts
    } else if (may_become_visible(search, doubt, rules)) {
      continue;
    } else if (!others.empty() && rules.correlated) {
      judgement.verdicts.push_back(held_beside(doubt, others));
    } else if (const auto alike = search.alike.find(doubt.key);
               alike != search.alike.end() && !alike->second.empty()) {
      judgement.verdicts.push_back(held_alike(doubt, alike->second));
    } else if (may_be_proved_later(search, doubt, rules)) {
      continue;
    } else if (!lacking.empty()) {
      judgement.verdicts.push_back(absent(doubt, State::held, lacking));
    } else if (!again) {
      judgement.absent.push_back({absent(doubt, State::held, lacking), doubt.since});
    } else if (search.kind == Search::Kind::broad) {
      judgement.look_exactly.push_back(doubt);
    } else {
      judgement.absent.push_back({goes_again(doubt), doubt.since});
    }
  }
  return judgement;
}

bool proves(const Search& control) {
  return control.complete && control.found.count(control.doubts.front().key) > 0;
}

bool is_believed(Control second, Duration between) {
  return second == Control::found && between <= std::chrono::minutes{5};
}

std::vector<crm::Ledger::Verdict> confirmed(const std::vector<Absent>& absent, Control second,
                                            Duration between, TimePoint db_now) {
  const bool believed = is_believed(second, between);
  std::vector<crm::Ledger::Verdict> verdicts;
  for (const auto& [verdict, since] : absent) {
    if (believed) {
      verdicts.push_back(verdict);
    } else if (db_now - since >= kProofWait) {
      verdicts.push_back({verdict.key, State::held,
                          "cannot be told whether it has arrived: searches fail or take too long",
                          std::nullopt, "", verdict.attempts});
    }
  }
  return verdicts;
}

Duration until_next_round(Duration youngest) {
  return std::clamp<Duration>(youngest / 8, std::chrono::seconds{30}, std::chrono::minutes{5});
}

PageWalk walk_of(const Search& search, TimePoint now) {
  return {service::customers(),
          search.filters,
          std::nullopt,
          now,
          {.pages = kPagesMax, .bare = service::Bare::refused}};
}

Search exact_search(Search::Kind kind, crm::Doubt doubt, std::int64_t column, TimePoint begun) {
  Search search;
  search.kind = kind;
  search.begun = begun;
  search.filters = {{"DataFilters", std::vector<service::DataFilter>{{column, doubt.key}}}};
  if (doubt.test) search.filters.push_back({"IncludeTestRecords", std::string("true")});
  search.doubts.push_back(std::move(doubt));
  return search;
}

}  // namespace surveybridge::daemon
