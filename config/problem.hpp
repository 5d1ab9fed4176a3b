// A problem in the configuration, with its place. Problems are collected and not thrown, so that
// one run shows all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::config {

struct TextPlace {
  std::string file;
  int line = 0;    // from 1; 0: the file as a whole
  int column = 0;  // from 1
};

struct Problem {
  TextPlace place;
  std::string key;   // dotted path of the setting, "push.orders.customer.Email"
  std::string rule;  // the sentence, with the value and a suggestion where there is one
};

// "bridge.toml:14:9: push.orders.customer.Email: the query has no column …"
std::string to_string(const Problem& problem);

// The candidate closest to `word`, if it is close enough; else empty.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);
// " (did you mean \"email\"?)" or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace surveybridge::config
