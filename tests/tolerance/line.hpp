// A deployment that differs from the default one, and how a trial of it is judged. Each one is a
// variant that docs/SERVICE.md leaves open.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/tolerance/trial.hpp"

namespace tolerance {

// The results of the default deployment in this format and in both.
struct Plain {
  Kept json, xml;
  const Kept& in(Format format) const { return format == Format::json ? json : xml; }
};

struct Line {
  std::string what;
  std::function<void(Variant&, Format)> change;
  // What is wrong with a trial; empty: nothing.
  std::function<std::string(const Kept&, const Plain&, Format)> judge;
  bool json = true, xml = true;  // false: the line says nothing about this format
};

// Every order is there once and every table is as in the default deployment.
std::string judge_same(const Kept& kept, const Plain& plain, Format format);
// Every order is there once and every customer is stored; times may differ.
std::string judge_whole(const Kept& kept, const Plain& plain, Format format);
// The same, and this text was logged.
std::function<std::string(const Kept&, const Plain&, Format)> judge_said(std::string text);

// The same line, which says nothing about XML.
Line json_only(Line line);

using Lines = std::vector<Line>;

struct Section {
  std::string name;
  Lines lines;
};
// Each with the lines that belong together.
std::vector<Section> sections();

Lines query_lines();
Lines access_lines();  // paths and credentials
Lines reading_lines();
Lines error_lines();
Lines paging_lines();
Lines throttle_lines();
Lines post_lines();

// Credentials that can be fetched again.
std::string oauth2(const std::string& more = "");
// An exchange hook that changes the answers to GETs.
in_process::OnExchange answers_changed(
    std::function<void(surveybridge::service::Response&)> change);
// `text` with every `old` replaced.
std::string replaced(std::string text, const std::string& old, const std::string& with);
// Sends a request to the stand-in's control paths.
void control(sandbox::Service& service, const std::string& path);

}  // namespace tolerance
