// Bodies for the codec's tests: reads one and gives the result as a string to compare.
#pragma once

#include <string>
#include <string_view>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "mapping/codec/codec.hpp"

namespace surveybridge::mapping {

inline const Reading kReading{"Europe/Amsterdam", {}};

// "place: rule" of a page that was refused, "page of N" of one that was read.
inline std::string outcome(std::string_view body, std::string_view content_type = "",
                           std::string_view list = "Customers", const Resource& item = customer(),
                           const Reading& reading = kReading) {
  const auto read = read_page(body, content_type, list, item, reading);
  if (const auto* malformed = std::get_if<Malformed>(&read)) {
    return malformed->place + ": " + malformed->rule;
  }
  return fmt::format("page of {}", std::get<Page>(read).records.size());
}

inline Page page(std::string_view body, std::string_view content_type = "",
                 std::string_view list = "Customers", const Resource& item = customer()) {
  auto read = read_page(body, content_type, list, item, kReading);
  const auto* malformed = std::get_if<Malformed>(&read);
  if (malformed != nullptr) {
    ADD_FAILURE() << malformed->place << ": " << malformed->rule;
    return {};
  }
  return std::move(std::get<Page>(read));
}

// The only record of a page; an empty one if there is no such page.
inline Record only(std::string_view body, const Resource& item = customer()) {
  const Page read = page(body, "", "Customers", item);
  EXPECT_EQ(read.records.size(), 1U) << body;
  return read.records.size() == 1 ? read.records.front() : Record(item);
}

}  // namespace surveybridge::mapping
