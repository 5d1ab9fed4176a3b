// The SQL dialect of a database (not its driver). Pure.
#pragma once

namespace surveybridge::crm {

enum class Dialect { postgresql, mariadb, mysql, sqlserver, sqlite };

}  // namespace surveybridge::crm
