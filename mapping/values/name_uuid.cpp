#include "mapping/values/name_uuid.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace surveybridge::mapping {

namespace {

// Chosen once. Another name space would give every stored bouncer a new key.
constexpr boost::uuids::uuid kNameSpace = {{0x6c, 0x1e, 0x0b, 0x52, 0x93, 0x4f, 0x4a, 0x7d, 0x8b,
                                            0x26, 0xf0, 0x3d, 0x57, 0xa9, 0xe4, 0x18}};

}  // namespace

std::string name_uuid(std::string_view name) {
  return to_string(boost::uuids::name_generator_sha1{kNameSpace}(name.data(), name.size()));
}

}  // namespace surveybridge::mapping
