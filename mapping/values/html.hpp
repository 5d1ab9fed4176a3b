// Text that a CRM keeps as HTML. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// The entity that begins at a place of the text: adds its character to `to` and returns its length.
// 0: none, or one that is not known, which adds nothing. Known are numbers (128 to 159 are those of
// Windows, as in every browser), the letters and signs of Latin-1, and the usual punctuation.
std::size_t read_entity(std::string_view text, std::size_t at, std::string& to);

// What a browser shows of it, on one line: without tags, comments, scripts and styles; each entity
// decoded once; one blank for white space and between blocks, none at the ends. What only looks
// like a tag or an entity ("2 < 3", "A&B") stays. Takes time in proportion to the text.
std::string text_of_html(std::string_view html);

}  // namespace surveybridge::mapping
