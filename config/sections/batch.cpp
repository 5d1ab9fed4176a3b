// [push.NAME.batch]: the settings that all customers of one request share (docs/SERVICE.md 2.1).
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/keys/kinds.hpp"
#include "config/sections/load.hpp"
#include "config/sections/sections.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string_view part(text.data() + begin, comma - begin);
    while (part.starts_with(' '))
      part.remove_prefix(1);
    while (part.ends_with(' '))
      part.remove_suffix(1);
    parts.emplace_back(part);
    begin = comma + 1;
  }
  return parts;
}

// A list, or one text with commas, which is what the service takes.
Kind<std::vector<std::string>> addresses() {
  const auto list = list_of("a list of mail addresses, or one text with commas", mail_address());
  auto kind = list;
  kind.read = [list](const Node& node, const Trail& trail) {
    const auto* text = node.as<std::string>();
    if (text == nullptr) return list.read(node, trail);
    Node::List items;
    for (std::string& part : split(*text))
      items.push_back({node.place, std::move(part)});
    return list.read({node.place, std::move(items)}, trail);
  };
  const std::string one = "[^@, <>]+@[^@, <>]+";
  kind.schema = R"({"anyOf":[)" + text_schema("^ *" + one + "( *, *" + one + ")* *$") + "," +
                list.schema + "]}";
  return kind;
}

Kind<std::string> domain() {
  const auto understand = [](const std::string& text) -> Answer<std::string> {
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '.'; };
    const bool is_domain = is_name(text) && std::all_of(text.begin(), text.end(), fits) &&
                           !text.starts_with('.') && !text.ends_with('.');
    if (!is_domain) return Broken{};
    return lower_case(text);
  };
  return from_text<std::string>("a domain such as \"example.test\"", understand);
}

Kind<std::string> batch_name() {
  const auto understand = [](const std::string& text) -> Answer<std::string> {
    if (!is_name(text)) return Broken{};
    for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
      if (text.compare(at, 6, "{date}") != 0) {
        return Broken{fmt::format("{} has a placeholder other than \"{{date}}\"", quoted(text))};
      }
    }
    return text;
  };
  return from_text<std::string>("a name of at most 128 bytes", understand);
}

// A test batch sends real mail, so test_domains is required for it. Without a test batch
// test_domains would look like a protection and have no effect, so it is refused.
void check_test(const Node::Table& table, const TextPlace& place, const Trail& trail,
                Batch& batch) {
  batch.place = place;
  const bool test = batch.is_test.value_or(false) || batch.is_concept.value_or(false);
  const Entry* domains = find(table, "test_domains");
  const auto* list = domains == nullptr ? nullptr : domains->node.as<Node::List>();
  const bool none = domains == nullptr || (list != nullptr && list->empty()) ||
                    (is_outside(domains->node) && batch.test_domains.empty());
  if (test && none) {
    trail.key("test_domains")
        .wrong(domains == nullptr ? place : domains->node.place,
               "is required when IsTest or IsConcept is true: test customers are mailed too");
  }
  if (!test && domains != nullptr) {
    trail.key("test_domains").wrong(domains->place, "needs IsTest or IsConcept = true");
  }
}

}  // namespace

std::string batch_rules() {
  const auto test_is = [](const std::string& what) {
    return R"({"anyOf":[{"required":["IsTest"],"properties":{"IsTest":)" + what +
           R"(}},{"required":["IsConcept"],"properties":{"IsConcept":)" + what + "}}]}";
  };
  return R"({"allOf":[{"if":)" + test_is(R"({"const":true})") +
         R"(,"then":{"required":["test_domains"],"properties":{"test_domains":{"not":{"const":[]}}}}})"
         R"(,{"if":{"required":["test_domains"]},"then":)" +
         test_is(R"({"not":{"const":false}})") + "}]}";
}

Kind<Batch> batch_section() {
  return section<Batch>(
      {
          key("size", &Batch::size, integer(1, 200), "the most customers in one request"),
          key("bytes", &Batch::bytes, bytes(kKiB, 64 * kMiB), "the largest request"),
          key("ApproveAutomatically", &Batch::approve_automatically, flag(),
              "false: an operator of the service approves each batch"),
          key("EndDate", &Batch::end_date, date(), "after it nobody can open the questionnaire"),
          key("SendTime", &Batch::send_time, time_of_day_text(), "no mail earlier in the day"),
          key("IsTest", &Batch::is_test, flag(), "answers are ignored, but mail is sent"),
          key("TypeBatch", &Batch::type_batch, one_of({"0", "1", "email", "portal"}),
              "portal only where it was agreed"),
          key("AllowDuplicateEmail", &Batch::allow_duplicate_email, flag(),
              "whether an address may stand twice in a batch"),
          key("NotificationEmailAddresses", &Batch::notification_email_addresses, addresses(),
              "who is told about the batch"),
          key("BatchName", &Batch::batch_name, batch_name(), "its name; {date} is the day's date"),
          key("IsConcept", &Batch::is_concept, flag(), "for concept questionnaires; also a test"),
          key("test_domains", &Batch::test_domains, list_of("a list of domains", domain()),
              "the only domains that a test batch is sent to"),
      },
      check_test);
}

}  // namespace surveybridge::config
