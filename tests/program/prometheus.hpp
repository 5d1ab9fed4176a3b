// A monitoring system's view of a running daemon: its metrics as numbers, and promtool.
#pragma once

#include <map>
#include <string>

#include "tests/support/child_process.hpp"

namespace program {

// "surveybridge_rows_total{outcome=\"sent\",push=\"orders\"}" → 3, as the text has them.
using Samples = std::map<std::string, double>;
Samples samples_in(const std::string& metrics);
// The number of this sample; -1: there is none.
double value_of(const Samples& samples, const std::string& name);

// The body of GET on 127.0.0.1, and its status code; empty, and "000": no answer.
std::string body_of(int port, const std::string& path);
std::string code_of(int port, const std::string& path);
std::string metrics_at(int port);

// `promtool ARGUMENTS`, with `input` as its standard input.
support::Finished promtool(const std::vector<std::string>& arguments,
                           const std::string& input = "");

}  // namespace program
