#include "daemon/suppress/suppression_rules.hpp"

#include <algorithm>
#include <set>

#include "config/text.hpp"
#include "mapping/tables/tables.hpp"
#include "mapping/values/bounce.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

using config::Suppress;
using crm::ContactHistory;
using crm::Fact;
using crm::FactKind;
using What = Decision::What;
using Contact = Suppress::Contact;

// How soon a transaction is looked at again whose person has another one on its way.
constexpr Duration kUnderWay = std::chrono::minutes{1};
// A person decides on a transaction that is held.
constexpr Duration kHeld = std::chrono::hours{1};

std::optional<TimePoint> date(const mapping::Record& record, const char* field) {
  const auto* at = std::get_if<mapping::Instant>(&record.value(field));
  return at == nullptr ? std::nullopt : std::optional(*at);
}

std::string_view text_of(const mapping::Record& record, const char* field) {
  const auto* text = std::get_if<std::string>(&record.value(field));
  return text == nullptr ? std::string_view{} : *text;
}

bool has_fact(const ContactHistory& contact_history, FactKind kind) {
  return std::ranges::any_of(contact_history.facts,
                             [=](const Fact& fact) { return fact.kind == kind; });
}

int count_facts(const ContactHistory& contact_history, FactKind kind) {
  return static_cast<int>(std::ranges::count_if(
      contact_history.facts, [=](const Fact& fact) { return fact.kind == kind; }));
}

Decision suppressed(std::string reason) {
  return {What::suppress, std::move(reason)};
}

std::string day_of(TimePoint at) {
  return mapping::write_instant(at).substr(0, 10);
}

// The person's other transactions that this rule counts.
std::vector<crm::Contacted> others(const Candidate& candidate,
                                   const ContactHistory& contact_history, Contact::Of of) {
  std::vector<crm::Contacted> found;
  for (const auto& contacted : contact_history.contacted) {
    const bool itself = contacted.push == candidate.push && contacted.key == candidate.key;
    const bool counts = of == Contact::Of::any || contacted.push == candidate.push;
    if (!itself && counts) found.push_back(contacted);
  }
  return found;
}

void keep_later(std::optional<TimePoint>& latest, TimePoint at) {
  latest = latest ? std::max(*latest, at) : at;
}

// Facts of this kind; of the same push only those about customers that came from it.
std::optional<TimePoint> latest_fact(const ContactHistory& contact_history, FactKind kind,
                                     const std::vector<crm::Contacted>& same_push, Contact::Of of) {
  std::set<std::string> ours;
  for (const auto& contacted : same_push)
    ours.insert(contacted.customer);
  std::optional<TimePoint> latest;
  for (const auto& fact : contact_history.facts) {
    if (fact.kind != kind) continue;
    if (of == Contact::Of::any || ours.count(fact.ref) > 0) keep_later(latest, fact.at);
  }
  return latest;
}

Decision rule_on_contact(const Candidate& candidate, const ContactHistory& contact_history,
                         const Contact& rule, TimePoint now) {
  const auto contacted = others(candidate, contact_history, rule.of);
  const bool item = rule.since == Contact::Since::invitation;
  std::optional<TimePoint> latest = latest_fact(
      contact_history, item ? FactKind::invited : FactKind::answered, contacted, rule.of);
  for (const auto& other : contacted) {
    if (!item) continue;
    // What is neither sent nor unsent yet decides for both.
    if (other.state != "sent") {
      const Duration again = other.state == "held" ? kHeld : kUnderWay;
      return {What::delay, "another transaction of this person is " + other.state, now + again};
    }
    keep_later(latest, other.at);
  }
  if (!latest) return {};
  const TimePoint free = *latest + std::chrono::hours{24} * rule.days;
  if (free <= now) return {};
  const std::string why = std::string(item ? "invited" : "answered") + " on " + day_of(*latest) +
                          ": at most once in " + std::to_string(rule.days) + " days";
  if (rule.then == Contact::Then::delay) return {What::delay, why, free};
  return suppressed(why);
}

Decision stricter(Decision one, Decision other) {
  if (one.what == What::delay && other.what == What::delay) {
    return one.until < other.until ? std::move(other) : std::move(one);
  }
  const bool first = one.what == What::suppress || other.what == What::go;
  return first ? std::move(one) : std::move(other);
}

}  // namespace

std::vector<Fact> facts_of_customer(const mapping::Record& customer, const std::string& person,
                                    TimePoint now) {
  const auto* id = std::get_if<std::int64_t>(&customer.value("Id"));
  if (id == nullptr || person.empty()) return {};
  const std::string ref = std::to_string(*id);
  std::vector<Fact> facts;
  const auto* out = std::get_if<bool>(&customer.value("OptedOut"));
  const auto out_at = date(customer, "OptedOutDate");
  if (out_at || (out != nullptr && *out)) {
    facts.push_back({person, FactKind::opted_out, ref, out_at.value_or(now)});
  }
  if (const auto at = date(customer, "DateInvited")) {
    facts.push_back({person, FactKind::invited, ref, *at});
  }
  if (const auto at = date(customer, "SurveyFinishedDate")) {
    facts.push_back({person, FactKind::answered, ref, *at});
  }
  return facts;
}

Fact fact_of_bouncer(const mapping::Record& bouncer, const std::string& person,
                     const std::vector<std::string>& hard_words, TimePoint now) {
  const std::string reason = config::lower_case(text_of(bouncer, "Reason"));
  const bool said = std::ranges::any_of(hard_words, [&](const std::string& word) {
    return reason.find(config::lower_case(word)) != std::string::npos;
  });
  const bool hard = said || mapping::kind_of_bounce({reason, text_of(bouncer, "Exception"),
                                                     text_of(bouncer, "CustomerStatus")}) ==
                                mapping::Bounce::hard;
  const mapping::Value id = mapping::key_of(bouncer);
  const auto* key = std::get_if<std::string>(&id);
  const auto at = date(bouncer, "DateSent").value_or(now);
  return {person, hard ? FactKind::bounced_hard : FactKind::bounced_soft,
          key == nullptr ? "" : *key, at};
}

Decision decide(const Candidate& candidate, const ContactHistory& contact_history,
                const Suppress* suppress, TimePoint now) {
  if (has_fact(contact_history, FactKind::forgotten))
    return suppressed("the person asked to be forgotten");
  if (suppress == nullptr) return {};
  if (suppress->opted_out && has_fact(contact_history, FactKind::opted_out))
    return suppressed("opted out");
  if (const auto& bounced = suppress->bounced) {
    if (bounced->hard && has_fact(contact_history, FactKind::bounced_hard)) {
      return suppressed("the address bounced for good");
    }
    const int soft = count_facts(contact_history, FactKind::bounced_soft);
    if (bounced->soft > 0 && soft >= bounced->soft) {
      return suppressed("the address bounced " + std::to_string(soft) + " times");
    }
  }
  Decision ruling;
  for (const auto& contact : suppress->contact) {
    ruling = stricter(std::move(ruling), rule_on_contact(candidate, contact_history, contact, now));
  }
  return ruling;
}

}  // namespace surveybridge::daemon
