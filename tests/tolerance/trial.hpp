// One deployment of the service, tried: orders go out to it, customers live, everything comes back.
// The whole daemon in process against the stand-in that serves the variant. Owned by its test.
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

// What differs from the plain deployment.
struct Variant {
  sandbox::Options options;
  std::string service, dialect, push, customers;  // more lines of these sections
  std::string auth = "kind = \"none\"\n";
  in_process::OnExchange on_exchange;
  // Instead of on_exchange, where what goes out is changed.
  std::function<surveybridge::service::Exchange(
      const surveybridge::service::Request&,
      const std::function<surveybridge::service::Exchange()>& send, sandbox::Service&)>
      on_post;
  // Before the first sync and before the second, with the service that is tried.
  std::function<void(sandbox::Service&)> before, between;
  bool socket = false;  // over a real one: what happens to bytes counts
};

using Rows = std::vector<std::vector<std::string>>;

struct Kept {
  std::map<std::string, Rows> tables;  // every pulled table, but for the columns that are ours
  std::map<std::string, int> states;   // of the ledger
  std::map<std::string, int> held;     // how often the service holds each order
  std::vector<std::string> log;
  int requests = 0;

  bool said(const std::string& text) const;
};

constexpr int kOrders = 24;

Kept try_out(Format format, const Variant& variant);

}  // namespace tolerance
