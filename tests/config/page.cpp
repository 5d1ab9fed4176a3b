#include "tests/config/page.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "config/sections/description.hpp"

namespace surveybridge::config {
namespace {

constexpr const char* kOpening = R"(# Configuration

Generated from the description in the code by `tests/config`; do not edit it. After a change there, run
`BRIDGE_UPDATE_GOLDEN=1 build/dev/bin/config_tests --gtest_filter='ConfigPage*'`.

The file is strict TOML. An unknown key, a wrong type, a missing value, or two settings that exclude each other are errors with
file, line and column, and with a suggestion where possible. `surveybridge check` reports all of them in one run.

Durations are texts (`"500ms"`, `"30s"`, `"1h30m"`, `"7d"`). A secret is never in the file: write `{ credential = "name" }`,
`{ file = "/…" }` or `{ env = "NAME" }`. A file that everybody can read is refused: `chmod 600 FILE`, or 640 where the daemon
reads it as a member of its group. NAME, FIELD and COLUMN stand for names of your own.
)";

// Explanations that the table of a section cannot contain.
const std::map<std::string, const char*> kNotes = {
    {"a cell", R"(
A column of the CRM gets its value from a cell: a path into the record, or a table. Columns of `match` find the CRM's row, and
columns of `set` are written:

```toml
[[pull.customers.write]]
table = "orders"
match = { id = "Data[OrderNumber]" }
when  = { OptedOut = false }
[pull.customers.write.set]
score    = "Answers[1200].SelectedScalePositions[0].Value"
answered = { value = 1 }
no_mail  = { path = "OptedOut", one_way = true }
state    = { path = "Status.StatusName", map = { Finished = "done" }, otherwise = "open" }
visited  = { path = "Data[Visited]", date = "%d-%m-%Y" }
```

Two writes that set one column of one table are refused, unless the order in which they run makes no difference (`one_way`, the
same constant, different pushes). They are allowed, too, where both are of one list and have conditions, and run in the order of
the file then.

With `one_way` only true is written, so a flag that the CRM's own staff set is never taken back. A text that neither `map` nor
`otherwise` names leaves the cell alone, and so does a value that does not fit its column. `date` says how the text of a data
column is read; a zero date is NULL. `insert = true` adds a row, with the columns of match and set, where no row matches. Records that match no
row are remembered and tried again every hour; `surveybridge write-back LIST` tries them at once. `status` counts the records of
which a column does not hold what was to be written, with the reason. What the column has no room for of a second's fraction or of
a number's last digits does not count.
)"},
    {"a source", R"(
A field of the service gets its value from a source: a column's name (`Email = "email"`), a constant that is not a text
(`Priority = 0`), or a table. The keys of a table are applied in the order of the list below, in whatever order they are written:

```toml
Email       = { template = "{mailbox}@example.com", lower = true }
Priority    = { column = "tier", upper = true, map = { GOLD = 1, SILVER = 2 }, otherwise = 9 }
SendDate    = { column = "delivered", date = "%d-%m-%Y %H:%M", plus = "2d", at = "10:00", not_before = "promised" }
[push.orders.customer.Data]
Name        = { template = "{first} {infix} {last}", trim = true, default = "customer" }
Amount      = { column = "amount", number = "comma" }
Member      = { column = "member", boolean = { true = ["ja", "j"], false = ["nee", "n"] } }
```

- **Null and empty** are the same, also after `trim`. In a template one blank beside an empty column is dropped. A template
  whose columns are all empty is empty.
- **map** looks up the exact text of the cell, after `trim`, `lower` and `upper`. A text that it does not have becomes
  `otherwise`; without `otherwise` the row is set aside with the reason. Null is not looked up: use `default`.
- **number**: `"comma"` reads `1.234,50`, `"point"` reads `1,234.50`. The other sign, blanks or apostrophes may separate
  groups of three digits. `1.5` with a decimal comma is not a number: nothing is guessed.
- **date** is a pattern of `%Y %m %d %H %M %S %f %z %%`; every other character stands for itself. Without a pattern a text is
  read as ISO 8601. `date` and `number` are not applied to a cell that is a date or a number already.
- **A date without an offset** is read in `zone`, otherwise in the CRM's `time_zone`. `at` and whole days of `plus` use the
  same zone; every other duration is elapsed time. A time that does not exist, because the clock was put forward, is read
  with the offset before the change: 02:30 becomes 03:30 summer time. A time that exists twice, because the clock was put
  back, is the first of the two.
- **lower** and **upper** convert the letters of every script. A letter without a counterpart of one letter (ß) stays.
- **folder** is for `Data` of a `FileAnswers`: `{ column = "photo", folder = "/srv/crm/photos" }` sends the content of the file
  whose path in that folder is in the column (or in a `template`). A row is set aside with the reason if its file does not
  exist, cannot be read, is larger than `max_bytes`, is not a regular file, is a link, or is outside the folder. `quarantine
  retry` sends it after you correct that. While the folder itself is not available, nothing goes out and no row is set aside.
  Without `folder` the column has the content itself, as bytes or in base64. The daemon's user needs read access to the
  folder, and the unit must not hide it: `ProtectHome` hides `/home`.

Use the SQL of the query for everything beyond that:
`COALESCE(mobile, phone) AS phone`, `CASE WHEN amount >= 1000 THEN 1 ELSE 2 END AS tier`,
`greatest(delivered_at, paid_at) AS due`.
)"},
    {"service.enumerations", R"(
JSON has the numbers of enumerations and XML their names, and the service does not say which belong together. With these lines a
value that comes by one half is stored with both: `FormStatus = { 0 = "None", 1 = "New" }`. `surveybridge check` proposes the lines
that are missing, where the service speaks both formats.
)"},
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

struct Row {
  std::string keys, type, standard, meaning;
};
using Rows = std::vector<Row>;

// Keys that differ in their name only are one row.
void add(const Setting& setting, Rows& rows) {
  const Row row{"`" + cell(setting.key) + "`", cell(setting.type), default_of(setting),
                cell(setting.meaning)};
  const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
    return std::tie(other.type, other.standard, other.meaning) ==
           std::tie(row.type, row.standard, row.meaning);
  });
  if (same == rows.end()) {
    rows.push_back(row);
  } else {
    same->keys += ", " + row.keys;
  }
}

// A table without defaults has no column for them.
std::string table_of(const Rows& rows) {
  const bool defaults =
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.standard.empty(); });
  std::string table = defaults ? "| Key | Is | Default | Meaning |\n|---|---|---|---|\n"
                               : "| Key | Is | Meaning |\n|---|---|---|\n";
  for (const Row& row : rows)
    table += "| " + row.keys + " | " + row.type + " | " + (defaults ? row.standard + " | " : "") +
             row.meaning + " |\n";
  return table;
}

struct Section {
  std::string headings, text;
};

// Sections with the same keys are one.
void add(const std::string& name, const Rows& rows, std::vector<Section>& sections) {
  const auto note = kNotes.find(name);
  const std::string text = (note == kNotes.end() ? "" : note->second) + ("\n" + table_of(rows));
  const auto same = std::find_if(sections.begin(), sections.end(),
                                 [&](const Section& other) { return other.text == text; });
  if (same == sections.end()) {
    sections.push_back({heading_of(name), text});
  } else {
    same->headings += ", " + heading_of(name);
  }
}

}  // namespace

std::string config_page() {
  std::vector<std::string> order;  // a section's keys may come before and after its sub-sections
  std::map<std::string, Rows> rows;
  for (const Setting& setting : description()) {
    if (!rows.contains(setting.section)) order.push_back(setting.section);
    add(setting, rows[setting.section]);
  }
  std::vector<Section> sections;
  for (const std::string& name : order)
    add(name, rows[name], sections);
  std::string page = kOpening;
  for (const Section& section : sections)
    page += "\n## " + section.headings + "\n" + section.text;
  return page;
}

}  // namespace surveybridge::config
