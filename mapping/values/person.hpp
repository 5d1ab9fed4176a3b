// A person without a name: the keyed hash of an e-mail address. Pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace surveybridge::mapping {

// A key that begins so makes persons of 32 digits, and the case of no letter counts; keys of
// earlier versions make 64, and only ASCII letters are folded.
inline constexpr std::string_view kShortPersons = "128:";

// HMAC-SHA-256 with `key`, as 64 hexadecimal digits, or their first 32 by a key that begins with
// kShortPersons. Blanks around the address do not count, nor does the case of letters. Empty for an
// empty address.
std::string person_of(std::string_view key, std::string_view address);

// An address as a key with kShortPersons tells persons apart: without blanks around it, in small
// letters.
std::string normal_address(std::string_view address);

// The same for many addresses and one key. Belongs to one thread.
class PersonHash {
 public:
  explicit PersonHash(std::string_view key);
  ~PersonHash();
  PersonHash(const PersonHash&) = delete;
  PersonHash& operator=(const PersonHash&) = delete;

  std::string of(std::string_view address) const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace surveybridge::mapping
