// Which SQL a database speaks (not which driver reaches it). Pure.
#pragma once

namespace surveybridge::crm {

enum class Dialect { postgresql, mariadb, sqlserver, sqlite };

}  // namespace surveybridge::crm
