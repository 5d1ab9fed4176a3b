// [pull.LIST.follow_up.NAME]: answers that somebody is told of, each once.
#include <set>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;
using Alternatives = std::vector<std::vector<Write::Condition>>;

// Conditions, or a list of them of which one must be met.
Kind<Alternatives> alternatives() {
  const auto one = conditions();
  const std::string type = one.type + "; or a list of such tables";
  const auto list = list_of(type, one);
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<Alternatives> {
    if (node.as<Node::Table>() == nullptr) return list.read(node, trail);
    auto conditions = one.read(node, trail);
    if (!conditions) return std::nullopt;
    return Alternatives{*std::move(conditions)};
  };
  const std::string schema = R"({"anyOf":[)" + one.schema + "," + list.schema + "]}";
  return {type, read, {}, {}, Form::table, schema};
}

// label = path.
Kind<std::vector<FollowUp::Field>> shown_fields() {
  const std::string type = "a table: label = path";
  const auto path = name("a path such as \"Data[Phone]\"");
  const auto read = [=](const Node& node,
                        const Trail& trail) -> std::optional<std::vector<FollowUp::Field>> {
    const auto* table = filled_table(node, trail, type);
    if (table == nullptr) return std::nullopt;
    std::vector<FollowUp::Field> fields;
    for (const Entry& entry : *table) {
      const Trail at = trail.key(entry.key);
      if (!is_name(entry.key)) at.wrong(entry.place, "is no label");
      if (auto text = path.read(entry.node, at))
        fields.push_back({entry.key, *std::move(text), entry.node.place});
    }
    return fields;
  };
  return {type, read,        {},
          {},   Form::table, R"({"type":"object","additionalProperties":{"type":"string"}})"};
}

void check_follow_up(const Node::Table& table, const TextPlace& place, const Trail& trail,
                     FollowUp& follow_up) {
  follow_up.place = place;
  for (const char* key : {"when", "to"}) {
    const Entry* entry = find(table, key);
    const auto* list = entry == nullptr ? nullptr : entry->node.as<Node::List>();
    if (list != nullptr && list->empty()) trail.key(key).wrong(entry->place, "is an empty list");
  }
  const std::set<std::string> once(follow_up.to.begin(), follow_up.to.end());
  if (once.size() < follow_up.to.size())
    trail.key("to").wrong(find(table, "to")->place, "names a receiver twice");
}

}  // namespace

Kind<std::vector<FollowUp>> follow_ups_section(const std::string& list) {
  return named_tables(
      "pull." + list + ".follow_up", "a follow-up's",
      section<FollowUp>(
          {
              required(key("when", &FollowUp::when, alternatives(),
                           "which records: those that meet all conditions of a table")),
              required(key("to", &FollowUp::to,
                           list_of("a list of receivers: [alert.NAME]", name("a receiver")),
                           "who is told, once of each record")),
              key("fields", &FollowUp::fields, shown_fields(),
                  "what of the record a message shows besides its number, the transaction's key "
                  "and the values at ranges of `when`"),
              key("link", &FollowUp::link, name("an address with {id} or {key} in it"),
                  "a line of the message; `{id}` becomes the record's number, `{key}` the "
                  "transaction's key"),
              key("within", &FollowUp::within, duration(1h, 24h * 365),
                  "an answer that is older, or was given before the follow-up was there, is not "
                  "told"),
          },
          check_follow_up));
}

}  // namespace surveybridge::config
