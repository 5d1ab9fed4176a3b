// The bridge's description of each resource that the tables of docs/SERVICE.md begin with.
#pragma once

#include <map>
#include <string>

#include "mapping/interface/resource.hpp"

namespace interface {

inline const std::map<std::string, const surveybridge::mapping::Resource*>& described() {
  using namespace surveybridge::mapping;
  static const std::map<std::string, const Resource*> all = {
      {"ImportCustomersRequest", &import_batch()},
      {"Customer", &customer()},
      {"Rating", &rating()},
      {"BouncedCustomer", &bouncer()},
      {"CustomerDataColumn", &data_column()},
      {"Status", &status()},
  };
  return all;
}

}  // namespace interface
