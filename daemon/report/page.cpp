#include "daemon/report/page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "daemon/report/data_text.hpp"
#include "daemon/report/html_text.hpp"
#include "daemon/report/page_style.hpp"
#include "daemon/report/pictures.hpp"
#include "daemon/report/table_html.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kTileName = 40;  // the tables have the whole name

std::string section(std::string_view id, std::string_view title, const std::string& body) {
  return fmt::format("<section aria-labelledby=\"{}\">\n<h2 id=\"{}\">{}</h2>\n{}</section>\n", id,
                     id, data_html(title), body);
}

// Only a path of this site or an address of the web: nothing that runs.
bool leads_somewhere(std::string_view href) {
  if (href.starts_with("https://") || href.starts_with("http://")) return true;
  const auto colon = href.find(':');
  return !href.empty() && href.find_first_of("/?#") <= colon && !href.starts_with("//");
}

std::string link_html(const ReportLink& link) {
  const std::string text = data_html(fit_to_show(link.text));
  if (!leads_somewhere(link.href)) return "<li>" + text + "</li>";
  return fmt::format("<li><a href=\"{}\"{}>{}</a></li>", escaped(fit_to_show(link.href)),
                     link.current ? " aria-current=\"page\"" : "", text);
}

std::string links_html(const std::vector<LinkGroup>& groups) {
  std::string html;
  for (const auto& [title, links] : groups) {
    if (links.empty()) continue;
    const std::string shown = fit_to_show(title);
    html += fmt::format("<nav aria-label=\"{}\"><b>{}</b><ul>", escaped(shown), data_html(shown));
    for (const auto& link : links)
      html += link_html(link);
    html += "</ul></nav>\n";
  }
  return html;
}

std::string tile_html(const Measure& measure, bool compared) {
  const Estimate& total = measure.total;
  const std::string kind = measure.kind.empty() ? "" : " (" + measure.kind + ")";
  std::string html = fmt::format("<li><h3>{}{}</h3><p class=\"value{}\">{}</p>",
                                 data_html(cut(measure.name, kTileName)), kind,
                                 total.value ? "" : " none", escaped(total.text));
  html += fmt::format("<p>{}{}n {}</p>", escaped(total.interval_text),
                      total.interval_text.empty() ? "" : ", ", count_text(total.n));
  if (compared) html += fmt::format("<p class=\"soft\">Change: {}</p>", escaped(measure.move.text));
  return html + "</li>\n";
}

std::string tiles_html(const Figures& figures) {
  std::string html = "<ul class=\"tiles\">\n";
  for (const auto& measure : figures.measures)
    html += tile_html(measure, !figures.before.name.empty());
  return html + "</ul>\n";
}

std::string verdict_html(const std::vector<std::string>& sentences) {
  std::string html;
  for (const auto& sentence : sentences)
    html += (html.empty() ? "" : " ") + escaped(sentence);
  return "<p class=\"verdict\">" + html + "</p>\n";
}

// A picture with the table of its numbers below it. Without a picture: the words, and the table.
std::string figure_html(const std::string& picture, const std::string& caption,
                        const std::string& instead) {
  if (picture.empty()) return instead.empty() ? "" : "<p>" + escaped(instead) + "</p>\n";
  return fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", caption, picture);
}

std::string caption_of(const Measure& measure) {
  std::string html;
  if (!measure.question.empty()) html = data_html(measure.question) + "<br>";
  return html + escaped(measure.meaning);
}

std::string card(const ReportTable& table, const std::string& picture, const std::string& caption,
                 const std::string& instead) {
  const Measure& measure = *table.measure;
  return fmt::format("<section>\n<h3>{}{}</h3>\n", data_html(measure.name),
                     measure.kind.empty() ? "" : " (" + measure.kind + ")") +
         figure_html(picture, caption, instead) +
         (table.rows.empty() ? "<p>" + escaped(table.nothing) + "</p>\n" : table_html(table)) +
         "</section>\n";
}

std::string funnel_section(const ReportTables& tables) {
  const std::string picture =
      figure_html(funnel_picture(tables.steps),
                  "Each bar is a number of transactions, and its share of all of them.",
                  "There are no transactions in this time.");
  return section("funnel", "From the transaction to the answer",
                 "<div class=\"cards plain\"><section>\n" + picture + table_html(tables.steps) +
                     "</section><section>\n" + table_html(tables.losses) + "</section></div>\n");
}

std::string time_section(const Figures& figures, const ReportTables& tables) {
  std::string html =
      "<p class=\"soft\">The line is the figure, the band around it its 95 % interval, the dashes "
      "the figure of the whole time. A gap has too few answers.</p>\n<div class=\"cards\">\n";
  if (figures.periods.empty()) return "";
  for (const auto& table : tables.periods)
    html += card(table, time_picture(table), caption_of(*table.measure),
                 "No " + std::string(figures.period == "Month" ? "month" : "week") +
                     " has enough answers for a picture.");
  return section("time", "Over time",
                 html + "</div>\n" + table_html(tables.period_counts, OnPhone::flow));
}

std::string segment_caption(const ReportTable& table) {
  std::string html = caption_of(*table.measure);
  if (table.rows.size() > kPictureSegments)
    html += fmt::format(
        " The picture shows the {} largest; {} more are in the table.", kPictureSegments,
        count_text(static_cast<std::int64_t>(table.rows.size() - kPictureSegments)));
  return html;
}

std::string segment_section(const Figures& figures, const ReportTables& tables) {
  if (figures.segment.empty()) return "";
  if (figures.segments.empty())
    return section("segments", "By " + figures.segment, "<p>There are no rows to divide.</p>\n");
  std::string html =
      "<p class=\"soft\">The dot is the figure, the line through it its 95 % interval, the dashes "
      "the figure of all. Where two lines overlap much, do not read a difference.</p>\n"
      "<div class=\"cards\">\n";
  for (const auto& table : tables.segments)
    html += card(table, segment_picture(table), segment_caption(table),
                 "No segment has enough answers for a picture.");
  return section("segments", "By " + figures.segment,
                 html + "</div>\n" + table_html(tables.segment_counts, OnPhone::flow));
}

std::string spread_section(const ReportTables& tables) {
  if (tables.spreads.empty()) return "";
  std::string html = "<div class=\"cards\">\n";
  for (const auto& table : tables.spreads)
    html += card(table, spread_picture(table), caption_of(*table.measure), "");
  return section("answers", "What they answered", html + "</div>\n");
}

std::string reason_section(const Figures& figures, const ReportTables& tables) {
  std::string html = "<div class=\"cards\">\n";
  for (const auto* table :
       {&tables.suppressed, &tables.quarantined, &tables.not_invited, &tables.bounces})
    html += "<section>\n" + table_html(*table) + "</section>\n";
  return section("reasons", "Why rows were not sent, and what came back", html + "</div>\n") +
         section("contact", "Customers who want to be contacted",
                 "<p>" + escaped(figures.contact) + "</p>\n");
}

std::string notes_html(const std::vector<std::string>& notes) {
  std::string html = "<ul class=\"notes\">\n";
  for (const auto& note : notes)
    html += "<li>" + escaped(note) + "</li>\n";
  return section("notes", "How to read the figures", html + "</ul>\n");
}

std::string body_of(const Figures& figures) {
  const ReportTables tables = tables_of(figures);
  std::string html = tiles_html(figures);
  if (!figures.before.name.empty())
    html +=
        section("compared", "Against the time before", table_html(tables.summary, OnPhone::stack));
  html += funnel_section(tables) + time_section(figures, tables) +
          segment_section(figures, tables) + spread_section(tables) +
          reason_section(figures, tables);
  if (figures.with_texts)
    html += section("texts-section", "What they wrote", table_html(tables.texts, OnPhone::stack));
  return html + notes_html(figures.notes);
}

}  // namespace

std::string report_html(const SurveyReport& report) {
  const Figures figures = figures_of(report);
  const std::string title = escaped(figures.title);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}, {}</title>\n<style>{}</style></head>\n<body>\n<header>\n<h1>{}</h1>\n"
      "<p class=\"soft\">{}</p>\n",
      title, escaped(figures.scope), kReportStyle, data_html(figures.title),
      escaped(figures.scope));
  html += links_html(report.links) + "</header>\n<main>\n" + verdict_html(figures.verdict);
  if (!figures.empty) html += body_of(figures);
  return html +
         fmt::format("</main>\n<footer>{}</footer>\n</body></html>\n", escaped(figures.made));
}

}  // namespace surveybridge::daemon
