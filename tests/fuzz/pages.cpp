#include "tests/fuzz/pages.hpp"

#include "mapping/values/text.hpp"
#include "tests/fuzz/input.hpp"

namespace fuzz {
namespace {

using namespace surveybridge::mapping;

struct List {
  const char* name;
  const Resource& item;
};

const List& list_at(std::size_t index) {
  static const List kLists[] = {{"Customers", customer()},
                                {"Ratings", rating()},
                                {"Bouncers", bouncer()},
                                {"Statuses", status()},
                                {"CustomerDataColumns", data_column()}};
  return kLists[index];
}

bool is_one_line(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20) return false;
  return is_utf8(text);
}

// After writing, a record has no absent object or blank that would be read differently.
void comes_back(const Record& record, Format format, const Reading& reading) {
  const std::string once = write(record, format);
  auto read = read_record(once, "", *record.resource, reading);
  if (std::holds_alternative<Malformed>(read)) {
    return promise(std::get<Malformed>(read).rule.find("none of its members") != std::string::npos,
                   "what the bridge writes, it can read");
  }
  promise(write(std::get<Record>(read), format) == once, "what was written means the same");
}

}  // namespace

void read_as_page(std::string_view text, std::string_view content_type, Format format) {
  const List& list = list_at(choice(text, 5));
  const Reading reading{"Europe/Amsterdam", {1U << 20, 32, 200}};
  const auto read = read_page(text, content_type, list.name, list.item, reading);
  if (const auto* malformed = std::get_if<Malformed>(&read)) {
    promise(!malformed->rule.empty() && malformed->rule.size() < 300, "a rule is a sentence");
    promise(is_one_line(malformed->rule) && is_one_line(malformed->place), "a rule is one line");
    return;
  }
  const Page& page = std::get<Page>(read);
  promise(page.records.size() <= reading.limits.items, "records are bounded");
  for (const Record& record : page.records) {
    comes_back(record, Format::json, reading);
    if (format == Format::xml) comes_back(record, Format::xml, reading);
  }
}

}  // namespace fuzz
