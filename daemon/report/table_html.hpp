// A table of the report as HTML. Pure.
#pragma once

#include <string>

#include "daemon/report/tables.hpp"

namespace surveybridge::daemon {

// A stack: each row becomes a block, a cell a line. A flow: the same, with the cells in a line.
enum class OnPhone { table, stack, flow };

// Without rows: what the table says instead.
std::string table_html(const ReportTable& table, OnPhone on_phone = OnPhone::table);
// A text of the database, which may run from right to left.
std::string data_html(std::string_view text);

}  // namespace surveybridge::daemon
