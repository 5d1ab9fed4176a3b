// Text for a server whose encoding cannot hold every character: an emoji in a LATIN1 database.
#pragma once

#include <string>

namespace surveybridge::crm {

// Characters of UTF-8 text that the encoding lacks become '?'. `encoding`: as PostgreSQL calls it
// ("LATIN1", "WIN1252"); text for UTF8, SQL_ASCII or an unknown encoding stays as it is.
std::string fitting(std::string text, const std::string& encoding);

}  // namespace surveybridge::crm
