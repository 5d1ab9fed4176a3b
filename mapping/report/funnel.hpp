// Transactions from the CRM's row to the finished survey, counted. Plain data.
// A number below 0 counts as 0.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace surveybridge::mapping {

struct Funnel {
  std::int64_t transactions = 0;
  std::int64_t suppressed = 0, quarantined = 0, waiting = 0, in_doubt = 0;  // not sent
  std::int64_t not_drawn = 0, over_quota = 0;  // of the suppressed: by `sample` and `quota`
  std::int64_t sent = 0;                       // to the service
  // Of those that were sent: no customer is stored, since it is not pulled yet, or removed; and the
  // customer has no invitation and gets none, since it is closed, or over in another way.
  std::int64_t unlisted = 0, never_invited = 0;
  std::int64_t invited = 0;  // the service has mailed the invitation
  std::int64_t opened = 0, begun = 0, finished = 0;
  std::int64_t bounced = 0, opted_out = 0;
  // Delivered invitations that are at least `answer_days` old, whatever has become of them, and
  // those of them that were finished. Only these two make the response rate. An invitation must
  // not become due by being finished: then the youngest weeks would have hardly anybody but those
  // who answered, and a rate near 100 %.
  std::int64_t due = 0, due_finished = 0;
};

// Each number of a funnel, and its name for programs.
struct FunnelNumber {
  std::string_view name;
  std::int64_t Funnel::*number;
};
inline constexpr std::array kFunnelNumbers = {FunnelNumber{"transactions", &Funnel::transactions},
                                              FunnelNumber{"suppressed", &Funnel::suppressed},
                                              FunnelNumber{"quarantined", &Funnel::quarantined},
                                              FunnelNumber{"waiting", &Funnel::waiting},
                                              FunnelNumber{"in_doubt", &Funnel::in_doubt},
                                              FunnelNumber{"sent", &Funnel::sent},
                                              FunnelNumber{"invited", &Funnel::invited},
                                              FunnelNumber{"opened", &Funnel::opened},
                                              FunnelNumber{"begun", &Funnel::begun},
                                              FunnelNumber{"finished", &Funnel::finished},
                                              FunnelNumber{"bounced", &Funnel::bounced},
                                              FunnelNumber{"opted_out", &Funnel::opted_out},
                                              FunnelNumber{"due", &Funnel::due},
                                              FunnelNumber{"due_finished", &Funnel::due_finished},
                                              FunnelNumber{"unlisted", &Funnel::unlisted},
                                              FunnelNumber{"never_invited", &Funnel::never_invited},
                                              FunnelNumber{"not_drawn", &Funnel::not_drawn},
                                              FunnelNumber{"over_quota", &Funnel::over_quota}};

}  // namespace surveybridge::mapping
