// XML as a tree, read here on its own: what the stand-in writes must not be judged by the codec
// that reads it in the bridge. Plain values.
#pragma once

#include <string>
#include <vector>

namespace interface {

struct XmlNode {
  std::string name;  // local
  std::string text;
  bool nil = false;
  std::vector<XmlNode> children;
};

// The root of a well-formed document without comments or CDATA. Throws for anything else.
XmlNode xml_tree(const std::string& text);

}  // namespace interface
