// Names of XML elements as the service spells them. Pure; the codec's own.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// "Email" of "b:Email": which prefix stands for which namespace is the service's own affair.
std::string_view local_name(std::string_view name);

// "Customers[3]" of "Customers_x005B_3_x005D_": how .NET makes an element's name of any text.
std::string decoded_name(std::string_view name);

}  // namespace surveybridge::mapping
