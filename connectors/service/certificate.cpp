#include "connectors/service/certificate.hpp"

#include <array>
#include <string_view>

#include <curl/curl.h>

namespace surveybridge::service {

namespace {

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

Handle handle_for(const std::string& url, const CurlLimits& limits, bool verifies) {
  Handle curl{curl_easy_init(), &curl_easy_cleanup};
  if (!curl) return curl;
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "https");
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, limits.connect_timeout.count());
  curl_easy_setopt(curl.get(), CURLOPT_CERTINFO, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYPEER, verifies ? 1L : 0L);
  curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYHOST, verifies ? 2L : 0L);
  if (!verifies || limits.ca_file.empty()) return curl;
  curl_easy_setopt(curl.get(), CURLOPT_CAINFO, limits.ca_file.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_CAPATH, nullptr);
  return curl;
}

// Asked without trust: a certificate that has ended is shown too. The connection ends with it.
std::optional<mapping::Instant> end_of(const std::string& url, const CurlLimits& limits) {
  const Handle curl = handle_for(url, limits, false);
  if (!curl || curl_easy_perform(curl.get()) != CURLE_OK) return std::nullopt;
  return certificate_end(curl.get());
}

std::string fault_of(const std::string& url, const CurlLimits& limits) {
  const Handle curl = handle_for(url, limits, true);
  if (!curl) return {};
  std::array<char, CURL_ERROR_SIZE> words{};
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, words.data());
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_PEER_FAILED_VERIFICATION && code != CURLE_SSL_CACERT_BADFILE) return {};
  return words.front() != '\0' ? words.data() : curl_easy_strerror(code);
}

}  // namespace

// The first certificate of the chain is the server's own.
std::optional<mapping::Instant> certificate_end(void* curl) {
  constexpr std::string_view kName = "Expire date:";
  curl_certinfo* chain = nullptr;
  if (curl_easy_getinfo(curl, CURLINFO_CERTINFO, &chain) != CURLE_OK) return std::nullopt;
  if (chain == nullptr || chain->num_of_certs < 1) return std::nullopt;
  for (const curl_slist* line = chain->certinfo[0]; line != nullptr; line = line->next) {
    const std::string_view text = line->data;
    if (!text.starts_with(kName)) continue;
    const std::time_t end = curl_getdate(line->data + kName.size(), nullptr);
    if (end == -1) return std::nullopt;
    return mapping::Instant{std::chrono::seconds{end}};
  }
  return std::nullopt;
}

std::string origin_of(const std::string& url) {
  const auto host = url.find("://");
  return url.substr(0, url.find_first_of("/?#", host == std::string::npos ? 0 : host + 3));
}

std::optional<Certificate> look_at_certificate(const std::string& url, const CurlLimits& limits) {
  if (!url.starts_with("https://")) return std::nullopt;
  start_library_once();
  const auto end = end_of(url, limits);
  if (!end) return std::nullopt;
  return Certificate{*end, fault_of(url, limits)};
}

}  // namespace surveybridge::service
