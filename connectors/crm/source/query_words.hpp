// Words of a query, by which it names tables. Pure.
#pragma once

#include <set>
#include <string>

namespace surveybridge::crm {

// In small letters; also those of texts and comments.
std::set<std::string> words_of_query(const std::string& query);

}  // namespace surveybridge::crm
