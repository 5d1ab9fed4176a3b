#include "daemon/report/tables.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "daemon/report/data_text.hpp"

namespace surveybridge::daemon {

namespace {

using Kind = ReportColumn::Kind;

ReportCell count_cell(std::int64_t count) {
  return {count_text(count), {static_cast<double>(count)}};
}

ReportCell part_cell(std::int64_t part, std::int64_t whole) {
  return {part_text(part, whole), {part_percent(part, whole)}};
}

ReportCell interval_cell(const std::string& text, const std::optional<mapping::Interval>& of) {
  if (!of) return {text, {std::nullopt, std::nullopt}};
  return {text, {of->low, of->high}};
}

// What a figure is of: the measure's name, and its kind where the name does not say it.
std::string measure_name(const Measure& measure) {
  const std::string name = isolated(measure.name);
  return measure.kind.empty() ? name : fmt::format("{} ({})", name, measure.kind);
}

ReportTable summary_table(const Figures& figures) {
  ReportTable table{"summary", "summary", "Figures, and the time before", nullptr, {}, {}};
  table.columns = {{"Figure", {"figure"}, Kind::name},
                   {"n", {"n"}},
                   {"Value", {"value"}},
                   {"95 % interval", {"low", "high"}},
                   {"Before", {"before"}},
                   {"n before", {"n_before"}},
                   {"Change", {"change", "change_low", "change_high", "is_change"}}};
  for (const auto& measure : figures.measures) {
    const Move& move = measure.move;
    ReportCell moved{move.text, {move.value, {}, {}, {}}};
    if (move.interval) moved.numbers = {move.value, move.interval->low, move.interval->high, {}};
    if (move.comparable) moved.numbers[3] = move.is_change ? 1 : 0;
    const bool before = !figures.before.name.empty();
    table.rows.push_back({{measure_name(measure)},
                          count_cell(measure.total.n),
                          {measure.total.text, {measure.total.value}},
                          interval_cell(measure.total.interval_text, measure.total.interval),
                          {before ? measure.before.text : "–", {measure.before.value}},
                          count_cell(measure.before.n),
                          before ? moved : ReportCell{"–", {{}, {}, {}, {}}}});
  }
  return table;
}

ReportTable step_table(std::string id, std::string caption, const std::vector<Step>& steps) {
  ReportTable table{"funnel", std::move(id), std::move(caption), nullptr, {}, {}};
  table.columns = {{"Step", {"step"}, Kind::name},
                   {"Number", {"number"}},
                   {"Of all transactions", {"percent_of_transactions"}}};
  for (const auto& step : steps)
    table.rows.push_back({{step.name}, count_cell(step.number), part_cell(step.number, step.of)});
  return table;
}

// What the lines of a table are: the file that it is in, the head of their names, and the same
// inside a caption.
struct LinesBy {
  std::string_view file;
  std::string head, name;
};

// Each line's numbers; people see the most important.
ReportTable count_table(std::string_view file, const LinesBy& by,
                        const std::vector<ReportLine>& lines) {
  ReportTable table{file, std::string(file), "Numbers by " + by.name, nullptr, {}, {}};
  table.columns = {{by.head, {"name"}, Kind::name},
                   {"", {"transactions"}},
                   {"", {"suppressed"}},
                   {"", {"quarantined"}},
                   {"", {"waiting"}},
                   {"", {"in_doubt"}},
                   {"Sent", {"sent"}},
                   {"Invited", {"invited"}},
                   {"", {"opened"}},
                   {"", {"begun"}},
                   {"Finished", {"finished"}},
                   {"Bounced", {"bounced"}},
                   {"Opted out", {"opted_out"}},
                   {"", {"due"}},
                   {"", {"due_finished"}},
                   {"", {"unlisted"}},
                   {"", {"never_invited"}}};
  for (const auto& line : lines) {
    const Funnel& of = line.funnel;
    std::vector<ReportCell> row{{line.name}};
    for (const std::int64_t count :
         {of.transactions, of.suppressed, of.quarantined, of.waiting, of.in_doubt, of.sent,
          of.invited, of.opened, of.begun, of.finished, of.bounced, of.opted_out, of.due,
          of.due_finished, of.unlisted, of.never_invited})
      row.push_back(count_cell(count));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable measure_table(const LinesBy& by, const Measure& measure,
                          const std::vector<ReportLine>& lines,
                          const std::vector<Estimate>& estimates) {
  ReportTable table{by.file,
                    fmt::format("{}_{}", by.file, measure.id),
                    measure_name(measure) + " by " + by.name,
                    &measure,
                    {},
                    {}};
  const bool response = measure.total.part.has_value();
  table.columns = {{by.head, {"name"}, Kind::name},
                   {response ? "Could answer" : "Answers", {"n"}},
                   {response ? "Rate" : measure.kind, {"value"}},
                   {"95 % interval", {"low", "high"}}};
  if (response) table.columns.insert(table.columns.begin() + 2, {"Did", {"answered"}});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Estimate& of = estimates.at(i);
    std::vector<ReportCell> row{{lines[i].name},
                                count_cell(of.n),
                                {of.text, {of.value}},
                                interval_cell(of.interval_text, of.interval)};
    if (response) row.insert(row.begin() + 2, count_cell(of.part.value_or(0)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The most answers first, as its picture.
void sort_by_n(ReportTable& table) {
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const auto& a, const auto& b) { return a[1].numbers[0] > b[1].numbers[0]; });
}

ReportTable spread_table(const Measure& measure) {
  ReportTable table{
      "answers", "answers_" + measure.id, measure_name(measure) + ": answers", &measure, {}, {}};
  const bool grouped = !measure.spread.groups.empty();
  table.columns = {
      {"Answer", {"answer"}, Kind::name}, {"Number", {"number"}}, {"Share", {"percent"}}};
  if (grouped) table.columns.push_back({"Counts as", {"counts_as"}, Kind::text});
  for (const auto& bar : measure.spread.bars) {
    table.rows.push_back(
        {{bar.name}, count_cell(bar.number), part_cell(bar.number, measure.total.n)});
    if (grouped) table.rows.back().push_back({measure.spread.groups.at(bar.group)});
  }
  table.nothing = "Not shown: " + measure.total.text + ".";
  return table;
}

ReportTable reason_table(const std::string& id, std::string caption, std::string nothing,
                         const std::vector<ReasonCount>& reasons) {
  ReportTable table{"reasons", id, std::move(caption), nullptr, {}, {}, std::move(nothing)};
  table.columns = {{"Reason", {"reason"}, Kind::name}, {"Rows", {"rows"}}};
  for (const auto& reason : reasons)
    table.rows.push_back({{reason.reason}, count_cell(reason.rows)});
  return table;
}

ReportTable status_table(const std::vector<ReasonCount>& statuses) {
  ReportTable table{"not_invited",
                    "not_invited",
                    "Pulled, without an invitation",
                    nullptr,
                    {},
                    {},
                    "Every customer has an invitation."};
  table.columns = {{"Status at the service", {"status"}, Kind::name}, {"Customers", {"customers"}}};
  for (const auto& [status, customers] : statuses)
    table.rows.push_back({{status}, count_cell(customers)});
  return table;
}

ReportTable bounce_table(const std::vector<BounceCount>& bounces) {
  ReportTable table{"bounces", "bounces", "Bounces by domain",     nullptr,
                    {},        {},        "No invitation bounced."};
  table.columns = {
      {"Domain", {"domain"}, Kind::name}, {"Kind", {"kind"}, Kind::text}, {"Number", {"number"}}};
  for (const auto& bounce : bounces)
    table.rows.push_back({{bounce.domain}, {bounce.kind}, count_cell(bounce.number)});
  return table;
}

ReportTable text_table(const std::vector<ReportText>& texts) {
  ReportTable table{"texts", "texts", "Latest texts", nullptr, {}, {}, "There is no text to show."};
  table.columns = {{"Day", {"day"}, Kind::name},
                   {"Question", {"question"}, Kind::text},
                   {"Score", {"score"}},
                   {"Text", {"text"}, Kind::text}};
  for (const auto& text : texts) {
    ReportCell score{"", {std::nullopt}};
    if (text.score) score = {std::to_string(*text.score), {static_cast<double>(*text.score)}};
    table.rows.push_back({{text.day}, {text.question}, score, {text.text}});
  }
  return table;
}

}  // namespace

ReportTables tables_of(const Figures& figures) {
  ReportTables tables;
  tables.summary = summary_table(figures);
  tables.steps = step_table("steps", "From the transaction to the answer", figures.steps);
  tables.losses = step_table("losses", "Not sent, or lost after sending", figures.losses);
  const LinesBy periods{"periods", figures.period, figures.period == "Month" ? "month" : "week"};
  const LinesBy segments{"segments", figures.segment, figures.segment};
  tables.period_counts = count_table("period_counts", periods, figures.periods);
  tables.segment_counts = count_table("segment_counts", segments, figures.segments);
  for (const auto& measure : figures.measures) {
    tables.periods.push_back(measure_table(periods, measure, figures.periods, measure.periods));
    tables.segments.push_back(measure_table(segments, measure, figures.segments, measure.segments));
    sort_by_n(tables.segments.back());
    if (!measure.kind.empty()) tables.spreads.push_back(spread_table(measure));
  }
  tables.suppressed =
      reason_table("suppressed", "Suppressed", "No row was suppressed.", figures.suppressed);
  tables.quarantined =
      reason_table("quarantined", "Quarantined", "No row is quarantined.", figures.quarantined);
  tables.not_invited = status_table(figures.not_invited);
  tables.bounces = bounce_table(figures.bounces);
  tables.texts = text_table(figures.texts);
  return tables;
}

std::vector<const ReportTable*> all_of(const ReportTables& tables, const Figures& figures) {
  std::vector<const ReportTable*> all{&tables.summary, &tables.steps, &tables.losses};
  const auto add = [&](const std::vector<ReportTable>& some) {
    for (const auto& table : some)
      all.push_back(&table);
  };
  add(tables.periods);
  all.push_back(&tables.period_counts);
  if (!figures.segment.empty()) {
    add(tables.segments);
    all.push_back(&tables.segment_counts);
  }
  add(tables.spreads);
  for (const auto* table :
       {&tables.suppressed, &tables.quarantined, &tables.not_invited, &tables.bounces})
    all.push_back(table);
  if (figures.with_texts) all.push_back(&tables.texts);
  return all;
}

}  // namespace surveybridge::daemon
