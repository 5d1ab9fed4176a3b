#include "tests/support/tls_server.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace support {

namespace {

namespace fs = std::filesystem;

template <auto kFree>
struct Free {
  void operator()(auto* object) const { kFree(object); }
};
template <class T, auto kFree>
using Owned = std::unique_ptr<T, Free<kFree>>;

void check(bool done, const std::string& what) {
  if (!done) throw std::runtime_error("make_certificate: " + what);
}

Owned<FILE, fclose> new_file(const std::string& path) {
  Owned<FILE, fclose> file(std::fopen(path.c_str(), "w"));
  check(file != nullptr, path);
  return file;
}

void set_names(X509* certificate, const std::string& subject, const std::string& alternative) {
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* bytes = reinterpret_cast<const unsigned char*>(subject.c_str());
  check(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, bytes, -1, -1, 0) == 1, subject);
  X509_set_issuer_name(certificate, name);
  const Owned<X509_EXTENSION, X509_EXTENSION_free> names(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, alternative.c_str()));
  check(names && X509_add_ext(certificate, names.get(), -1) == 1, alternative);
}

}  // namespace

// Not by the program openssl: from 3.4 on it makes no certificate that has ended.
void make_certificate(const std::string& path, int days, const std::string& name) {
  const Owned<EVP_PKEY, EVP_PKEY_free> key(EVP_EC_gen("P-256"));
  const Owned<X509, X509_free> certificate(X509_new());
  check(key && certificate, "no memory");
  constexpr long kDay = 24L * 3600;
  X509_set_version(certificate.get(), 2);  // "v3"
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), std::min(days - 1, 0) * kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), days * kDay);
  X509_set_pubkey(certificate.get(), key.get());
  set_names(certificate.get(), fs::path(path).filename(), name);
  check(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0, "cannot sign");
  check(PEM_write_X509(new_file(path + ".pem").get(), certificate.get()) == 1, path + ".pem");
  const auto file = new_file(path + ".key");
  fs::permissions(path + ".key", fs::perms::owner_read | fs::perms::owner_write);
  check(
      PEM_write_PKCS8PrivateKey(file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
      path + ".key");
}

TlsServer::TlsServer(int days, const std::string& name) {
  make_certificate(folder_.path() + "/own", days, name);
  server_ = std::make_unique<ChildProcess>(
      Program{{"openssl", "s_server", "-www", "-accept", address_, "-key",
               folder_.path() + "/own.key", "-cert", certificate()},
              {}});
  if (!server_->wait_for("ACCEPT", std::chrono::seconds(20)))
    throw std::runtime_error(server_->err());
}

}  // namespace support
