// The stand-in with every field of a request; its clock moves until all customers are finished.
// Owned by its test.
#pragma once

#include <functional>

#include "sandbox/service.hpp"
#include "tests/interface/sample.hpp"

namespace interface {

struct SandboxWorld {
  explicit SandboxWorld(sandbox::Options options = {});

  sandbox::TimePoint now{std::chrono::seconds(1772452800)};  // 2026-03-02T12:00:00Z
  sandbox::Service service;

  sandbox::Reply get(const std::string& target);
  sandbox::Reply add(const std::string& body, const std::string& type);
  // Calls back with each page of a list.
  void walk(const std::string& path, const std::string& query,
            const std::function<void(const Json& page)>& look);
};

// The smallest batch that is accepted.
Json least_batch();
// A batch with this field too, a value that fits it, and what it needs.
Json batch_with(const Leaf& leaf);

}  // namespace interface
