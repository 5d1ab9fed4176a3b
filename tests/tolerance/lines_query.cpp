// Query strings (docs/SERVICE.md 4.5).
#include "tests/tolerance/line.hpp"

namespace tolerance {

namespace service = surveybridge::service;

namespace {

using Members = sandbox::Dialect::Members;
using Lists = sandbox::Dialect::Lists;

// Every status: a filter that selects all customers, if it is understood.
const std::string kStatuses =
    "filter = { Statuses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], IncludeNotes = false }\n";

std::string addresses() {
  std::string list;
  for (int i = 0; i < kOrders; ++i)
    list += "\"p+" + std::to_string(i) + "@example.test\", ";
  return "filter = { EmailAddresses = [" + list + "] }\n";
}

std::string judge_one(const Kept& kept, const Plain&, Format) {
  return kept.tables.at("survey_customer").size() == 1 ? "" : "not the one customer asked for";
}

std::string judge_several(const Kept& kept, const Plain& plain, Format format) {
  if (kept.requests < plain.in(format).requests + 6) return "not in several requests";
  return judge_same(kept, plain, format);
}

std::string judge_ignored(const Kept& kept, const Plain&, Format) {
  if (!kept.said("the service ignores EmailAddresses")) return "nothing was said";
  return kept.tables.at("survey_customer").size() == 1 ? "" : "strays were stored";
}

Line list_line(const std::string& what, const std::string& word, Lists lists) {
  return {what,
          [=](Variant& variant, Format) {
            variant.options.dialect.lists = lists;
            variant.dialect = "lists = \"" + word + "\"\n";
            variant.customers = kStatuses;
          },
          judge_same};
}

Line date_line(const std::string& what, const std::string& word) {
  return {what,
          [=](Variant& variant, Format) {
            variant.service = "time_zone = \"Europe/Amsterdam\"\n";
            variant.dialect = "dates = \"" + word + "\"\n";
          },
          judge_same};
}

Lines query_member_lines() {
  return {
      {"a filter's members behind a dot: `Filter.From`", [](Variant&, Format) {}, judge_same},
      {"in brackets: `Filter[From]`",
       [](Variant& variant, Format) {
         variant.options.dialect.members = Members::bracket;
         variant.dialect = "members = \"bracket\"\n";
       },
       judge_same},
      {"under other names than `From` and `To`",
       [](Variant& variant, Format) {
         variant.options.dialect.from = "Since";
         variant.options.dialect.to = "Until";
         variant.dialect = "from = \"Since\"\nto = \"Until\"\n";
       },
       judge_same},
      {"a `To` that is not part of the range",
       [](Variant& variant, Format) { variant.options.dialect.to_is_exclusive = true; },
       judge_same},
  };
}

Lines object_lines() {
  return {
      {"lists of objects: `DataFilters[0].CustomerDataColumnId`",
       [](Variant& variant, Format) {
         variant.customers = "filter = { DataFilters = { OrderNumber = \"o-3\" } }\n";
       },
       judge_one},
      {"their members under other names",
       [](Variant& variant, Format) {
         variant.options.dialect.data_column = "ColumnId";
         variant.options.dialect.data_value = "Is";
         variant.dialect = "data_filter_column = \"ColumnId\"\ndata_filter_value = \"Is\"\n";
         variant.customers = "filter = { DataFilters = { OrderNumber = \"o-3\" } }\n";
       },
       judge_one},
      {"lists longer than a query may be, in several requests",
       [](Variant& variant, Format) {
         variant.dialect = "query_bytes = 700\n";
         variant.customers = addresses();
       },
       judge_several},
      {"a filter that is ignored: items outside it are dropped, and this is reported",
       [](Variant& variant, Format) {
         variant.options.ignored = {"EmailAddresses"};
         variant.customers = "filter = { EmailAddresses = [\"p+3@example.test\"] }\n";
       },
       judge_ignored},
  };
}

}  // namespace

Lines query_lines() {
  Lines lines = query_member_lines();
  lines.push_back(list_line("lists repeated: `Statuses=1&Statuses=2`", "repeat", Lists::repeat));
  lines.push_back(list_line("indexed: `Statuses[0]=1`", "indexed", Lists::index));
  lines.push_back(list_line("with commas: `Statuses=1,2`", "comma", Lists::comma));
  for (Line& line : object_lines())
    lines.push_back(std::move(line));
  lines.push_back(date_line("dates in UTC", "utc"));
  lines.push_back(date_line("dates with an offset", "offset"));
  lines.push_back(date_line("dates without a time", "date"));
  return lines;
}

}  // namespace tolerance
