// A hundred customers at the stand-in, added with every field of a request, and the lists with
// them. Shared by the tests of JSON and of XML.
#pragma once

#include <ostream>
#include <set>

#include <gtest/gtest.h>

#include "tests/interface/sandbox_world.hpp"

namespace interface {

using Paths = std::set<std::string>;

struct List {
  std::string root, path, array, query;
  friend void PrintTo(const List& list, std::ostream* out) { *out << list.root; }
};
inline const List kLists[] = {
    {"Customer", "/external/api/v3/customer", "Customers",
     "IncludeNotes=true&IncludeTestRecords=true"},
    {"Rating", "/external/api/v3/rating", "Ratings", "ReviewApprovedDateFilter.From=2026-01-01"},
    {"BouncedCustomer", "/external/api/v3/customer/getbouncers", "Bouncers", ""},
};

struct Lives : testing::Test {
  Lives();
  SandboxWorld world;
};

// Every scalar of a root.
Paths paths_of(const std::string& root);
std::vector<std::string> lacking(const Paths& wanted, const Paths& seen);

}  // namespace interface
