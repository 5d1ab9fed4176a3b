// A person without a name: the keyed hash of an e-mail address. Pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace surveybridge::mapping {

// HMAC-SHA-256 of normal_address() with `key`: its first 128 bits as 32 hexadecimal digits. Empty
// for an empty address.
std::string person_of(std::string_view key, std::string_view address);

// An address as it tells persons apart: without blanks around it and characters that nobody sees,
// in small letters of every alphabet.
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
