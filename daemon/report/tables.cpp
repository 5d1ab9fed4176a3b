// The tables of a survey report: one description for all its forms, so that they agree.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "daemon/push/push_plan.hpp"
#include "daemon/report/figures.hpp"
#include "daemon/report/pictures.hpp"

namespace surveybridge::daemon {

namespace {

using Kind = ReportColumn::Kind;
using Section = ReportSection;
using Tables = std::vector<ReportTable>;

ReportCell count_cell(std::int64_t count) {
  return {count_text(count), {static_cast<double>(count)}};
}

ReportCell part_cell(std::int64_t part, std::int64_t whole) {
  return {part_text(part, whole), {part_percent(part, whole)}};
}

ReportCell interval_cell(const Estimate& of) {
  if (!of.interval) return {of.interval_text, {std::nullopt, std::nullopt}};
  return {of.interval_text, {of.interval->low, of.interval->high}};
}

ReportCell score_cell(const std::optional<std::int64_t>& score) {
  if (!score) return {"", {std::nullopt}};
  return {std::to_string(*score), {static_cast<double>(*score)}};
}

// What a figure is of: the measure's name, and its kind where the name does not say it.
std::string measure_name(const Measure& measure) {
  const std::string name = isolated(measure.name);
  return measure.kind.empty() ? name : fmt::format("{} ({})", name, measure.kind);
}

ReportTable new_table(Section section, std::string file, std::string id, std::string caption,
                      std::vector<ReportColumn> columns, std::string nothing = "") {
  return {section,           std::move(file), std::move(id), std::move(caption), std::move(columns),
          std::move(nothing)};
}

// The largest number of this column first.
void sort_by(std::size_t column, ReportTable& table) {
  std::ranges::stable_sort(table.rows, std::greater{},
                           [column](const auto& row) { return row[column].numbers[0]; });
}

ReportTable summary_table(const Figures& figures) {
  ReportTable table =
      new_table(Section::compared, "summary", "summary", "Figures, and the time before",
                {{"Figure", {"figure"}, Kind::name},
                 {"n", {"n"}},
                 {"Value", {"value"}},
                 {"95 % interval", {"low", "high"}},
                 {"Before", {"before"}},
                 {"n before", {"n_before"}},
                 {"Change", {"change", "change_low", "change_high", "is_change"}}});
  table.layout = ReportTable::Layout::stack;
  const bool before = !figures.before.name.empty();
  for (const auto& measure : figures.measures) {
    const Move& move = measure.move;
    ReportCell moved{before ? move.text : "–", {{}, {}, {}, {}}};
    if (before) moved.numbers[0] = move.value;
    if (before && move.interval) moved.numbers[1] = move.interval->low;
    if (before && move.interval) moved.numbers[2] = move.interval->high;
    if (before && move.comparable) moved.numbers[3] = move.is_change ? 1 : 0;
    table.rows.push_back({{measure_name(measure)},
                          count_cell(measure.total.n),
                          {measure.total.text, {measure.total.value}},
                          interval_cell(measure.total),
                          {before ? measure.before.text : "–", {measure.before.value}},
                          count_cell(measure.before.n),
                          std::move(moved)});
  }
  return table;
}

using Steps = std::vector<std::pair<const char*, std::int64_t>>;  // names and numbers

ReportTable step_table(std::string id, std::string caption, const Steps& steps, std::int64_t all) {
  ReportTable table = new_table(Section::funnel, "funnel", std::move(id), std::move(caption),
                                {{"Step", {"step"}, Kind::name},
                                 {"Number", {"number"}},
                                 {"Of all transactions", {"percent_of_transactions"}}});
  for (const auto& [name, number] : steps)
    table.rows.push_back({{name}, count_cell(number), part_cell(number, all)});
  return table;
}

// The stages of the way from the transaction to the answer, and what is lost on it.
void add_funnel(const Funnel& funnel, Tables& tables) {
  const std::int64_t all = funnel.transactions;
  const std::int64_t not_yet =
      funnel.sent - funnel.unlisted - funnel.never_invited - funnel.invited;
  tables.push_back(step_table("steps", "From the transaction to the answer",
                              {{"Transactions", all},
                               {"Sent", funnel.sent},
                               {"Invited", funnel.invited},
                               {"Opened", funnel.opened},
                               {"Begun", funnel.begun},
                               {"Finished", funnel.finished}},
                              all));
  tables.back().picture = ReportTable::Picture::bars;
  Steps losses = {{"Suppressed, not sent", funnel.suppressed},
                  {"Of these not drawn by the sample", funnel.not_drawn},
                  {"Of these over a quota", funnel.over_quota},
                  {"Quarantined, not sent", funnel.quarantined},
                  {"Waiting to be sent", funnel.waiting},
                  {"In doubt whether sent", funnel.in_doubt},
                  {"Sent, and not pulled yet", funnel.unlisted},
                  {"Sent, and never invited", funnel.never_invited},
                  {"Sent, and not invited yet", std::max<std::int64_t>(not_yet, 0)},
                  {"Bounced", funnel.bounced},
                  {"Opted out", funnel.opted_out}};
  std::erase_if(losses, [](const auto& step) {
    return step.second == 0 && std::string_view(step.first).starts_with("Of these");
  });
  tables.push_back(step_table("losses", "Not sent, or lost after sending", losses, all));
}

// What the lines of some tables are: periods or segments.
struct LinesBy {
  Section section;
  std::string file, counts_file;
  std::string head, name;  // of their names: the head of the column, and inside a caption
  const std::vector<ReportLine>& lines;
  std::vector<Estimate> Measure::*estimates;
  bool months = false;  // the names of the lines are the first days of months
};

ReportCell name_cell(const LinesBy& by, const ReportLine& line) {
  if (!by.months) return {line.name};
  return {month_text(line.name), {}, line.name};
}

// Each line's numbers; people see the most important.
ReportTable count_table(const LinesBy& by) {
  static const std::map<std::string_view, const char*> titles = {{"sent", "Sent"},
                                                                 {"invited", "Invited"},
                                                                 {"finished", "Finished"},
                                                                 {"bounced", "Bounced"},
                                                                 {"opted_out", "Opted out"}};
  ReportTable table = new_table(by.section, by.counts_file, by.counts_file, "Numbers by " + by.name,
                                {{by.head, {"name"}, Kind::name}});
  table.layout = ReportTable::Layout::flow;
  for (const auto& each : crm::kFunnelNumbers) {
    const auto title = titles.find(each.name);
    table.columns.push_back({title == titles.end() ? "" : title->second, {each.name}});
  }
  for (const auto& line : by.lines) {
    table.rows.push_back({name_cell(by, line)});
    for (const auto& each : crm::kFunnelNumbers)
      table.rows.back().push_back(count_cell(line.funnel.*each.number));
  }
  return table;
}

ReportTable measure_table(const LinesBy& by, const Measure& measure) {
  const bool response = measure.kind.empty();
  ReportTable table = new_table(by.section, by.file, fmt::format("{}_{}", by.file, measure.id),
                                measure_name(measure) + " by " + by.name,
                                {{by.head, {"name"}, Kind::name},
                                 {response ? "Could answer" : "Answers", {"n"}},
                                 {response ? "Rate" : measure.kind, {"value"}},
                                 {"95 % interval", {"low", "high"}}});
  table.measure = &measure;
  if (response) table.columns.insert(table.columns.begin() + 2, {"Did", {"answered"}});
  for (std::size_t i = 0; i < by.lines.size(); ++i) {
    const Estimate& of = (measure.*by.estimates).at(i);
    table.rows.push_back(
        {name_cell(by, by.lines[i]), count_cell(of.n), {of.text, {of.value}}, interval_cell(of)});
    auto& row = table.rows.back();
    if (response) row.insert(row.begin() + 2, count_cell(of.part.value_or(0)));
  }
  return table;
}

// Of segments the most answers first.
void add_lines(const LinesBy& by, const std::vector<Measure>& measures, Tables& tables) {
  const bool time = by.section == Section::time;
  for (const auto& measure : measures) {
    tables.push_back(measure_table(by, measure));
    tables.back().picture = time ? ReportTable::Picture::line : ReportTable::Picture::bars;
    if (!time) sort_by(1, tables.back());
  }
  tables.push_back(count_table(by));
}

// How the answers to a question spread over its scale.
ReportTable spread_table(const Measure& measure) {
  const auto& groups = measure.spread.groups;
  ReportTable table = new_table(
      Section::answers, "answers", "answers_" + measure.id, measure_name(measure) + ": answers",
      {{"Answer", {"answer"}, Kind::name}, {"Number", {"number"}}, {"Share", {"percent"}}},
      "Not shown: " + measure.total.text + ".");
  table.measure = &measure;
  table.picture = ReportTable::Picture::bars;
  if (!groups.empty()) table.columns.push_back({"Counts as", {"counts_as"}, Kind::text});
  for (const auto& bar : measure.spread.bars) {
    table.rows.push_back(
        {{bar.name}, count_cell(bar.number), part_cell(bar.number, measure.total.n)});
    if (!groups.empty()) table.rows.back().push_back({groups.at(bar.group)});
  }
  return table;
}

// Without what may quote a row. Reasons that are equal then become one; the most frequent is first.
ReportTable with_reasons(ReportTable table, std::string_view if_empty,
                         const std::vector<ReasonCount>& reasons) {
  std::map<std::string, std::int64_t> shown;
  for (const auto& [reason, number] : reasons)
    shown[shown_name(without_service_words(reason), if_empty)] += std::max<std::int64_t>(number, 0);
  for (const auto& [reason, number] : shown)
    table.rows.push_back({{reason}, count_cell(number)});
  sort_by(1, table);
  return table;
}

ReportTable bounce_table(const std::vector<BounceCount>& bounces) {
  ReportTable table = new_table(
      Section::reasons, "bounces", "bounces", "Bounces by domain",
      {{"Domain", {"domain"}, Kind::name}, {"Kind", {"kind"}, Kind::text}, {"Number", {"number"}}},
      "No invitation bounced.");
  for (const auto& bounce : bounces) {
    const std::string_view domain = bounce.domain;
    table.rows.push_back({{shown_name(domain.substr(domain.rfind('@') + 1), "(no domain)")},
                          {shown_name(bounce.kind, "unknown")},
                          count_cell(std::max<std::int64_t>(bounce.number, 0))});
  }
  sort_by(2, table);
  return table;
}

void add_reasons(const SurveyReport& report, Tables& tables) {
  const std::vector<ReportColumn> columns = {{"Reason", {"reason"}, Kind::name},
                                             {"Rows", {"rows"}}};
  tables.push_back(with_reasons(new_table(Section::reasons, "reasons", "suppressed", "Suppressed",
                                          columns, "No row was suppressed."),
                                "(no reason)", report.suppressed));
  tables.push_back(with_reasons(new_table(Section::reasons, "reasons", "quarantined", "Quarantined",
                                          columns, "No row is quarantined."),
                                "(no reason)", report.quarantined));
  tables.push_back(with_reasons(
      new_table(Section::reasons, "not_invited", "not_invited", "Customers without an invitation",
                {{"Status at the service", {"status"}, Kind::name}, {"Customers", {"customers"}}},
                "Every customer has an invitation."),
      "(no status)", report.not_invited));
  tables.push_back(bounce_table(report.bounces));
}

ReportTable text_table(const std::vector<ReportText>& texts) {
  const bool recommends = std::ranges::any_of(
      texts, [](const ReportText& text) { return text.recommends.has_value(); });
  ReportTable table = new_table(Section::texts, "texts", "texts",
                                recommends ? "Texts, those of detractors first" : "Latest texts",
                                {{"Day", {"day"}, Kind::name},
                                 {"Question", {"question"}, Kind::text},
                                 {"Score", {"score"}},
                                 {"Text", {"text"}, Kind::text},
                                 {recommends ? "NPS" : "", {"recommends"}}},
                                "There is no text to show.");
  table.layout = ReportTable::Layout::stack;
  for (const auto& text : texts)
    table.rows.push_back({{fit_to_show(text.day)},
                          {fit_to_show(text.question)},
                          score_cell(text.score),
                          {fit_to_show(text.text)},
                          score_cell(text.recommends)});
  return table;
}

}  // namespace

std::vector<ReportTable> tables_of(const SurveyReport& report, const Figures& figures) {
  Tables tables{summary_table(figures)};
  add_funnel(figures.total.funnel, tables);
  const bool months = figures.period == "Month";
  add_lines({Section::time, "periods", "period_counts", figures.period, months ? "month" : "week",
             figures.periods, &Measure::periods, months},
            figures.measures, tables);
  if (!figures.segment.empty())
    add_lines({Section::segments, "segments", "segment_counts", figures.segment, figures.segment,
               figures.segments, &Measure::segments},
              figures.measures, tables);
  for (const auto& measure : figures.measures)
    if (!measure.kind.empty()) tables.push_back(spread_table(measure));
  add_reasons(report, tables);
  if (report.with_texts) tables.push_back(text_table(report.texts));
  return tables;
}

}  // namespace surveybridge::daemon
