// What both directions have in common (docs/SERVICE.md 2.2): values of data columns, scale
// positions and files look the same in a batch that is sent and in a customer that is read.
// Only the resource_*.cpp files include this; everybody else asks resource.hpp.
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

// A field that holds one object, and one that holds a list of objects. `table` is where the list
// is stored once it has been read; a list that is only sent has none.
constexpr Field object(std::string_view name, const Resource& of) {
  return {name, Type::object, false, &of};
}
constexpr Field list_of(std::string_view name, const Resource& of, std::string_view xml_item,
                        std::string_view table = "") {
  return {name, Type::object, true, &of, xml_item, table};
}

}  // namespace surveybridge::mapping::shape
