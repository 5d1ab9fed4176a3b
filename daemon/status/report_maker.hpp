// Reports for the status page, each kept for a while. Each maker is used by one thread; makers that
// keep the same reports may be used by several.
#pragma once

#include <functional>
#include <memory>

#include "daemon/status/page_session.hpp"
#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

class ReportMaker {
 public:
  // Called in the session's thread; must own all that it uses (page_session.hpp).
  using Make = std::function<StatusReport(crm::Database& database)>;

  // `uptime`: a clock that only moves forward.
  ReportMaker(Make make, PageSession& session, std::function<Duration()> uptime);

  // Keeps its reports together with the other.
  ReportMaker(const ReportMaker& other, PageSession& session)
      : session_(session), kept_(other.kept_) {}

  // A report that was asked for now, or at most `fresh` ago; where two in a row took long it is
  // used a hundred times as long. Waits up to `patience` for it. Empty: the database has failed, or
  // has not answered by then.
  std::shared_ptr<const StatusReport> get(Duration fresh, Duration patience);

  // The last report that could be made, whatever has failed since.
  struct Last {
    std::shared_ptr<const StatusReport> report;  // null: none yet
    Duration age{0};
  };
  Last last() const;

 private:
  struct Kept;
  PageSession& session_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace surveybridge::daemon
