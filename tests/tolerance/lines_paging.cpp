// Paging and too many requests (docs/SERVICE.md 4.5 and 8).
#include <algorithm>
#include <memory>
#include <utility>

#include "tests/tolerance/line.hpp"

namespace tolerance {

namespace service = surveybridge::service;

namespace {

using End = sandbox::PagingStyle::End;
using RateHeaders = sandbox::Options::RateHeaders;

Line end_line(const std::string& what, End end) {
  return {"the end: " + what, [=](Variant& variant, Format) { variant.options.paging.end = end; },
          judge_same};
}

Line endless_line(const std::string& what, End end) {
  return {what,
          [=](Variant& variant, Format) {
            variant.options.paging.end = end;
            variant.released = true;
          },
          judge_said("the list does not end")};
}

// Lists of a service that writes an empty one in another way.
Line nothing_line(const std::string& what, int status, const std::string& body) {
  return {"nothing to list: " + what,
          [=](Variant& variant, Format) {
            variant.released = true;
            variant.on_exchange = answers_changed([=](service::Response& response) {
              const bool list = response.body.find("NextCursor") != std::string::npos;
              const bool empty = response.body.find("\"Id\"") == std::string::npos &&
                                 response.body.find("\"Reason\"") == std::string::npos &&
                                 response.body.find("<Id>") == std::string::npos &&
                                 response.body.find("<Reason") == std::string::npos;
              if (list && empty) response = {status, response.headers, body};
            });
          },
          judge_same};
}

// The first page with customers is changed so; once.
Line part_line(const std::string& notation,
               std::function<void(service::Response&, Format)> change) {
  return {"a page that says that it is not whole is no end: " + notation,
          [=](Variant& variant, Format format) {
            const auto done = std::make_shared<bool>(false);
            variant.on_exchange = answers_changed([=](service::Response& response) {
              const auto has = [&](const char* text) {
                return response.body.find(text) != std::string::npos;
              };
              const bool lists =
                  has("Customers") && has("NextCursor") && (has("\"Id\"") || has("<Id>"));
              if (lists && !std::exchange(*done, true)) change(response, format);
            });
          },
          judge_said("says that it is not whole")};
}

// It has no customers, no cursor and this member.
Line part_line(const std::string& name, const std::string& value) {
  return part_line("`" + name + "`", [=](service::Response& response, Format format) {
    response.body =
        format == Format::json
            ? R"({"Customers":[],"NextCursor":null,")" + name + "\":" + value + "}"
            : "<R><Customers/><NextCursor/><" + name + ">" + value + "</" + name + "></R>";
  });
}

Line partial_content_line() {
  return part_line("status 206",
                   [](service::Response& response, Format) { response.status = 206; });
}

Line link_line() {
  return part_line("a header `Link`", [](service::Response& response, Format format) {
    response.body = format == Format::json ? R"({"Customers":[],"NextCursor":null})"
                                           : "<R><Customers/><NextCursor/></R>";
    response.headers.emplace_back("link", "<b>; rel=\"next\"");
  });
}

Line paging_line(const std::string& what, void (*change)(sandbox::PagingStyle&)) {
  return {what, [=](Variant& variant, Format) { change(variant.options.paging); }, judge_same};
}

// All cursors end during the request of the second page; once.
Line expired_line(int status) {
  return {"a cursor that has expired: " + std::to_string(status),
          [=](Variant& variant, Format) {
            variant.options.paging.expired_status = status;
            const auto service = std::make_shared<sandbox::Service*>(nullptr);
            const auto done = std::make_shared<bool>(false);
            variant.between = [=](sandbox::Service& at) { *service = &at; };
            variant.on_exchange = [=](const service::Request& request, const auto& send) {
              const bool second = request.url.find("v3/customer?") != std::string::npos &&
                                  request.url.find("Cursor=") != std::string::npos;
              if (second && *service != nullptr && !*done) {
                *done = true;
                control(**service, "cursors");
              }
              return send();
            };
          },
          [](const Kept& kept, const Plain& plain, Format format) -> std::string {
            if (!kept.said("no longer knows the cursor")) return "no cursor expired";
            return judge_same(kept, plain, format);
          }};
}

Line wait_line(const std::string& what, const std::string& retry_after) {
  return {"429, `Retry-After`: " + what,
          [=](Variant& variant, Format) {
            variant.options.retry_after = retry_after;
            variant.options.limits = {*sandbox::read_limit("minute:4")};
            variant.patient = retry_after == "absurd";
          },
          judge_whole};
}

constexpr std::int64_t kSoon = 1'794'268'830;  // half a minute after the beginning of a trial

// The first request is answered 429 with this header, which means half a minute after the beginning
// of the trial. All orders are sent in the first of its syncs.
Line mistaken_line(const std::string& what, const std::string& header, const std::string& value) {
  const auto sent = std::make_shared<std::size_t>(0);
  return {
      "429, `" + header + "`: " + what,
      [=](Variant& variant, Format) {
        const auto left = std::make_shared<int>(1);
        std::string name = header;
        std::ranges::transform(name, name.begin(), [](char c) {
          return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        variant.on_exchange = [=](const service::Request&, const auto& send) -> service::Exchange {
          if ((*left)-- > 0) return service::Response{429, {{name, value}}, ""};
          return send();
        };
        variant.between = [=](sandbox::Service& service) { *sent = service.customers().size(); };
      },
      [=](const Kept& kept, const Plain& plain, Format format) -> std::string {
        if (*sent != static_cast<std::size_t>(kOrders)) return "it waits for too long";
        return judge_whole(kept, plain, format);
      }};
}

Line headers_line(const std::string& what, RateHeaders headers) {
  return {"429 with `" + what + "` headers",
          [=](Variant& variant, Format) {
            variant.options.rate_headers = headers;
            variant.options.retry_after = "none";
            variant.options.limits = {*sandbox::read_limit("minute:4")};
          },
          judge_whole};
}

Line unavailable_line() {
  return {"503 with `Retry-After`: everybody waits, and an add is read back",
          [](Variant& variant, Format) {
            const auto left = std::make_shared<int>(2);
            variant.on_exchange = [=](const service::Request&,
                                      const auto& send) -> service::Exchange {
              if ((*left)-- > 0) return service::Response{503, {{"retry-after", "2"}}, ""};
              return send();
            };
          },
          judge_whole};
}

}  // namespace

Lines paging_lines() {
  return {end_line("`NextCursor` null", End::null),
          end_line("empty", End::empty),
          end_line("absent", End::absent),
          end_line("blank", End::blank),
          endless_line("the last cursor again is no end, and it is said", End::same),
          endless_line("empty pages are no end, and it is said", End::endless),
          part_line("Partial", "true"),
          part_line("is_partial", "1"),
          part_line("INCOMPLETE", "true"),
          part_line("incomplete_results", "true"),
          part_line("timedOut", "true"),
          part_line("degraded", "true"),
          part_line("hasMore", "true"),
          part_line("more", "true"),
          part_line("is_truncated", "true"),
          part_line("nextLink", "\"b\""),
          partial_content_line(),
          link_line(),
          nothing_line("204", 204, ""),
          nothing_line("an empty body", 200, ""),
          nothing_line("`null`", 200, "null"),
          nothing_line("`[]`", 200, "[]"),
          json_only(nothing_line("`{}`", 200, "{}")),
          paging_line("short and empty pages in between",
                      [](sandbox::PagingStyle& paging) { paging.gaps = true; }),
          paging_line("rows that come again on the next page",
                      [](sandbox::PagingStyle& paging) { paging.shifted = 3; }),
          paging_line("rows that come twice on a page",
                      [](sandbox::PagingStyle& paging) { paging.twice = true; }),
          expired_line(400),
          expired_line(404),
          expired_line(410),
          expired_line(413),
          expired_line(414),
          expired_line(431)};
}

Lines throttle_lines() {
  return {
      wait_line("seconds", "seconds"),
      wait_line("decimals", "decimals"),
      wait_line("a date", "date"),
      wait_line("an absurd number", "absurd"),
      wait_line("none", "none"),
      mistaken_line("a time since 1970", "Retry-After", std::to_string(kSoon)),
      mistaken_line("milliseconds", "Retry-After", "30000"),
      mistaken_line("milliseconds since 1970", "X-RateLimit-Reset", std::to_string(kSoon * 1000)),
      mistaken_line("an instant", "X-RateLimit-Reset", "2026-11-10T00:00:30Z"),
      headers_line("X-RateLimit-*", RateHeaders::x_ratelimit),
      headers_line("X-Rate-Limit-*", RateHeaders::x_rate_limit),
      headers_line("RateLimit-*", RateHeaders::ratelimit),
      unavailable_line()};
}

}  // namespace tolerance
