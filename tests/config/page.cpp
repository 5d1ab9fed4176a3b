#include "tests/config/page.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "config/sections/load.hpp"

namespace surveybridge::config {
namespace {

constexpr const char* kOpening = R"(# Configuration
Generated from the code: `BRIDGE_UPDATE_GOLDEN=1 build/dev/bin/config_tests --gtest_filter='ConfigPage*'` writes it.

The file is strict TOML. `surveybridge check` reports every problem in one run, with file, line and column. Durations are texts (`"500ms"`,
`"30s"`, `"1h30m"`, `"7d"`). NAME, FIELD and COLUMN stand for names of your own, LIST for `customers`, `ratings` or `bouncers`. A key that
names some of these in parentheses is theirs alone.

*A secret* is never in the file: write `{ credential = "name" }`, `{ file = "/…" }` or `{ env = "NAME" }`. A file that everybody can read is
refused: `chmod 600 FILE`, or 640 where the daemon reads it as a member of its group. Any other value but a table may stand there too:
`query = { file = "orders.sql" }`, `max_in_flight = { env = "PACE" }`. Everybody may read such a file; a relative path begins at the
configuration's folder. It has at most 64 KiB of UTF-8, a text without quotes, every other value as in TOML. A message about a wrong value
does not show what stands there. All files are read anew with each reload. Commands and the units `surveybridge-verify` and
`surveybridge-alert@` need the variables as the daemon does.
)";

// Explanations that stand before the table of a section.
const std::map<std::string, const char*> kNotes = {
    {"a cell", R"(
A column of the CRM gets its value from a cell: a path into the record, or a table. Columns of `match` find the CRM's row, and columns of
`set` are written:
```toml
[[pull.customers.write]]
table = "orders"
match = { id = "Data[OrderNumber]" }
when  = { OptedOut = false, "Status.StatusName" = ["Finished", "Closed"] }
[pull.customers.write.set]
score    = "Answers[1200].SelectedScalePositions[0].Value"
answered = { value = 1 }
no_mail  = { path = "OptedOut", one_way = true }
state    = { path = "Status.StatusName", map = { Finished = "done" }, otherwise = "open" }
visited  = { path = "Data[Visited]", date = "%d-%m-%Y" }
remark   = { path = "Answers[1201].Text", max_length = 200 }
"custom[survey_score]" = "Answers[1200].SelectedScalePositions[0].Value"
```
`"column[key]"` is a key of the JSON object in a column (docs/GUIDE.md, "A key of a JSON column"). `status` counts the records of which a
column does not hold what was to be written, with the reason; a fraction that it has no room for does not count.
)"},
    {"a source", R"(
A field of the service gets its value from a source: a column's name (`Email = "email"`), a constant that is not a text (`Priority = 0`), or
a table. The keys of a table are applied in the order of the list below, in whatever order they are written:
```toml
Email       = { template = "{mailbox}@example.com", lower = true }
Priority    = { column = "tier", upper = true, map = { GOLD = 1, SILVER = 2 }, otherwise = 9 }
SendDate    = { column = "delivered", date = "%d-%m-%Y %H:%M", plus = "2d", at = "10:00", not_before = "promised" }
[push.orders.customer.Data]
Name        = { template = "{first} {infix} {last}", trim = true, default = "customer" }
Amount      = { column = "amount", number = "comma" }
Member      = { column = "member", boolean = { true = ["ja", "j"], false = ["nee", "n"] } }
Remark      = { column = "notes", html = true, max_length = 500 }
Adviser     = { column = "contacts", split = ";", part = -1, address = true }
```
`date` and `number` are not applied to a cell that is a date or a number already. The daemon's user needs read access to a `folder`, and the
unit must not hide it: `ProtectHome` hides `/home`. Use the SQL of the query for everything else: `COALESCE(mobile, phone) AS phone`.
)"},
};

// What is said of a section within the table of another one.
const std::map<std::string, const char*> kAbout = {
    {"service.enumerations",
     "JSON has the numbers, XML the names (docs/SERVICE.md 2.4). A value that comes by one half is "
     "stored with both: `FormStatus = { 0 = \"None\", 1 = \"New\" }`. `Sentiment` is of an "
     "answer's category, `Type` of a form's note"},
    {"pull.LIST.write",
     "A value that does not fit leaves its column alone; so does a value that a record has not, "
     "unless that record had written one. Where several records match a row, the last answer "
     "stays, "
     "whichever comes last. Two writes that set one column of a table "
     "are refused, unless their order makes no difference (`one_way`, the same constant, different "
     "pushes). Two of one list that have conditions may, and run in the order of the file"},
    {"pull.LIST.walk",
     "One way to read the list, beside others. It has `every`, `from`, `overlap` and `look_back` "
     "too; without them those of the pull count"},
    {"pull.LIST.follow_up.NAME",
     "What `fields` names is seen by whoever reads the receiver's mailbox or channel. An example: "
     "docs/GUIDE.md, \"An answer that somebody has to follow up\""},
};

// Keys of a part that its text above names, and which are as in the part before.
const std::map<std::string, std::set<std::string>> kAsBefore = {
    {"pull.LIST.walk", {"every", "from", "overlap", "look_back"}},
};

// A cell of a table: a bar would end it, so it is escaped.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string default_of(const Setting& setting) {
  if (setting.required) return "**required**";
  return setting.standard.empty() ? "" : "`" + cell(setting.standard) + "`";
}

// "pull.LIST.walk" of "pull.customers.walk": the sections of all lists are one.
std::string of_any_list(const std::string& section) {
  constexpr std::string_view kPull = "pull.";
  if (!section.starts_with(kPull)) return section;
  const auto end = std::min(section.find('.', kPull.size()), section.size());
  return "pull.LIST" + section.substr(end);
}

// The sections that have their keys together; a walk's filters are those of its list.
std::string shared_name(const std::string& section) {
  const std::string name = of_any_list(section);
  return name == "pull.LIST.walk.filter" ? "pull.LIST.filter" : name;
}

// "push" of "push.NAME.batch": the sections that have one table.
std::string group_of(const std::string& section) {
  if (section == "store" || section == "ledger") return "crm";
  return section.substr(0, section.find('.'));
}

struct Row {
  std::string keys, type, standard, meaning;
  std::vector<std::string> lists = {};  // that have it
  bool types_by_list = false;
};
using Rows = std::vector<Row>;

// The opening says what a secret is.
std::string type_of(const Setting& setting) {
  const std::string ways = R"({ credential = "name" }, { file = "/path" } or { env = "NAME" })",
                    secret = "a secret: " + ways;
  if (setting.type == secret) return "a secret";
  std::string type = setting.type;
  const auto at = type.find(ways);
  if (at != std::string::npos) type.replace(at, ways.size(), "a secret");
  return type;
}

Row row_of(const Setting& setting) {
  return {"`" + cell(setting.key) + "`", cell(type_of(setting)), default_of(setting),
          cell(setting.meaning)};
}

// "customers" of "pull.customers.walk".
std::string list_of(const std::string& section) {
  const auto begin = section.find('.') + 1;
  return section.substr(begin, section.find('.', begin) - begin);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (auto name = names.begin(); name != names.end(); ++name)
    if (std::find(names.begin(), name, *name) == name) text += (text.empty() ? "" : ", ") + *name;
  return text;
}

// The row of this key, else a new one: behind those of the same key that differ.
Row& found_or_added(const Row& row, Rows& rows) {
  const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
    return std::tie(other.keys, other.type, other.standard, other.meaning) ==
           std::tie(row.keys, row.type, row.standard, row.meaning);
  });
  if (same != rows.end()) return *same;
  const auto last = std::find_if(rows.rbegin(), rows.rend(),
                                 [&](const Row& other) { return other.keys == row.keys; });
  return *rows.insert(last == rows.rend() ? rows.end() : last.base(), row);
}

// A key whose values differ from list to list is one row, which says for each list what it is.
Rows with_types_of_lists(const Rows& rows) {
  Rows all;
  for (const Row& row : rows) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Row& other) {
      return std::tie(other.keys, other.standard, other.meaning) ==
             std::tie(row.keys, row.standard, row.meaning);
    });
    if (same == all.end()) {
      all.push_back(row);
      continue;
    }
    if (!same->types_by_list) same->type = joined(same->lists) + ": " + same->type;
    same->types_by_list = true;
    same->type += "; " + joined(row.lists) + ": " + row.type;
    same->lists.insert(same->lists.end(), row.lists.begin(), row.lists.end());
  }
  return all;
}

// Keys that differ in their name only are one row.
Rows shortened(const Rows& rows) {
  Rows all;
  for (const Row& row : rows) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Row& other) {
      return std::tie(other.type, other.standard, other.meaning) ==
             std::tie(row.type, row.standard, row.meaning);
    });
    if (same == all.end()) {
      all.push_back(row);
    } else {
      same->keys += ", " + row.keys;
    }
  }
  return all;
}

// The lists that have a row, where not all have it, and whether their walks lack it.
std::string lists_with(const Row& row, const std::vector<std::string>& sections) {
  std::vector<std::string> all;
  for (const std::string& section : sections)
    all.push_back(list_of(section));
  if (row.lists.size() == all.size()) return "";
  std::string text;
  for (auto list = all.begin(); list != all.end(); ++list) {
    const auto has = std::count(row.lists.begin(), row.lists.end(), *list);
    if (has == 0 || std::find(all.begin(), list, *list) != list) continue;
    text += (text.empty() ? " (" : ", ") + *list;
    if (has < std::count(all.begin(), all.end(), *list)) text += " but no walk";
  }
  return text + ")";
}

// Of sections that have their keys together: a key that not all have names the lists that have it.
Rows rows_of(const std::vector<std::string>& sections, const std::map<std::string, Rows>& rows) {
  Rows all;
  for (const std::string& section : sections)
    for (const Row& row : rows.at(section))
      found_or_added(row, all).lists.push_back(list_of(section));
  all = with_types_of_lists(all);
  for (Row& row : all)
    row.keys += lists_with(row, sections);
  return shortened(all);
}

struct Part {
  std::string name;                   // as shared_name() says
  std::vector<std::string> sections;  // that have these keys
  Rows rows = {};
};

std::string headings_of(const Part& part) {
  std::vector<std::string> headings;
  for (const std::string& section : part.sections)
    headings.push_back(heading_of(of_any_list(section)));
  return joined(headings);
}

// A table without defaults has no column for them. The first row of each part but the first begins
// with its name, which has a row of its own where something is said about the part.
std::string table_of(const std::vector<Part>& parts) {
  bool defaults = false;
  for (const Part& part : parts)
    for (const Row& row : part.rows)
      defaults = defaults || !row.standard.empty();
  const auto line = [&](const Row& row) {
    return "| " + row.keys + " | " + row.type + " | " + (defaults ? row.standard + " | " : "") +
           row.meaning + " |\n";
  };
  std::string table = defaults ? "| Key | Is | Default | Meaning |\n|---|---|---|---|\n"
                               : "| Key | Is | Meaning |\n|---|---|---|\n";
  for (const Part& part : parts) {
    std::string name = &part == &parts.front() ? "" : "**" + headings_of(part) + "**";
    const auto about = kAbout.find(part.name);
    if (about != kAbout.end()) table += line({std::exchange(name, ""), "", "", about->second});
    for (Row row : part.rows) {
      if (!name.empty()) row.keys = std::exchange(name, "") + " " + row.keys;
      table += line(row);
    }
  }
  return table;
}

// The part that the others belong to is first.
std::string text_of(std::vector<Part> parts) {
  const auto dots = [](const Part& part) {
    return std::count(part.name.begin(), part.name.end(), '.');
  };
  const auto least = [&](const Part& a, const Part& b) { return dots(a) < dots(b); };
  const auto first = std::min_element(parts.begin(), parts.end(), least);
  std::rotate(parts.begin(), first, first + 1);
  const auto note = kNotes.find(parts.front().name);
  const std::string before = note == kNotes.end() ? "" : note->second;
  return "\n## " + headings_of(parts.front()) + before + "\n" + table_of(parts);
}

// The element with this name, or a new one at the end.
template <class Named>
Named& named(std::vector<Named>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.name == name; });
  return found != all.end() ? *found : all.emplace_back(Named{name, {}});
}

struct Group {
  std::string name;
  std::vector<Part> parts;
};

}  // namespace

std::string config_page() {
  std::map<std::string, Rows> rows;
  std::vector<Group> groups;
  for (const Setting& setting : description()) {
    const auto named_above = kAsBefore.find(of_any_list(setting.section));
    if (named_above != kAsBefore.end() && named_above->second.contains(setting.key)) continue;
    const bool is_new = !rows.contains(setting.section);
    rows[setting.section].push_back(row_of(setting));
    auto& parts = named(groups, group_of(setting.section)).parts;
    if (is_new) named(parts, shared_name(setting.section)).sections.push_back(setting.section);
  }
  std::string page = kOpening;
  for (Group& group : groups) {
    for (Part& part : group.parts)
      part.rows = rows_of(part.sections, rows);
    page += text_of(std::move(group.parts));
  }
  return page;
}

}  // namespace surveybridge::config
