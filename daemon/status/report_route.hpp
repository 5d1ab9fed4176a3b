// The report of docs/REPORTS.md as a page of the status server: "/report", with choices of time,
// push and segment as links. Without texts of customers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "daemon/report/gather.hpp"
#include "daemon/status/page_session.hpp"
#include "http/message.hpp"

namespace surveybridge::daemon {

// "from=2026-11-01&by=Branch" with percent escapes. Empty: a name that is not known or is there
// twice, or an escape that is none.
std::optional<ReportAsked> report_asked_in(std::string_view query);
// The other way round; empty texts are left out. "/report" where nothing was asked for.
std::string report_link(const ReportAsked& asked);

// The choices that a page offers: of times up to `today`, of pushes and of segments.
std::vector<LinkGroup> report_links(const config::Settings& settings, const ReportAsked& asked,
                                    const std::string& today);

class ReportRoute {
 public:
  // Both must own what they use. The session is one of its own: a report may take a while.
  ReportRoute(const config::Settings& settings, PageSession::Open open, OpenCrm open_crm);
  ~ReportRoute();
  ReportRoute(const ReportRoute&) = delete;
  ReportRoute& operator=(const ReportRoute&) = delete;

  static constexpr std::string_view kPath = "/report";
  // `target`: the path and the query. A report that is not made within a second is 503, with a page
  // that asks for it again. By one thread.
  http::Reply answer(const std::string& target);

 private:
  struct Making;
  bool make(const ReportAsked& asked, const std::string& target);

  std::shared_ptr<const config::Settings> settings_;
  OpenCrm open_crm_;
  PageSession session_;
  std::shared_ptr<Making> making_;  // what was asked for last; empty: it has been shown
};

}  // namespace surveybridge::daemon
