#include "connectors/service/foreign_answer.hpp"

#include <algorithm>
#include <array>

namespace surveybridge::service {

namespace {

// Content types of documents, whole or up to the slash.
constexpr std::array<std::string_view, 12> kDocuments = {"text/html",
                                                         "application/xhtml+xml",
                                                         "text/css",
                                                         "text/javascript",
                                                         "application/javascript",
                                                         "application/pdf",
                                                         "image/",
                                                         "video/",
                                                         "audio/",
                                                         "font/",
                                                         "multipart/",
                                                         "application/zip"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

const std::string_view* document_type(const std::string& content_type) {
  const auto* found = std::ranges::find_if(
      kDocuments, [&](std::string_view type) { return content_type.starts_with(type); });
  return found == kDocuments.end() ? nullptr : found;
}

// Whatever its content type.
bool looks_like_html(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  while (!body.empty() && is_blank(body.front()))
    body.remove_prefix(1);
  const std::string begin = lower(body.substr(0, 16));
  return begin.starts_with("<!doctype html") || begin.starts_with("<html");
}

// "s.example.com" of "https://user@S.example.com:443/path"; empty: a relative reference.
std::string host_of(std::string_view url) {
  const auto scheme = url.find("//");
  if (scheme == std::string_view::npos || url.substr(0, scheme).find('/') != std::string_view::npos)
    return "";
  url.remove_prefix(scheme + 2);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const auto user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
  if (url.starts_with('[')) return lower(url.substr(0, url.find(']') + 1));
  return lower(url.substr(0, url.find(':')));
}

// A host in brackets, where it has the characters of one.
std::string shown(const std::string& host) {
  const bool is_name = host.size() <= 253 && std::ranges::all_of(host, [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
                                c == '-' || c == ':' || c == '[' || c == ']';
                       });
  return is_name ? " (" + host + ")" : "";
}

}  // namespace

std::string why_foreign(const Response& response, std::string_view base_url) {
  const std::string status = "HTTP " + std::to_string(response.status);
  const std::string elsewhere = host_of(response.header("location"));
  if (!base_url.empty() && !elsewhere.empty() && elsewhere != host_of(base_url))
    return status + " that points to another host" + shown(elsewhere) +
           " is not an answer of this service";
  if (response.body.empty()) return "";
  const auto* document = document_type(lower(response.header("content-type")));
  const bool html = looks_like_html(response.body);
  if (document == nullptr && !html) return "";
  const std::string type(document == nullptr ? "HTML" : *document);
  return status + " with " + type + " is not an answer of this service";
}

}  // namespace surveybridge::service
