// One trial of a deployment: orders go out to it, its customers live, everything is pulled. The
// whole daemon in one process with the stand-in. Owned by its test.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/in_process/instance.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tolerance {

enum class Format { json, xml };

// The differences from the default deployment.
struct Variant {
  sandbox::Options options;
  std::string service, dialect, push, customers;  // more lines of these sections
  std::string auth = "kind = \"none\"\n";
  in_process::OnExchange on_exchange;
  // Instead of on_exchange, if the request is changed.
  std::function<surveybridge::service::Exchange(
      const surveybridge::service::Request&,
      const std::function<surveybridge::service::Exchange()>& send, sandbox::Service&)>
      on_post;
  // Called before the first sync and before the second, with the service.
  std::function<void(sandbox::Service&)> before, between;
  bool released = false;  // a person lets the push go, which nothing can be known about
  bool patient = false;   // one sync more: the others give up at waits of an hour
  bool socket = false;    // over a real socket: the bytes matter
};

using Rows = std::vector<std::vector<std::string>>;

struct Kept {
  std::map<std::string, Rows> tables;  // every pulled table, without the bridge's own columns
  std::map<std::string, int> states;   // of the ledger
  std::map<std::string, int> held;     // how often the service has stored each order
  std::vector<std::string> log;
  int requests = 0;

  bool said(const std::string& text) const;
};

constexpr int kOrders = 24;

Kept try_out(Format format, const Variant& variant);

}  // namespace tolerance
