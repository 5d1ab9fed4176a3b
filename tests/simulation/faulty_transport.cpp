#include "tests/simulation/faulty_transport.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tests/simulation/configuration.hpp"

namespace simulation {

using namespace surveybridge::service;

namespace {

// The longest time that a request is on its way. Together with the delay until a customer is listed
// it is less than `settle`.
constexpr int kLateMinutesMax = 14;

Failure lost(const char* how) {
  return {Failure::Kind::unknown, how, 0};
}

bool is_add(const Request& request) {
  return request.method == "POST";
}

// Which customers of a body are refused; our own JSON is compact and in order.
std::vector<std::size_t> poisoned(const std::string& body) {
  std::vector<std::size_t> indexes;
  std::size_t customer = 0;
  for (std::size_t at = body.find("\"Email\""); at != std::string::npos; ++customer) {
    const std::size_t next = body.find("\"Email\"", at + 1);
    if (body.substr(at, next - at).find("\"poison\"") != std::string::npos) {
      indexes.push_back(customer);
    }
    at = next;
  }
  return indexes;
}

bool earns_refusal(const Request& request) {
  return is_add(request) &&
         (!poisoned(request.body).empty() || request.body.find("\"reject") != std::string::npos);
}

Exchange page_for_people() {
  return Response{200,
                  {{"content-type", "text/html; charset=utf-8"}},
                  "<!DOCTYPE html><html><head><title>Sign in</title></head></html>"};
}

// The key that a search by a data column asks for; empty: it is no such search.
std::string key_searched(const std::string& url) {
  const auto filter = url.find("DataFilters");
  if (filter == std::string::npos) return "";
  const auto value = url.find("Value=", filter);
  if (value == std::string::npos) return "";
  const auto begin = value + std::string("Value=").size();
  return url.substr(begin, url.find('&', begin) - begin);
}

// A list by a date that begins and does not end: the search for customers who have moved.
bool asks_who_moved(const std::string& url) {
  return url.find("DateFilter.From=") != std::string::npos &&
         url.find("DateFilter.To=") == std::string::npos;
}

bool changes_pages(const Drawn& drawn) {
  return drawn.has(Extra::bad_records) || drawn.has(Extra::unread_opt_outs) ||
         drawn.has(Extra::poisoned_record) || drawn.has(Extra::follow_ups);
}

// A high score becomes a low one, and the other way round.
void turn_score(nlohmann::json& customer) {
  for (auto& answer : customer["Answers"]) {
    if (answer["BaseQuestionId"] != kScoreQuestion) continue;
    for (auto& position : answer["SelectedScalePositions"])
      position["Value"] = kHighestScore - position["Value"].get<int>();
  }
}

}  // namespace

bool is_bad(const Drawn& drawn, const std::string& customer_id) {
  return (drawn.has(Extra::bad_records) && customer_id.ends_with('4')) ||
         (drawn.has(Extra::unread_opt_outs) && customer_id.ends_with('6'));
}

bool is_poisoned(const Drawn& drawn, const std::string& customer_id) {
  return drawn.has(Extra::poisoned_record) && customer_id.ends_with("07");
}

bool changes_score(const Drawn& drawn, const std::string& customer_id) {
  return drawn.has(Extra::follow_ups) && customer_id.ends_with('3');
}

in_process::OnExchange FaultyTransport::exchange() {
  return [this](const Request& request, const Send& send) { return pass(request, send); };
}

Exchange FaultyTransport::pass(const Request& request, const Send& send) {
  if (!calm_ && clock_.now < frozen_until_) {
    ++faults_;
    return earns_refusal(request) ? lost("no answer in time") : later(request, send);
  }
  if (is_add(request) && !poisoned(request.body).empty()) return refuse_poison(request.body);
  if (is_add(request)) {
    for (const int status : {403, 500}) {
      if (request.body.find("\"reject" + std::to_string(status)) != std::string::npos)
        return Response{status, {}, ""};
    }
  }
  if (is_blind(request)) {
    ++lies_;
    return Response{200, {{"content-type", "application/json"}}, R"({"Customers":[]})"};
  }
  if (drawn_.has(Extra::lies) && is_add(request) && !calm_ && happens(random_, 0.15))
    return lie(send);
  if (drawn_.has(Extra::statuses) && !calm_ && happens(random_, 0.1)) return refuse(request, send);
  if (drawn_.has(Extra::lying_lists) && !is_add(request) && !calm_ && happens(random_, 0.1))
    return lie_about_list(request, send);
  if (broken_ == Broken::no_move_check && asks_who_moved(request.url))
    return Response{200, {{"content-type", "application/json"}}, R"({"Customers":[]})"};
  if (calm_ || !happens(random_, drawn_.wire)) return show(request, send());
  ++faults_;
  Exchange exchange = go_wrong(request, send);
  if (broken_ == Broken::resend_doubts) {
    if (auto* failure = std::get_if<Failure>(&exchange)) {
      failure->kind = Failure::Kind::not_connected;
    }
  }
  return exchange;
}

// The page as the service shows it. Pages come again and again.
Exchange FaultyTransport::show(const Request& request, Exchange exchange) {
  constexpr std::size_t kRemembered = 300;
  auto* response = std::get_if<Response>(&exchange);
  if (is_add(request) || response == nullptr || response->status != 200) return exchange;
  if (!changes_pages(drawn_) && broken_ != Broken::early_end) return exchange;
  const bool forgets = shown_.size() > kRemembered || shown_turned_ != are_scores_turned();
  if (forgets) shown_.clear();
  shown_turned_ = are_scores_turned();
  auto known = shown_.find(response->body);
  if (known == shown_.end())
    known = shown_.emplace(response->body, changed_page(response->body)).first;
  if (!known->second) return Response{500, {}, ""};
  response->body = *known->second;
  return exchange;
}

// Some customers, always the same, have a text for a number or for an opt-out, or another score.
// Nullopt: one of them cannot be shown.
std::optional<std::string> FaultyTransport::changed_page(const std::string& body) const {
  auto page = nlohmann::json::parse(body, nullptr, false);
  if (!page.is_object() || !page.contains("Customers")) return body;
  if (broken_ == Broken::early_end && page["Customers"].empty()) page["NextCursor"] = nullptr;
  for (auto& customer : page["Customers"]) {
    const std::string id = customer["Id"].dump();
    if (is_poisoned(drawn_, id)) return std::nullopt;
    if (changes_score(drawn_, id) && are_scores_turned()) turn_score(customer);
    if (!is_bad(drawn_, id)) continue;
    if (id.ends_with('4'))
      customer["CompletionTimeInSeconds"] = "soon";
    else
      customer["OptedOut"] = "perhaps";
  }
  return page.dump();
}

// Now and then, so that pulls see both.
bool FaultyTransport::are_scores_turned() const {
  constexpr Duration kTurned = std::chrono::minutes{20};
  return !calm_ && (clock_.now - kBegin) / kTurned % 2 == 1;
}

// A search by a data column or by addresses, while searches find nothing.
bool FaultyTransport::is_blind(const Request& request) const {
  if (calm_ || clock_.now >= blind_until_) return false;
  const std::string key = key_searched(request.url);
  if (key.empty()) return request.url.find("EmailAddresses") != std::string::npos;
  // The search for a known customer would have shown it.
  return broken_ != Broken::no_control_search || !is_known_(key);
}

// The answer of a gateway that does not say what happened to the request.
Exchange FaultyTransport::lie(const Send& send) {
  ++faults_;
  ++lies_;
  static constexpr int kGone[] = {404, 409, 410};
  switch (between(random_, 0, 2)) {
    case 0:
      send();
      return Response{503, {{"retry-after", "30"}}, ""};
    case 1:
      return page_for_people();
    default:
      send();
      return Response{kGone[between(random_, 0, 2)], {}, ""};
  }
}

// A status that says that the request was not processed, and 408, which does not say it.
Exchange FaultyTransport::refuse(const Request& request, const Send& send) {
  ++faults_;
  static constexpr int kStatuses[] = {401, 403, 408, 413};
  const int status = kStatuses[between(random_, 0, 3)];
  const bool several = request.body.find("\"Email\"") != request.body.rfind("\"Email\"");
  if (status == 413 && is_add(request) && !several) return Response{503, {}, ""};
  if (status == 408 && happens(random_, 0.5)) send();
  return Response{status, {}, ""};
}

// A page with 200 that is no list, or with a cursor that leads nowhere or back.
Exchange FaultyTransport::lie_about_list(const Request& request, const Send& send) {
  ++faults_;
  ++lies_;
  const auto page = [](const std::string& body) {
    return Response{200, {{"content-type", "application/json"}}, body};
  };
  switch (between(random_, 0, 4)) {
    case 0:
      return page(R"({"Success":false,"Message":"try again"})");
    case 3:
      return page(R"({"Partial":true,"Customers":[],"Ratings":[],"Bouncers":[]})");
    case 1:
      return page(R"({"Success":false,"Customers":[],"Ratings":[],"Bouncers":[]})");
    case 2:
      return page(R"({"Customers":null,"Ratings":null,"Bouncers":null,"NextCursor":"soon"})");
    default:
      break;
  }
  auto exchange = show(request, send());
  auto* response = std::get_if<Response>(&exchange);
  const auto cursor = request.url.find("Cursor=");
  if (response == nullptr || response->status != 200 || cursor == std::string::npos)
    return exchange;
  auto body = nlohmann::json::parse(response->body, nullptr, false);
  const auto begin = cursor + std::string("Cursor=").size();
  body["NextCursor"] = request.url.substr(begin, request.url.find('&', begin) - begin);
  response->body = body.dump();
  return exchange;
}

Exchange FaultyTransport::refuse_poison(const std::string& body) const {
  Response refusal{400, {{"content-type", "application/json"}}, R"({"Message":"no"})"};
  if (drawn_.poison_named) {
    refusal.body = R"({"Message":"invalid","ModelState":{)";
    for (const auto index : poisoned(body)) {
      if (refusal.body.back() != '{') refusal.body += ',';
      refusal.body += "\"request.Customers[" + std::to_string(index) + "].Data\":[\"bad\"]";
    }
    refusal.body += "}}";
  }
  return refusal;
}

Exchange FaultyTransport::go_wrong(const Request& request, const Send& send) {
  if (drawn_.has(Extra::lies) && !is_add(request) && happens(random_, 0.2))
    return page_for_people();
  switch (between(random_, 0, 7)) {
    case 0:
      return Failure{Failure::Kind::not_connected, "connection refused", 0};
    case 1:
      return lost("connection reset");  // before the service saw it
    case 2:
      return lost_after(request, send);
    case 3:
      send();
      return Response{between(random_, 0, 1) == 0 ? 500 : 502, {}, "<html>"};
    case 4:
      return Response{503, {}, ""};
    case 5:
      return too_many();
    case 6:
      return later(request, send);
    default:
      return request.url.find("Cursor=") != std::string::npos ? Exchange{Response{410, {}, ""}}
                                                              : Exchange{lost("time-out")};
  }
}

Exchange FaultyTransport::lost_after(const Request& request, const Send& send) {
  send();
  // What libcurl does to a POST on a reused connection that dies before the answer.
  if (broken_ == Broken::reuse_connection && is_add(request)) return send();
  return lost("connection reset after the request");
}

Exchange FaultyTransport::too_many() {
  static constexpr const char* kWaits[] = {"1", "30", "0.5", "120", "soon"};
  Response response{429, {}, ""};
  if (happens(random_, 0.7)) {
    response.headers.emplace_back("retry-after", kWaits[between(random_, 0, 4)]);
  }
  return response;
}

Exchange FaultyTransport::later(const Request& request, const Send& send) {
  if (is_add(request)) {
    const TimePoint awake = std::max(clock_.now, frozen_until_);
    late_.push_back({awake + minutes_between(random_, 1, kLateMinutesMax), send});
  }
  return lost("no answer in time");
}

TimePoint FaultyTransport::next_late() const {
  TimePoint next = TimePoint::max();
  for (const auto& late : late_)
    next = std::min(next, late.at);
  return next;
}

void FaultyTransport::deliver_late() {
  std::vector<Late> due;
  for (auto& late : late_) {
    if (late.at <= clock_.now) due.push_back(std::move(late));
  }
  std::erase_if(late_, [](const Late& late) { return !late.send; });
  for (const auto& late : due)
    late.send();
}

}  // namespace simulation
