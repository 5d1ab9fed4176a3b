#include "tests/interface/xml_tree.hpp"

#include <stdexcept>

namespace interface {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  XmlNode root() {
    if (text_.compare(at_, 5, "<?xml") == 0) take_to("?>");
    take_to("<");
    return element();
  }

 private:
  // After '<'.
  XmlNode element() {
    const std::string tag = take_to(">");
    XmlNode node;
    const std::string name = tag.substr(0, tag.find_first_of(" /"));
    node.name = name.substr(name.find(':') + 1);
    node.nil = tag.find("nil=\"true\"") != tag.npos;
    if (tag.back() == '/') return node;
    for (;;) {
      node.text += take_to("<");
      if (text_.at(at_) != '/') {
        node.children.push_back(element());
        continue;
      }
      if (take_to(">") != "/" + name) throw std::runtime_error("not the end of " + name);
      return node;
    }
  }

  std::string take_to(const std::string& end) {
    const auto found = text_.find(end, at_);
    if (found == text_.npos) throw std::runtime_error("no " + end);
    const std::string taken = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return taken;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

XmlNode xml_tree(const std::string& text) {
  return Reader(text).root();
}

}  // namespace interface
