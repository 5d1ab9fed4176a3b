// Paths and credentials (docs/SERVICE.md 2.3, 3 and 5).
#include <cstdlib>
#include <memory>

#include "tests/tolerance/line.hpp"

namespace tolerance {

namespace service = surveybridge::service;

namespace {

// The secrets of all kinds of credentials are in the environment.
std::string secret(const std::string& value) {
  setenv("TOLERANCE_SECRET", value.c_str(), 1);
  return "{ env = \"TOLERANCE_SECRET\" }\n";
}

Lines path_lines() {
  return {{"data columns under v3",
           [](Variant& variant, Format) {
             variant.dialect = "columns_path = \"/external/api/v3/customerdatacolumn\"\n";
             variant.on_exchange = [](const service::Request& request,
                                      const auto& send) -> service::Exchange {
               const bool old = request.url.find("/v1/") != std::string::npos;
               if (old) return service::Response{404, {}, ""};
               return send();
             };
           },
           judge_same},
          {"no list of statuses: this is reported, everything else works",
           [](Variant& variant, Format) {
             variant.dialect = "statuses_path = \"/external/api/v3/nowhere\"\n";
           },
           [](const Kept& kept, const Plain& plain, Format format) -> std::string {
             Kept with = kept;
             with.tables["survey_status"] = plain.in(format).tables.at("survey_status");
             if (!kept.said("the service has no list of statuses")) return "nothing was said";
             return judge_same(with, plain, format);
           }}};
}

Lines kind_lines() {
  const auto kind = [](const std::string& what, std::function<std::string()> auth) {
    return Line{what, [=](Variant& variant, Format) { variant.auth = auth(); }, judge_same};
  };
  return {kind("OAuth 2.0, the secret in the form", [] { return oauth2(); }),
          kind("OAuth 2.0, the secret as Basic", [] { return oauth2("secret_in = \"basic\"\n"); }),
          kind("a static bearer",
               [] { return "kind = \"bearer\"\ntoken = " + secret("sandbox-token"); }),
          {"a named header",
           [](Variant& variant, Format) {
             variant.options.token_header = "X-Api-Key";
             variant.auth =
                 "kind = \"header\"\nheader = \"X-Api-Key\"\ntoken = " + secret("sandbox-token");
           },
           judge_same},
          {"Basic",
           [](Variant& variant, Format) {
             variant.options.user = "crm";
             variant.options.password = "pass:word";
             variant.auth = "kind = \"basic\"\nuser = \"crm\"\npassword = " + secret("pass:word");
           },
           judge_same}};
}

Lines token_lines() {
  return {{"a token that ends is fetched again",
           [](Variant& variant, Format) {
             variant.options.token_lifetime = std::chrono::seconds(300);
             variant.auth = oauth2();
           },
           judge_same},
          {"a token that is refused with 401 is fetched again, once",
           [](Variant& variant, Format) {
             variant.options.token_lifetime = std::chrono::hours(24 * 365);
             variant.auth = oauth2();
             variant.between = [](sandbox::Service& service) { control(service, "revoke"); };
           },
           judge_same},
          {"403 of the token endpoint says nothing about a row: it goes on when it is over",
           [](Variant& variant, Format) {
             variant.auth = oauth2();
             const auto left = std::make_shared<int>(5);
             variant.on_exchange = [=](const service::Request& request,
                                       const auto& send) -> service::Exchange {
               const bool token = request.url.find("/oauth2/token") != std::string::npos;
               if (token && (*left)-- > 0) return service::Response{403, {}, "<html>blocked"};
               return send();
             };
           },
           [](const Kept& kept, const Plain& plain, Format format) -> std::string {
             if (!kept.said("token endpoint http://127.0.0.1:1/oauth2/token: HTTP 403"))
               return "nothing was said";
             return judge_whole(kept, plain, format);
           }},
          {"403 is reported, and not tried again at once",
           [](Variant& variant, Format) {
             variant.on_exchange = [](const service::Request&, const auto&) -> service::Exchange {
               return service::Response{403, {}, ""};
             };
           },
           [](const Kept& kept, const Plain&, Format) -> std::string {
             if (!kept.held.empty()) return "something arrived";
             if (kept.requests > 30) return "it is tried again and again";
             return kept.said("forbidden") ? "" : "nothing was said";
           }}};
}

}  // namespace

std::string oauth2(const std::string& more) {
  return "kind = \"oauth2\"\ntoken_url = \"http://127.0.0.1:1/oauth2/token\"\n"
         "client_id = \"sandbox\"\n" +
         more + "client_secret = " + secret("sandbox-secret");
}

Lines access_lines() {
  Lines lines = path_lines();
  for (Line& line : kind_lines())
    lines.push_back(std::move(line));
  for (Line& line : token_lines())
    lines.push_back(std::move(line));
  return lines;
}

}  // namespace tolerance
