#include "connectors/service/client_certificate.hpp"

#include <ctime>
#include <memory>
#include <utility>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "config/secret.hpp"

namespace surveybridge::service {

namespace {

using Bytes = std::unique_ptr<BIO, decltype(&BIO_free)>;
using OwnedX509 = std::unique_ptr<X509, decltype(&X509_free)>;
using OwnedKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

Bytes bytes_of(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

// Without this OpenSSL would ask the terminal.
int no_password(char*, int, int, void* asked) {
  if (asked != nullptr) *static_cast<bool*>(asked) = true;
  return -1;
}

mapping::Instant end_of_validity(const X509* certificate) {
  std::tm end{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) != 1) return {};
  return mapping::Instant{std::chrono::seconds{timegm(&end)}};
}

// What keeps the two from being used: the setting, and why. Sets the end of the certificate.
std::pair<const char*, std::string> fault_in(ClientCertificate& client,
                                             const config::Service& settings) {
  constexpr const char *kCertificate = "client_certificate", *kKey = "client_key";
  const OwnedX509 certificate{
      PEM_read_bio_X509(bytes_of(client.chain).get(), nullptr, no_password, nullptr), &X509_free};
  if (!certificate)
    return {kCertificate,
            client.place + " has no certificate in PEM (-----BEGIN CERTIFICATE-----)"};
  client.ends = end_of_validity(certificate.get());
  const std::string place = config::place_of(settings.client_key);
  bool has_password = false;
  const OwnedKey key{
      PEM_read_bio_PrivateKey(bytes_of(client.key).get(), nullptr, no_password, &has_password),
      &EVP_PKEY_free};
  if (has_password)
    return {kKey, place +
                      " has a password, which nobody types for a daemon: `openssl pkey -in OLD "
                      "-out NEW` writes it without"};
  if (!key) return {kKey, place + " has no private key in PEM (-----BEGIN PRIVATE KEY-----)"};
  if (X509_check_private_key(certificate.get(), key.get()) != 1)
    return {kKey, place + " is not the key of the certificate in " + client.place};
  return {};
}

}  // namespace

std::variant<ClientCertificate, std::string> read_client_certificate(
    const config::Service& settings) {
  if (!settings.client_certificate.set()) return ClientCertificate{};
  const auto told = [](const char* setting, const std::string& why) {
    return std::string("service.") + setting + ": " + why;
  };
  auto chain = config::read_open(settings.client_certificate);
  if (const auto* unreadable = std::get_if<config::Unreadable>(&chain))
    return told("client_certificate", unreadable->why);
  auto key = config::read_lines(settings.client_key);
  if (const auto* unreadable = std::get_if<config::Unreadable>(&key))
    return told("client_key", unreadable->why);
  ClientCertificate client{std::get<std::string>(std::move(chain)),
                           std::get<std::string>(std::move(key)),
                           config::place_of(settings.client_certificate)};
  const auto [setting, why] = fault_in(client, settings);
  ERR_clear_error();  // of this thread, which libcurl looks at
  if (setting != nullptr) return told(setting, why);
  return client;
}

}  // namespace surveybridge::service
