// What requests and answers have in common (docs/SERVICE.md 2.2): values of data columns, scale
// positions and files. Only the resource_*.cpp files include this; other code uses
// resource.hpp.
#pragma once

#include "mapping/interface/resource.hpp"

namespace surveybridge::mapping::shape {

inline constexpr Field kScalePositionFields[] = {
    {"Id", Type::integer},
    {"Label", Type::text},
    {"Value", Type::integer},
    {"Ranking", Type::integer},
};
inline constexpr Resource kScalePosition{"ScalePosition", "", kScalePositionFields};

inline constexpr Field kFileAnswerFields[] = {
    {"Id", Type::integer},          {"AnswerId", Type::integer},
    {"FileName", Type::text},       {"FileSize", Type::integer},
    {"FileType", Type::text},       {"Data", Type::base64},
    {"IsEncrypted", Type::boolean}, {"CertificateThumbprint", Type::text},
    {"EncryptionKey", Type::text},
};
inline constexpr Resource kFileAnswer{"FileAnswer", "", kFileAnswerFields};

inline constexpr Field kCustomerDataFields[] = {
    {"CustomerDataColumnId", Type::integer},
    {"Name", Type::text},
    {"Value", Type::text},
    {"IsEncrypted", Type::boolean},
    {"CertificateThumbprint", Type::text},
    {"EncryptionKey", Type::text},
};
inline constexpr Resource kCustomerData{"CustomerData", "", kCustomerDataFields};

// A field with one object, and a field with a list of objects. `table` is where the list is stored
// after it was read; a list that is only sent has none.
constexpr Field object(std::string_view name, const Resource& of) {
  return {name, Type::object, false, &of};
}
constexpr Field list_of(std::string_view name, const Resource& of, std::string_view xml_item,
                        std::string_view table = "") {
  return {name, Type::object, true, &of, xml_item, table};
}

}  // namespace surveybridge::mapping::shape
