#include "mapping/values/bounce.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "config/text.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

// What mail servers say and what it means for an address: codes of RFC 3463 (with RFC 5248 and RFC
// 7293, and those that Microsoft adds), replies of RFC 5321 (with RFC 7504), and words.

// What a code says. A code that is used for several things leaves it to the words beside it, and
// the part after "or" holds where they tell nothing. `nothing`: ask the next source.
enum class CodeSays { hard, soft, words_or_hard, words_or_soft, nothing };

struct CodeRow {
  std::string_view code;
  CodeSays says;
};

// Without their class, which is 5: of class 4 all are soft, those not listed are words_or_soft.
constexpr auto kEnhancedCodes = std::to_array<CodeRow>({
    {"0.0", CodeSays::nothing},       {"1.0", CodeSays::words_or_hard},  // other address status
    {"1.1", CodeSays::hard},                                             // bad destination mailbox
    {"1.2", CodeSays::hard},                                             // bad destination system
    {"1.3", CodeSays::hard},           // bad syntax of the address
    {"1.4", CodeSays::hard},           // ambiguous
    {"1.6", CodeSays::hard},           // moved, no forwarding address
    {"1.7", CodeSays::soft},           // the sender's address: bad syntax
    {"1.8", CodeSays::soft},           // the sender's system
    {"1.10", CodeSays::hard},          // the domain takes no mail (null MX); Microsoft: not found
    {"1.351", CodeSays::hard},         // Microsoft: unknown recipient at the remote server
    {"2.1", CodeSays::words_or_hard},  // mailbox disabled; Gmail: too much mail at this moment
    {"2.2", CodeSays::soft},           // mailbox full
    {"2.3", CodeSays::soft},           // message too long for this mailbox
    {"3.4", CodeSays::soft},           // message too big for the system
    {"4.1", CodeSays::hard},           // Microsoft: no such recipient at this domain
    {"4.4", CodeSays::hard},           // no route: the domain has no mail server
    {"4.310", CodeSays::hard},         // Microsoft: the domain does not exist
    {"5.0", CodeSays::nothing},        // Outlook.com says it of everything
    {"7.13", CodeSays::hard},          // the account is disabled
    {"7.17", CodeSays::hard},          // the mailbox belongs to somebody else now
    {"7.18", CodeSays::hard},          // the domain belongs to somebody else now
});

constexpr auto kReplyCodes = std::to_array<CodeRow>({
    {"421", CodeSays::soft},           // service not available
    {"450", CodeSays::soft},           // mailbox busy, or greylisting
    {"451", CodeSays::soft},           // local error
    {"452", CodeSays::soft},           // insufficient storage
    {"455", CodeSays::soft},           // parameters not accommodated for now
    {"521", CodeSays::hard},           // the host takes no mail
    {"550", CodeSays::words_or_hard},  // mailbox unavailable, or the sender is not wanted
    {"551", CodeSays::hard},           // user not local
    {"552", CodeSays::soft},           // storage exceeded
    {"553", CodeSays::words_or_hard},  // mailbox name not allowed
    {"556", CodeSays::hard},           // the domain takes no mail
});

// Phrases as small letters, one blank between words, no apostrophe. Each is looked for where a word
// begins; one that ends in a blank has to end there too.

// Said of the sender, or of a state that ends: whatever else is said, it is soft.
constexpr auto kPassingPhrases = std::to_array<std::string_view>({
    "automatic reply",  "deferred",          "graylist",
    "greylist",         "mailbox full",      "mailbox is full",
    "mailbox was full", "out of office",     "over quota",
    "over the quota",   "overquota",         "quota exceeded",
    "exceeded quota",   "sender address",    "sender denied",
    "sender rejected",  "soft bounce",       "softbounce",
    "tempor",           "try again",         "try later",
    "your ip ",         "receiving mail at", "receiving mail too",
});

// Said of an address that no mail will ever reach: by services that have decided themselves, then
// of users, recipients, mailboxes, accounts, addresses and domains, then in other languages.
constexpr auto kHardPhrases = std::to_array<std::string_view>({
    "bounced address",
    "hard ",
    "hardbounce",
    "previously bounced",
    "suppression list",
    "no such customer",
    "no such person",
    "no such user",
    "no user record",
    "not our customer",
    "unknown local part",
    "unknown user",
    "user does not exist",
    "user doesnt exist",
    "user doesnt have a",
    "user is unknown",
    "user not found",
    "user not local",
    "user unknown",
    "usernotlocal",
    "addressee unknown",
    "invalid recipient",
    "no such recipient",
    "recipient does not exist",
    "recipient doesnt exist",
    "recipient is unknown",
    "recipient no longer",
    "recipient not found",
    "recipient unknown",
    "recipientnotfound",
    "recipnotfound",
    "unknown recipient",
    "bad destination",
    "invalid mailbox",
    "mailbox disabled",
    "mailbox does not exist",
    "mailbox doesnt exist",
    "mailbox inactive",
    "mailbox is disabled",
    "mailbox is inactive",
    "mailbox is unavailable",
    "mailbox name not allowed",
    "mailbox not found",
    "mailbox unavailable",
    "mailbox unknown",
    "mailboxnamenotallowed",
    "mailboxunavailable",
    "no mailbox",
    "no such mailbox",
    "not a valid mailbox",
    "unknown mailbox",
    "account closed",
    "account disabled",
    "account does not exist",
    "account doesnt exist",
    "account has been closed",
    "account has been disabled",
    "account inactive",
    "account is disabled",
    "account is inactive",
    "account not found",
    "account that you tried to reach does not exist",
    "no such account",
    "address does not exist",
    "address doesnt exist",
    "address no longer",
    "address not found",
    "address rejected user",
    "address unknown",
    "invalid address",
    "invalid email",
    "no longer active",
    "no longer exists",
    "no longer in use",
    "no longer valid",
    "no such address",
    "unknown address",
    "unroutable address",
    "unrouteable address",
    "does not accept mail",
    "domain does not exist",
    "domain doesnt exist",
    "domain not found",
    "host or domain name not found",
    "host unknown",
    "no longer accepts mail",
    "no such domain",
    "no such host",
    "non existent domain",
    "null mx",
    "nullmx",
    "nxdomain",
    "unknown domain",
    "unroutable mail domain",
    "unrouteable mail domain",
    "adresse inconnue",
    "adresse inexistante",
    "bestaat niet",
    "benutzer unbekannt",
    "destinataire inconnu",
    "destinatario sconosciuto",
    "empfänger unbekannt",
    "existiert nicht",
    "inesistente",
    "introuvable",
    "nexiste pas",
    "no existe",
    "non esiste",
    "onbekend adres",
    "onbekend e mailadres",
    "onbekende gebruiker",
    "onbekende ontvanger",
    "unbekannter benutzer",
    "unbekannter empfänger",
    "usuario desconocido",
    "utente sconosciuto",
    "utilisateur inconnu",
});

// Said of the sender, the message or the server: nothing is known of the address.
constexpr auto kSoftPhrases = std::to_array<std::string_view>({
    "access denied", "administrative", "authentic",  "banned",       "barracuda", "blacklist",
    "block",         "connection",     "content",    "denied",       "dkim",      "dmarc",
    "dnsbl",         "exceed",         "full",       "insufficient", "limit",     "no answer",
    "not accepted",  "not authorized", "policy",     "quota",        "rate",      "rbl",
    "refused",       "relay",          "reputation", "size",         "spam",      "spf",
    "storage",       "suspicious",     "timed out",  "timeout",      "too big",   "too large",
    "too many",      "unsolicited",    "virus",
});

// The name of a category. A reason of the sender's in the same text counts before it.
constexpr auto kHardCategories = std::to_array<std::string_view>({"permanent"});

using Verdict = std::optional<Bounce>;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

bool ends_token(char c) {
  return std::string_view{" \t\r\n<>()[]'\",;"}.find(c) != std::string_view::npos;
}

// "MailboxNotFound" becomes "Mailbox Not Found".
std::string parted(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    const bool begins =
        c >= 'A' && c <= 'Z' && !kept.empty() && kept.back() >= 'a' && kept.back() <= 'z';
    if (begins) kept += ' ';
    kept += c;
  }
  return kept;
}

// Small letters, and a blank for each mail address: its letters and digits say nothing of a bounce.
std::string readable(std::string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const auto end =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ends_token) -
        text.begin();
    const auto token = text.substr(at, static_cast<std::size_t>(end) - at);
    if (token.find('@') == std::string_view::npos) kept += token;
    at = static_cast<std::size_t>(end);
    if (at < text.size()) kept += text[at++];
  }
  return config::lower_case(kept);
}

// Words with one blank around each: "Hard-Bounce!" becomes " hard bounce ".
std::string words_of(std::string_view readable_text) {
  std::string words = " ";
  for (const char c : visible(readable_text)) {
    if (is_word(c))
      words += c;
    else if (c != '\'' && words.back() != ' ')
      words += ' ';
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

// The words of the text as it is, and with those parted that it joins.
std::string words_in_both(std::string_view text) {
  return words_of(readable(text)) + words_of(readable(parted(text)));
}

// As many digits as stand at `at`, at most `most`.
std::size_t digits_at(std::string_view text, std::size_t at, std::size_t most) {
  std::size_t count = 0;
  while (count < most && at + count < text.size() && is_digit(text[at + count]))
    ++count;
  return count;
}

// What stands at `begin` and ends before `end` is no part of a longer number, name or address.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  const bool before = begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '.');
  if (before || end == text.size()) return !before;
  const bool point = text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]);
  return !is_word(text[end]) && !point;
}

// The length of the enhanced status code at `at`: class 2, 4 or 5, subject 0 to 7, detail 0 to 999.
std::size_t enhanced_code_at(std::string_view text, std::size_t at) {
  const auto rest = text.substr(at);
  if (rest.size() < 5 || rest[1] != '.' || rest[3] != '.') return 0;
  if ((rest[0] != '2' && rest[0] != '4' && rest[0] != '5') || rest[2] < '0' || rest[2] > '7')
    return 0;
  const std::size_t detail = digits_at(rest, 4, 3);
  return detail > 0 && stands_alone(text, at, at + 4 + detail) ? 4 + detail : 0;
}

bool holds_one_of(std::string_view words, const auto& phrases) {
  return std::ranges::any_of(phrases, [&](std::string_view phrase) {
    return words.find(' ' + std::string(phrase)) != std::string_view::npos;
  });
}

Verdict by_words(std::string_view words) {
  if (holds_one_of(words, kPassingPhrases)) return Bounce::soft;
  if (holds_one_of(words, kHardPhrases)) return Bounce::hard;
  if (holds_one_of(words, kSoftPhrases)) return Bounce::soft;
  if (holds_one_of(words, kHardCategories)) return Bounce::hard;
  return {};
}

Verdict verdict_of(CodeSays says, std::string_view words) {
  switch (says) {
    case CodeSays::hard:
      return Bounce::hard;
    case CodeSays::soft:
      return Bounce::soft;
    case CodeSays::words_or_hard:
      return by_words(words).value_or(Bounce::hard);
    case CodeSays::words_or_soft:
      return by_words(words).value_or(Bounce::soft);
    case CodeSays::nothing:
      break;
  }
  return {};
}

CodeSays enhanced_code_says(std::string_view code) {
  if (code.front() == '2') return CodeSays::nothing;
  if (code.front() == '4') return CodeSays::soft;
  const auto* row = std::ranges::find(kEnhancedCodes, code.substr(2), &CodeRow::code);
  return row == kEnhancedCodes.end() ? CodeSays::words_or_soft : row->says;
}

CodeSays reply_code_says(std::string_view code) {
  const auto* row = std::ranges::find(kReplyCodes, code, &CodeRow::code);
  return row == kReplyCodes.end() ? CodeSays::nothing : row->says;
}

// The first code that decides does.
Verdict by_enhanced_codes(std::string_view text, std::string_view words) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t size = enhanced_code_at(text, at);
    if (size == 0) continue;
    const CodeSays says = enhanced_code_says(text.substr(at, size));
    if (const Verdict verdict = verdict_of(says, words)) return verdict;
  }
  return {};
}

Verdict by_reply_codes(std::string_view text, std::string_view words) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (digits_at(text, at, 3) < 3 || !stands_alone(text, at, at + 3)) continue;
    const CodeSays says = reply_code_says(text.substr(at, 3));
    if (const Verdict verdict = verdict_of(says, words)) return verdict;
  }
  return {};
}

}  // namespace

Bounce kind_of_bounce(const BounceTexts& texts) {
  const std::string said =
      readable(texts.reason) + "\n" + readable(texts.exception);  // the reason's codes come first
  const std::string words = words_in_both(texts.reason) + words_in_both(texts.exception);
  if (const Verdict verdict = by_enhanced_codes(said, words)) return *verdict;
  if (const Verdict verdict = by_reply_codes(said, words)) return *verdict;
  if (const Verdict verdict = by_words(words_in_both(texts.customer_status))) return *verdict;
  return by_words(words).value_or(Bounce::soft);
}

}  // namespace surveybridge::mapping
