#include "tests/config/page.hpp"

#include <map>

#include <fmt/format.h>

#include "config/sections/description.hpp"

namespace surveybridge::config {
namespace {

constexpr const char* kOpening = R"(# Configuration

Made from the description in the code by `tests/config`; do not edit it. After a change there,
`BRIDGE_UPDATE_GOLDEN=1 build/dev/bin/config_tests --gtest_filter='ConfigPage*'` writes it anew.

Strict TOML: an unknown key, a wrong type, a clash or a missing value is an error with file, line, column and, where one
was meant, a suggestion; `surveybridge check` says all of them in one run. Durations are texts (`"500ms"`, `"30s"`,
`"1h30m"`, `"7d"`). A secret is never in the file: `{ credential = "name" }`, `{ file = "/…" }` or `{ env = "NAME" }`.
NAME, FIELD and COLUMN stand for names of your own.
)";

// Explanations that the table of a section cannot contain.
const std::map<std::string, const char*> kNotes = {
    {"a source", R"(
A field of the service gets its value from a source: a column's name (`Email = "email"`), a constant that is no text
(`Priority = 0`), or a table. A table's keys are carried out in the order below, whatever the order they are written in:

```toml
Email       = { template = "{mailbox}@example.com", lower = true }
Priority    = { column = "tier", upper = true, map = { GOLD = 1, SILVER = 2 }, otherwise = 9 }
SendDate    = { column = "delivered", date = "%d-%m-%Y %H:%M", plus = "2d", at = "10:00", not_before = "promised" }
[push.orders.customer.Data]
Name        = { template = "{first} {infix} {last}", trim = true, default = "customer" }
Amount      = { column = "amount", number = "comma" }
Member      = { column = "member", boolean = { true = ["ja", "j"], false = ["nee", "n"] } }
```

- **Null and empty** are the same, also after `trim`. In a template an empty column takes one blank beside it along; where
  all its columns are empty, so is the template.
- **map** looks the cell's text up as it is then (after `trim`, `lower`, `upper`), exactly. What it does not name is
  `otherwise`; without that the row is set aside, with the reason. Null is never looked up: `default` is for that.
- **number**: `"comma"` reads `1.234,50`, `"point"` reads `1,234.50`; the other sign, blanks or apostrophes may part
  groups of three digits. `1.5` with a decimal comma is no number: nothing is guessed.
- **date** is a pattern of `%Y %m %d %H %M %S %f %z %%` and signs that stand for themselves. Without it a text is read as
  ISO 8601. A cell that is a date or a number already is not read by a pattern or a `number`.
- **Clocks without an offset** are read in `zone`, else in the CRM's `time_zone`; `at` and whole days of `plus` go by the
  same clock, all other lengths are elapsed time. In the gap of spring, where a clock's reading does not exist, it is read
  with the offset before the gap: 02:30 becomes 03:30 summer time. In the overlap of autumn, where it exists twice, the
  first is meant.
- **lower** and **upper** know Latin, Greek and Cyrillic letters; what has no single letter as its partner (ß) stays.
- **folder** is for `Data` of a `FileAnswers`: `{ column = "photo", folder = "/srv/crm/photos" }` sends what is in the file
  that the column (or a `template`) names by its path from that folder. A row whose file is not there, cannot be read, has
  more than `max_bytes`, is no regular file, is a link or lies outside the folder is set aside with the reason; `quarantine
  retry` sends it once that is mended. While the folder itself is away, nothing goes out and no row is set aside. Without
  `folder` the column holds the content, as bytes or in base64. The daemon's user must be able to read there, and its unit
  to see it: `ProtectHome` hides `/home`.

Anything richer belongs into the query's SQL, which the database has tested for longer than we could:
`COALESCE(mobile, phone) AS phone`, `CASE WHEN amount >= 1000 THEN 1 ELSE 2 END AS tier`,
`greatest(delivered_at, paid_at) AS due`.
)"},
};

// A cell of a table: a bar would end it, so it is escaped.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string opening_of(const std::string& section) {
  const auto note = kNotes.find(section);
  const bool table = !section.empty() && note == kNotes.end();
  return fmt::format("\n## {}\n{}\n| Key | Is | Default | Meaning |\n|---|---|---|---|\n",
                     section.empty() ? "At the top"
                     : table         ? "[" + section + "]"
                                     : section,
                     note == kNotes.end() ? "" : note->second);
}

std::string default_of(const Setting& setting) {
  if (setting.required) return "**required**";
  return setting.standard.empty() ? "" : "`" + cell(setting.standard) + "`";
}

}  // namespace

std::string config_page() {
  std::vector<std::string> order;  // a section's keys may come before and after its sub-sections
  std::map<std::string, std::string> lines;
  for (const Setting& setting : description()) {
    if (!lines.contains(setting.section)) order.push_back(setting.section);
    lines[setting.section] +=
        fmt::format("| `{}` | {} | {} | {} |\n", cell(setting.key), cell(setting.type),
                    default_of(setting), cell(setting.meaning));
  }
  std::string page = kOpening;
  for (const std::string& section : order)
    page += opening_of(section) + lines[section];
  return page;
}

}  // namespace surveybridge::config
