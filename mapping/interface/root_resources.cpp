#include "mapping/interface/root_resources.hpp"

#include <stdexcept>
#include <string>

namespace surveybridge::mapping {

std::span<const Resource* const> root_resources() {
  static const Resource* const all[] = {&customer(), &rating(), &bouncer(), &status(),
                                        &data_column()};
  return all;
}

const Resource& root_resource(std::string_view name) {
  for (const Resource* root : root_resources())
    if (root->name == name) return *root;
  throw std::out_of_range("no resource is called " + std::string(name));
}

}  // namespace surveybridge::mapping
