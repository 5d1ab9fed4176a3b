#include "daemon/suppress/suppression_rules.hpp"

#include <algorithm>
#include <utility>

#include "config/text.hpp"
#include "connectors/crm/schema/ledger_words.hpp"
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
// A person decides on a transaction that is held; the other one goes on soon after that.
constexpr Duration kHeld = std::chrono::minutes{5};

std::optional<TimePoint> date(const mapping::Record& record, const char* field) {
  const auto* at = std::get_if<mapping::Instant>(&record.value(field));
  return at == nullptr ? std::nullopt : std::optional(*at);
}

bool has_fact(const ContactHistory& history, FactKind kind) {
  return history.facts.contains(kind);
}

std::int64_t count_facts(const ContactHistory& history, FactKind kind) {
  const auto found = history.facts.find(kind);
  return found == history.facts.end() ? 0 : found->second.count;
}

Decision suppressed(std::string reason) {
  return {What::suppress, std::move(reason)};
}

std::string day_of(TimePoint at) {
  return mapping::write_instant(at).substr(0, 10);
}

void keep_later(std::optional<TimePoint>& latest, TimePoint at) {
  latest = latest ? std::max(*latest, at) : at;
}

// When the person was invited or answered last; of the same push only by customers that came from
// it.
std::optional<TimePoint> latest_fact(const Candidate& candidate, const ContactHistory& history,
                                     FactKind kind, Contact::Of of) {
  if (of == Contact::Of::any) {
    const auto found = history.facts.find(kind);
    return found == history.facts.end() ? std::nullopt : std::optional(found->second.latest);
  }
  const auto push = history.pushes.find(candidate.push);
  if (push == history.pushes.end()) return std::nullopt;
  const auto found = push->second.customers.find(kind);
  return found == push->second.customers.end() ? std::nullopt : std::optional(found->second);
}

// The candidate itself is new or pending: it is not among the person's transactions here.
Decision rule_on_contact(const Candidate& candidate, const ContactHistory& history,
                         const Contact& rule, TimePoint now) {
  const bool invitation = rule.since == Contact::Since::invitation;
  auto latest =
      latest_fact(candidate, history, invitation ? FactKind::invited : FactKind::answered, rule.of);
  for (const auto& [push, transactions] : history.pushes) {
    if (!invitation || (rule.of == Contact::Of::same && push != candidate.push)) continue;
    for (const auto& [state, at] : transactions.latest) {
      // What is neither sent nor unsent yet decides for both.
      if (state != crm::State::sent) {
        const Duration again = state == crm::State::held ? kHeld : kUnderWay;
        return {What::delay,
                std::string("another transaction of this person was ") + to_string(state),
                now + again};
      }
      keep_later(latest, at);
    }
  }
  if (!latest) return {};
  const TimePoint free = *latest + std::chrono::hours{24} * rule.days;
  if (free <= now) return {};
  const std::string why = std::string(invitation ? "invited" : "answered") + " on " +
                          day_of(*latest) + ": at most once in " + std::to_string(rule.days) +
                          " days";
  if (rule.then == Contact::Then::delay) return {What::delay, why, free};
  return suppressed(why);
}

// What a record of the person may say that could not be read. It is looked at again soon: the
// record may be read before.
Decision rule_on_unread(const ContactHistory& history, const Suppress& suppress, TimePoint now) {
  static constexpr std::pair<FactKind, const char*> kSaid[] = {
      {FactKind::unread_opt_out, "opted out"},
      {FactKind::unread_bounce, "has an address that bounced for good"},
      {FactKind::unread_contact, "was invited or has answered lately"}};
  for (const auto& [kind, said] : kSaid) {
    if (!asks_for(suppress, kind) || !has_fact(history, kind)) continue;
    return {
        What::delay,
        std::string("a record that cannot be read (survey_unreadable) may say that the person ") +
            said,
        now + kHeld};
  }
  return {};
}

Decision stricter(Decision one, Decision other) {
  if (one.what == What::delay && other.what == What::delay) {
    return one.until < other.until ? std::move(other) : std::move(one);
  }
  const bool first = one.what == What::suppress || other.what == What::go;
  return first ? std::move(one) : std::move(other);
}

// One that is yet to come counts on its day.
std::optional<TimePoint> invitation_of(const mapping::Record& customer, TimePoint now) {
  const auto invited = date(customer, "DateInvited");
  const auto due = date(customer, "ScheduledInvitationDate");
  return !invited && due && *due > now ? due : invited;
}

// What a customer says, read in full or in part.
std::vector<Fact> facts_told(const mapping::Record& customer, const std::string& person,
                             const std::string& ref, TimePoint now) {
  std::vector<Fact> facts;
  if (is_opted_out(customer))
    facts.push_back(
        {person, FactKind::opted_out, ref, date(customer, "OptedOutDate").value_or(now)});
  if (const auto at = invitation_of(customer, now))
    facts.push_back({person, FactKind::invited, ref, *at});
  if (const auto at = date(customer, "SurveyFinishedDate"))
    facts.push_back({person, FactKind::answered, ref, *at});
  return facts;
}

}  // namespace

bool is_opted_out(const mapping::Record& customer) {
  const auto* out = std::get_if<bool>(&customer.value("OptedOut"));
  return (out != nullptr && *out) || date(customer, "OptedOutDate");
}

std::vector<Fact> facts_of_customer(const mapping::Record& customer, const std::string& person,
                                    TimePoint now) {
  const auto* id = std::get_if<std::int64_t>(&customer.value("Id"));
  if (id == nullptr || person.empty()) return {};
  return facts_told(customer, person, std::to_string(*id), now);
}

Fact fact_of_bouncer(const mapping::Record& bouncer, const std::string& person,
                     const std::vector<std::string>& hard_words, TimePoint now) {
  const std::string reason = config::lower_case(text_of(bouncer.value("Reason")));
  const bool said = std::ranges::any_of(hard_words, [&](const std::string& word) {
    return reason.find(config::lower_case(word)) != std::string::npos;
  });
  const bool hard = said || mapping::kind_of_bounce({reason, text_of(bouncer.value("Exception")),
                                                     text_of(bouncer.value("CustomerStatus"))}) ==
                                mapping::Bounce::hard;
  const mapping::Value id = mapping::key_of(bouncer);
  const auto* key = std::get_if<std::string>(&id);
  const auto at = date(bouncer, "DateSent").value_or(now);
  return {person, hard ? FactKind::bounced_hard : FactKind::bounced_soft,
          key == nullptr ? "" : *key, at};
}

std::vector<Fact> facts_of_unread_customer(const mapping::Unreadable& customer,
                                           const std::string& person, const std::string& ref,
                                           TimePoint now) {
  auto facts = facts_told(customer.partial, person, ref, now);
  if (!is_opted_out(customer.partial) &&
      (customer.hides("OptedOut") || customer.hides("OptedOutDate")))
    facts.push_back({person, FactKind::unread_opt_out, ref, now});
  const bool hides_due =
      customer.hides("ScheduledInvitationDate") && !date(customer.partial, "DateInvited");
  if (customer.hides("DateInvited") || hides_due || customer.hides("SurveyFinishedDate"))
    facts.push_back({person, FactKind::unread_contact, ref, now});
  return facts;
}

Fact fact_of_unread_bouncer(const mapping::Unreadable& bouncer, const std::string& person,
                            const std::string& ref, const std::vector<std::string>& hard_words,
                            TimePoint now) {
  Fact fact = fact_of_bouncer(bouncer.partial, person, hard_words, now);
  const bool is_sure = fact.kind == FactKind::bounced_hard;
  const bool hides =
      bouncer.hides("Reason") || bouncer.hides("Exception") || bouncer.hides("CustomerStatus");
  return is_sure || !hides ? fact : Fact{person, FactKind::unread_bounce, ref, now};
}

bool asks_for(const Suppress& suppress, FactKind kind) {
  switch (kind) {
    case FactKind::opted_out:
    case FactKind::unread_opt_out:
      return suppress.opted_out;
    case FactKind::bounced_hard:
    case FactKind::bounced_soft:
    case FactKind::unread_bounce:
      return suppress.bounced.has_value();
    case FactKind::invited:
    case FactKind::answered:
    case FactKind::unread_contact:
      return !suppress.contact.empty();
    case FactKind::forgotten:
      break;
  }
  return true;
}

std::vector<FactKind> barring_facts(const std::optional<Suppress>& suppress) {
  if (!suppress) return {};
  std::vector<FactKind> kinds = {FactKind::opted_out, FactKind::unread_opt_out,
                                 FactKind::unread_bounce};
  std::erase_if(kinds, [&](FactKind kind) { return !asks_for(*suppress, kind); });
  if (suppress->bounced && suppress->bounced->hard) kinds.push_back(FactKind::bounced_hard);
  return kinds;
}

// Of the digest 48 bits decide: a share is met to within a part of 10^14.
bool is_drawn(const config::Push& push, const std::string& key, const std::string& person) {
  if (push.sample >= 1) return true;
  constexpr std::size_t kDigits = 12;
  const bool by_person = push.sample_by == config::Push::SampleBy::person && !person.empty();
  const mapping::Value drawn[] = {push.name, by_person ? person : key};
  const std::string digits = mapping::digest_of(drawn).substr(0, kDigits);
  const auto number = static_cast<double>(std::stoull(digits, nullptr, 16));
  return number < push.sample * static_cast<double>(std::uint64_t{1} << (4 * kDigits));
}

TimePoint quota_since(config::Push::Quota::Per per, config::Report::Day week_starts,
                      const std::string& zone, TimePoint now) {
  using namespace std::chrono;
  using Per = config::Push::Quota::Per;
  auto day = floor<days>(mapping::to_zone(now, zone));
  if (per == Per::week) day -= weekday{day} - weekday{static_cast<unsigned>(week_starts) + 1};
  if (per == Per::month)
    day = local_days{year_month_day{day}.year() / year_month_day{day}.month() / 1};
  return mapping::in_zone(day, zone);
}

QuotaLeft::Says QuotaLeft::take(const std::string& value) {
  const std::int64_t taken = taken_[value];
  if (taken >= most_) return Says::full;
  if (taken + going_[value] >= most_) return Says::wait;
  ++going_[value];
  return Says::go;
}

std::string over_quota_text(const config::Push::Quota& quota) {
  using Per = config::Push::Quota::Per;
  const char* per = quota.per == Per::day ? "day" : quota.per == Per::week ? "week" : "month";
  return std::string(crm::kOverQuota) + ": " + std::to_string(quota.most) + " a " + per +
         " for each \"" + quota.column + "\"";
}

Decision decide(const Candidate& candidate, const ContactHistory& contact_history,
                const Suppress* suppress, TimePoint now) {
  if (has_fact(contact_history, FactKind::forgotten))
    return suppressed("the person asked to be forgotten");
  if (!candidate.drawn) return suppressed(std::string(crm::kNotDrawn) + " (sample)");
  if (suppress == nullptr) return {};
  if (suppress->opted_out && has_fact(contact_history, FactKind::opted_out))
    return suppressed("opted out");
  if (const auto& bounced = suppress->bounced) {
    if (bounced->hard && has_fact(contact_history, FactKind::bounced_hard)) {
      return suppressed("the address bounced for good");
    }
    const std::int64_t soft = count_facts(contact_history, FactKind::bounced_soft);
    if (bounced->soft > 0 && soft >= bounced->soft) {
      return suppressed("the address bounced " + std::to_string(soft) + " times");
    }
  }
  Decision ruling = rule_on_unread(contact_history, *suppress, now);
  for (const auto& contact : suppress->contact) {
    ruling = stricter(std::move(ruling), rule_on_contact(candidate, contact_history, contact, now));
  }
  return ruling;
}

}  // namespace surveybridge::daemon
