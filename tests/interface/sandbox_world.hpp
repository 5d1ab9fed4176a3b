// The stand-in with every field of a request in it, its clock turned through all lives. Owned by
// its test.
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
  // Each page of a list.
  void walk(const std::string& path, const std::string& query,
            const std::function<void(const Json& page)>& look);
};

// A batch that is accepted and says nothing that need not be said.
Json least_batch();
// A batch with this field in it too, whatever it needs beside it, and a value that fits it.
Json batch_with(const Leaf& leaf);

}  // namespace interface
