// [suppress]: people that no push may mail.
#include <algorithm>

#include <fmt/format.h>

#include "config/keys/kinds.hpp"
#include "config/keys/query.hpp"
#include "config/sections/load.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;
using Bounced = Suppress::Bounced;
using Contact = Suppress::Contact;

Kind<std::string> word() {
  return name("a word of a bounce's reason");
}

Kind<Bounced> bounced_table() {
  return section<Bounced>({
      key("hard", &Bounced::hard, flag(), "a hard bounce: never again"),
      key("soft", &Bounced::soft, integer(0, 1000), "so many other bounces: never again; 0: none"),
      key("hard_words", &Bounced::hard_words, list_of("a list of words", word()),
          "a reason that holds one of these, in any case, is hard, whatever else is said"),
  });
}

// true, or a table with details.
Kind<Bounced> bounced() {
  Kind<Bounced> kind = bounced_table();
  kind.type = "true, or a table { hard = …, soft = … }";
  kind.read = [of_table = kind.read, type = kind.type](
                  const Node& node, const Trail& trail) -> std::optional<Bounced> {
    if (node.as<Node::Table>() != nullptr) return of_table(node, trail);
    const bool* on = node.as<bool>();
    if (on != nullptr && *on) return Bounced{};
    trail.wrong(node.place, on == nullptr ? must_be(type, described(node))
                                          : "leave it out where bounces do not matter");
    return std::nullopt;
  };
  return kind;
}

Kind<Contact> contact_table() {
  using Of = Contact::Of;
  using Since = Contact::Since;
  using Then = Contact::Then;
  return section<Contact>({
      required(key("days", &Contact::days, integer(1, 3650), "at most one invitation in so many")),
      key("of", &Contact::of, choice<Of>({{"any", Of::any}, {"same", Of::same}}),
          "which pushes count: any, or the same"),
      key("since", &Contact::since,
          choice<Since>({{"invitation", Since::invitation}, {"answer", Since::answer}}),
          "what the days are counted from"),
      key("then", &Contact::then, choice<Then>({{"block", Then::block}, {"delay", Then::delay}}),
          "never sent, or sent when the days are over"),
  });
}

// One table, or a list of them.
Kind<std::vector<Contact>> contacts() {
  const auto list =
      list_of("a table such as { days = 90 }, or a list of such tables", contact_table());
  auto kind = list;
  kind.read = [list, one = contact_table()](
                  const Node& node, const Trail& trail) -> std::optional<std::vector<Contact>> {
    if (node.as<Node::Table>() == nullptr) return list.read(node, trail);
    if (auto contact = one.read(node, trail)) return std::vector{*contact};
    return std::nullopt;
  };
  return kind;
}

using AddressList = Suppress::List;

// The list that [suppress] itself describes.
AddressList& own_list(Suppress& suppress) {
  auto found = std::ranges::find(suppress.lists, "", &AddressList::name);
  if (found == suppress.lists.end())
    found = suppress.lists.insert(suppress.lists.begin(), AddressList{});
  return *found;
}

void store_query(Suppress& suppress, std::string query) {
  own_list(suppress).query = std::move(query);
}

void store_column(Suppress& suppress, std::string column) {
  own_list(suppress).column = std::move(column);
}

Kind<AddressList> list_table() {
  return section<AddressList>(
      {
          required(key("query", &AddressList::query, query(), "SQL that lists addresses")),
          key("column", &AddressList::column, name("a column of the query"),
              "the column with the addresses; else those whose values look like addresses"),
          key("for", &AddressList::pushes, list_of("a list of pushes", name("a push")),
              "the pushes that mail nobody on it; else all"),
      },
      [](const Node::Table& table, const TextPlace& place, const Trail& trail, AddressList& list) {
        list.place = place;
        const Entry* pushes = find(table, "for");
        if (pushes != nullptr && list.pushes.empty())
          trail.key("for").wrong(pushes->place, "names no push: leave it out for all pushes");
      });
}

void store_lists(Suppress& suppress, std::vector<AddressList> named) {
  suppress.lists.insert(suppress.lists.end(), named.begin(), named.end());
}

void check_suppress(const Node::Table&, const TextPlace& place, const Trail& trail,
                    Suppress& suppress) {
  suppress.place = place;
  for (AddressList& list : suppress.lists)
    if (list.name.empty()) list.place = place;
  if (!suppress.lists.empty() && suppress.lists.front().query.empty() &&
      !suppress.lists.front().column.empty())
    trail.wrong(place, "column is for a query");
}

}  // namespace

bool Suppress::needs_customers() const {
  return opted_out || std::ranges::any_of(contact, [](const Contact& each) {
           return each.since == Contact::Since::answer;
         });
}

std::string suppress_rules() {
  const auto needs = [](std::string_view key, std::string_view list) {
    return fmt::format(
        R"({{"if":{{"required":["suppress"],"properties":{{"suppress":{{"required":["{0}"],)"
        R"("properties":{{"{0}":{{"const":true}}}}}}}}}},)"
        R"("then":{{"required":["pull"],"properties":{{"pull":{{"required":["{1}"]}}}}}}}})",
        key, list);
  };
  return R"({"allOf":[)" + needs("opted_out", "customers") + "," + needs("bounced", "bouncers") +
         "]}";
}

Kind<Suppress> suppress_section() {
  return section<Suppress>(
      {
          key("opted_out", &Suppress::opted_out, flag(),
              "whoever opted out, as far as the pull reads back (from)"),
          key("bounced", &Suppress::bounced, bounced(), "whose mail came back"),
          key("contact", &Suppress::contact, contacts(), "who was invited, or answered, lately"),
          key("query", store_query, query(), "SQL that lists addresses that no push mails"),
          key("column", store_column, name("a column of the query"),
              "the column with the addresses; else those whose values look like addresses"),
          key("lists", store_lists, named_tables("suppress.lists", "a list's", list_table()),
              "more lists of addresses"),
          key("stale_after", &Suppress::stale_after, duration(1min, 30 * 24h),
              "nothing goes out when the pulls are older than this"),
      },
      check_suppress);
}

}  // namespace surveybridge::config
