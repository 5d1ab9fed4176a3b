#include "connectors/crm/source/query_words.hpp"

#include <utility>

#include "config/text.hpp"

namespace surveybridge::crm {

std::set<std::string> words_of_query(const std::string& query) {
  const auto is_part = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || byte >= 0x80;
  };
  std::set<std::string> words;
  std::string word;
  for (const char c : config::lower_case(query) + " ") {
    if (is_part(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

}  // namespace surveybridge::crm
