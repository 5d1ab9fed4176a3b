#include "connectors/service/curl_transport.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>

#include <curl/curl.h>
#include <fmt/format.h>

#include "config/text.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::service {

void start_curl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

namespace {

// The end of the server's certificate after a transfer with CURLOPT_CERTINFO: the first one of the
// chain. Empty: libcurl does not tell it (http, or a connection that was open already).
std::optional<mapping::Instant> certificate_end(CURL* curl) {
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

void show_client(CURL* curl, const ClientCertificate& client) {
  if (!client.given()) return;
  const auto set = [curl](CURLoption option, std::string text) {
    curl_blob pem{text.data(), text.size(), CURL_BLOB_COPY};
    curl_easy_setopt(curl, option, &pem);
  };
  set(CURLOPT_SSLCERT_BLOB, client.chain);
  set(CURLOPT_SSLKEY_BLOB, client.key);
}

void use_trust(CURL* curl, const CurlLimits& limits, bool verifies) {
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CERTINFO, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, verifies ? 1L : 0L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, verifies ? 2L : 0L);
  show_client(curl, limits.client);
  if (!verifies || limits.ca_file.empty()) return;
  curl_easy_setopt(curl, CURLOPT_CAINFO, limits.ca_file.c_str());
  curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);  // else the system's are trusted too
}

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

Handle handle_for(const std::string& url, const CurlLimits& limits, bool verifies) {
  Handle curl{curl_easy_init(), &curl_easy_cleanup};
  if (!curl) return curl;
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "https");
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, limits.connect_timeout.count());
  use_trust(curl.get(), limits, verifies);
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

std::string transport_libraries() {
  return curl_version();
}

std::string origin_of(const std::string& url) {
  const auto host = url.find("://");
  return url.substr(0, url.find_first_of("/?#", host == std::string::npos ? 0 : host + 3));
}

std::optional<Certificate> look_at_certificate(const std::string& url, const CurlLimits& limits) {
  if (!url.starts_with("https://")) return std::nullopt;
  start_curl();
  const auto end = end_of(url, limits);
  if (!end) return std::nullopt;
  return Certificate{*end, fault_of(url, limits)};
}

namespace {

constexpr std::size_t kHeaderBytesMax = 256 * 1024;
constexpr std::size_t kReserveMax = 8 * 1024 * 1024;

// One exchange; the user data of libcurl's callbacks.
struct Flight {
  const Request& request;
  const CurlLimits& limits;
  const std::atomic<bool>* stop;
  std::chrono::milliseconds grace;
  CURL* curl;
  Response response = {};
  std::size_t header_bytes = 0;
  std::size_t sent = 0;
  bool connected = false;  // bytes of the request may leave from then on
  bool refused_to_start = false;
  bool too_large = false;
  bool stopped = false;
  bool timed_out = false;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::optional<std::chrono::steady_clock::time_point> stop_seen = {};
  std::array<char, CURL_ERROR_SIZE> words = {};  // of libcurl
  std::size_t recipients = 0;                    // of a mail that were named
  bool is_recipient = false;                     // the last command named one

  // Bytes of the request may have left: from now on only the answer decides.
  bool may_have_left() const { return connected && !refused_to_start; }
};

bool fits_line(std::string_view line, std::string_view prefix) {
  return line.substr(0, prefix.size()) == prefix;
}

// The connection stands, through a proxy and with TLS, and nothing of the request has left.
int on_connected(void* user, char*, char*, int, int) {
  static_cast<Flight*>(user)->connected = true;
  return CURL_PREREQFUNC_OK;
}

std::size_t on_header(char* text, std::size_t, std::size_t size, void* user) {
  auto& flight = *static_cast<Flight*>(user);
  const std::string_view line(text, size);
  flight.header_bytes += size;
  if (flight.header_bytes > kHeaderBytesMax) return 0;
  if (fits_line(line, "HTTP/")) flight.response.headers.clear();  // a 1xx came before
  if (const auto colon = line.find(':'); colon != std::string_view::npos) {
    flight.response.headers.emplace_back(
        config::lower_case(mapping::trimmed(line.substr(0, colon))),
        mapping::trimmed(line.substr(colon + 1)));
  }
  return size;
}

// libcurl goes on where one of several addresses is refused, and tells of it nowhere else.
int on_mail_line(CURL*, curl_infotype type, char* text, std::size_t size, void* user) {
  auto& flight = *static_cast<Flight*>(user);
  const std::string_view line(text, size);
  if (type == CURLINFO_HEADER_OUT) {
    flight.is_recipient = fits_line(line, "RCPT");
    if (flight.is_recipient) ++flight.recipients;
  }
  const bool ends = size > 3 && line[3] != '-';
  if (type == CURLINFO_HEADER_IN && flight.is_recipient && ends && line.front() >= '4')
    flight.response.refused.push_back(fmt::format("{} to address {} of {}", line.substr(0, 3),
                                                  flight.recipients,
                                                  flight.request.mail->to.size()));
  return 0;
}

std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* user) {
  auto& flight = *static_cast<Flight*>(user);
  std::string& body = flight.response.body;
  if (body.size() + size > static_cast<std::size_t>(flight.limits.max_body)) {
    flight.too_large = true;
    return 0;
  }
  if (body.empty()) {
    curl_off_t length = 0;
    curl_easy_getinfo(flight.curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length > 0) body.reserve(std::min(static_cast<std::size_t>(length), kReserveMax));
  }
  body.append(bytes, size);
  return size;
}

std::size_t on_read(char* into, std::size_t, std::size_t room, void* user) {
  auto& flight = *static_cast<Flight*>(user);
  if (flight.sent == 0 && flight.request.may_start && !flight.request.may_start()) {
    flight.refused_to_start = true;
    return CURL_READFUNC_ABORT;
  }
  const std::size_t size = std::min(room, flight.request.body.size() - flight.sent);
  std::memcpy(into, flight.request.body.data() + flight.sent, size);
  flight.sent += size;
  return size;
}

// libcurl cannot tell its own time-out from a stop; both are decided here.
int on_progress(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& flight = *static_cast<Flight*>(user);
  const auto now = std::chrono::steady_clock::now();
  if (now - flight.begun > flight.limits.timeout) {
    flight.timed_out = true;
    return 1;
  }
  if (flight.stop == nullptr || !flight.stop->load()) return 0;
  if (!flight.stop_seen) flight.stop_seen = now;
  if (flight.request.once && flight.may_have_left() && now - *flight.stop_seen < flight.grace)
    return 0;
  flight.stopped = true;
  return 1;
}

// What the proxy of the environment has answered instead of a connection; empty: nothing. libcurl
// does not tell which one it took. Nothing before its host is shown: there may be a password.
std::string refused_by_proxy(CURL* curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_HTTP_CONNECTCODE, &status);
  if (status < 300) return "";
  for (const char* name : {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view url = value;
    const auto before = url.rfind('@') == url.npos ? url.rfind("//") : url.rfind('@');
    const auto from = before == url.npos ? 0 : url.find_first_not_of("@/", before);
    const auto host = url.substr(std::min(from, url.size()));
    return fmt::format("the proxy {} of {} answers HTTP {}{}",
                       host.substr(0, host.find_first_of("/?#")), name, status,
                       status == 407 ? ": it asks for a login" : "");
  }
  return "";
}

// Why the server ended TLS, in OpenSSL's words ("tlsv13 alert certificate required"); empty: it did
// not. Before them stand numbers and the name of a function.
std::string alert_in(std::string_view words) {
  const auto at = words.find(" alert ");
  if (at == words.npos) return "";
  const auto from = words.rfind(':', at) + 1;
  return "TLS was refused: " + std::string(words.substr(from, words.find(',', at) - from));
}

// In place of a connection that would prove nothing: the service would end it when the request is
// on its way.
std::optional<Failure> ended_client(const ClientCertificate& client) {
  if (!client.given() || client.ends > std::chrono::system_clock::now()) return std::nullopt;
  return Failure{Failure::Kind::not_connected, "our certificate (" + client.place + ") ended on " +
                                                   mapping::write_instant(client.ends)};
}

Failure failure_of(CURLcode code, const Flight& flight) {
  if (flight.too_large) {
    return {Failure::Kind::too_large,
            "the answer is larger than " + std::to_string(flight.limits.max_body) + " bytes"};
  }
  if (flight.refused_to_start) return {Failure::Kind::stopped, "it was too late to send"};
  const bool left = flight.may_have_left();
  if (flight.stopped && !left) return {Failure::Kind::stopped, "the process stops"};
  const std::chrono::duration<double> waited = flight.limits.timeout;
  const std::string proxy = left ? "" : refused_by_proxy(flight.curl);
  const bool has_words = flight.request.mail && flight.words.front() != '\0';
  const std::string alert = has_words ? "" : alert_in(flight.words.data());
  const std::string why =
      flight.timed_out
          ? fmt::format("no whole answer from {} in {:g} s{}", origin_of(flight.request.url),
                        waited.count(), flight.limits.timeout_setting)
      : flight.stopped ? "the process stops before the answer came"
      : !proxy.empty() ? proxy
      : has_words      ? flight.words.data()
      : !alert.empty() ? alert
                       : curl_easy_strerror(code);
  if (left) return {Failure::Kind::unknown, why};
  return {Failure::Kind::not_connected,
          "cannot reach " + origin_of(flight.request.url) + ": " + why};
}

using TextList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

TextList header_list(const Request& request) {
  curl_slist* list = curl_slist_append(nullptr, "Expect:");
  for (const auto& [name, value] : request.headers) {
    list = curl_slist_append(list, (name + ": " + value).c_str());
  }
  return {list, &curl_slist_free_all};
}

TextList recipients_of(const Request& request) {
  curl_slist* list = nullptr;
  if (request.mail)
    for (const auto& address : request.mail->to)
      list = curl_slist_append(list, address.c_str());
  return {list, &curl_slist_free_all};
}

void use_limits(CURL* curl, const CurlLimits& limits) {
  use_trust(curl, limits, true);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, limits.connect_timeout.count());
  curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 256L * 1024L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "surveybridge");
}

// libcurl names the step of the mail that failed, with the server's number.
void use_mail(CURL* curl, Flight& flight, const curl_slist* recipients) {
  const Mail& mail = *flight.request.mail;
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_USE_SSL,
                   static_cast<long>(mail.plain ? CURLUSESSL_NONE : CURLUSESSL_ALL));
  curl_easy_setopt(curl, CURLOPT_MAIL_FROM, mail.from.c_str());
  curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, recipients);
  curl_easy_setopt(curl, CURLOPT_MAIL_RCPT_ALLLOWFAILS, 1L);
  curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L);
  curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, on_mail_line);
  curl_easy_setopt(curl, CURLOPT_DEBUGDATA, &flight);
  curl_easy_setopt(
      curl, CURLOPT_SERVER_RESPONSE_TIMEOUT,
      static_cast<long>(std::chrono::ceil<std::chrono::seconds>(flight.limits.timeout).count()));
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
  curl_easy_setopt(curl, CURLOPT_READDATA, &flight);
  if (mail.user.empty()) return;
  curl_easy_setopt(curl, CURLOPT_USERNAME, mail.user.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, mail.password.c_str());
}

void use_request(CURL* curl, Flight& flight, const curl_slist* headers) {
  const Request& request = flight.request;
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  // http is for this machine only: no proxy of the environment may see it.
  if (fits_line(request.url, "http://")) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  // libcurl sends QUIT when the connection of a mail ends: it must end before the flight's objects.
  const long alone = request.once || request.mail || request.only_connect ? 1L : 0L;
  curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, alone);
  curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, alone);
  if (request.method == "POST") {
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
    curl_easy_setopt(curl, CURLOPT_READDATA, &flight);
  }
  curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, on_connected);
  curl_easy_setopt(curl, CURLOPT_PREREQDATA, &flight);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &flight);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &flight);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &flight);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, flight.words.data());
  if (request.only_connect) curl_easy_setopt(curl, CURLOPT_CONNECT_ONLY, 1L);
}

}  // namespace

struct CurlTransport::Impl {
  CurlLimits limits;
  const std::atomic<bool>* stop;
  std::chrono::milliseconds grace;
  Handle curl;
};

CurlTransport::CurlTransport(CurlLimits limits, const std::atomic<bool>* stop,
                             std::chrono::milliseconds grace) {
  start_curl();
  impl_.reset(
      new Impl{std::move(limits), stop, grace, Handle{curl_easy_init(), &curl_easy_cleanup}});
}

CurlTransport::~CurlTransport() = default;

Exchange CurlTransport::send(const Request& request) {
  CURL* curl = impl_->curl.get();
  if (curl == nullptr) return Failure{Failure::Kind::not_connected, "libcurl has no handle"};
  if (auto ended = ended_client(impl_->limits.client)) return *std::move(ended);
  curl_easy_reset(curl);  // resets the options, keeps the connections
  Flight flight{request, impl_->limits, impl_->stop, impl_->grace, curl};
  const TextList headers = header_list(request);
  use_limits(curl, impl_->limits);
  const TextList recipients = recipients_of(request);
  use_request(curl, flight, headers.get());
  if (request.mail) use_mail(curl, flight, recipients.get());
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);  // the flight's, which ends here
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  if (code != CURLE_OK) {
    Failure failure = failure_of(code, flight);
    failure.status = static_cast<int>(status);
    failure.timed_out = flight.timed_out || code == CURLE_OPERATION_TIMEDOUT;
    return failure;
  }
  flight.response.status = static_cast<int>(status);
  if (const auto end = certificate_end(curl))
    flight.response.certificate_ends =
        std::chrono::floor<std::chrono::seconds>(end->time_since_epoch()).count();
  return std::move(flight.response);
}

}  // namespace surveybridge::service
