// Names of XML elements as the service writes them. Pure; used by the codec only.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// "Email" of "b:Email": the prefix is the service's choice.
std::string_view local_name(std::string_view name);

// "Customers[3]" of "Customers_x005B_3_x005D_": how .NET makes an element's name from a text.
std::string decoded_name(std::string_view name);

}  // namespace surveybridge::mapping
