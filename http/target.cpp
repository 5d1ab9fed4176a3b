#include "http/target.hpp"

#include <algorithm>

namespace http {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text, bool form) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && form) {
      out += ' ';
    } else if (text[at] != '%') {
      out += text[at];
    } else {
      if (at + 2 >= text.size()) return std::nullopt;
      const int high = hex(text[at + 1]), low = hex(text[at + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      at += 2;
    }
  }
  return out;
}

}  // namespace

std::optional<std::vector<Parameter>> read_form(std::string_view form) {
  std::vector<Parameter> all;
  while (!form.empty()) {
    const auto end = std::min(form.find('&'), form.size());
    const std::string_view pair = form.substr(0, end);
    form.remove_prefix(std::min(end + 1, form.size()));
    if (pair.empty()) continue;
    const auto equals = static_cast<std::size_t>(std::ranges::find(pair, '=') - pair.begin());
    const auto name = decode(pair.substr(0, equals), true);
    const auto value = decode(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!name || !value) return std::nullopt;
    all.push_back({*name, *value});
  }
  return all;
}

std::optional<Target> read_target(std::string_view target) {
  target = target.substr(0, target.find('#'));
  const auto mark = std::min(target.find('?'), target.size());
  const auto path = decode(target.substr(0, mark), false);
  auto query = read_form(target.substr(std::min(mark + 1, target.size())));
  if (!path || !query) return std::nullopt;
  return Target{*path, std::move(*query)};
}

}  // namespace http
