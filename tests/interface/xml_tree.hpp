// XML as a tree, read independently of the bridge's codec, so that it can judge what the stand-in
// writes. Plain values.
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
