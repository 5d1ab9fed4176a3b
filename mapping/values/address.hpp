// Is this text certainly not an e-mail address? Pure. A text that is refused here is not sent to
// the service; what only a mail server can find out is not checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::mapping {

// The rule of RFC 5321/5322 that the text breaks ("more than 64 bytes before the @"), never the
// text itself; empty: it may be an address. Non-ASCII letters are allowed on both sides (RFC 6531).
// Quoted local parts and address literals are not.
std::optional<std::string_view> fault_in_address(std::string_view text);

// The addresses that a cell of a CRM names: one, a list ("a@x.test; b@x.test"), with a name
// ("Ann <a@x.test>", "a@x.test (Ann)"), behind mailto: or another scheme ("SMTP:a@x.test"), with
// blanks of any kind around. A dot behind an address is left out, and quotes and signs around it.
struct NamedAddresses {
  std::vector<std::string> addresses;  // as they are written there
  // What some of them may mean: "7;#a@x.test", "'a@x.test". And what a part that is no address may:
  // a @ x.test, "a"@x.test. What is written in full-width letters, in the usual ones.
  std::vector<std::string> likely = {};
  bool whole = true;  // false: a part of the text is no address, or it is no UTF-8
};
NamedAddresses addresses_in(std::string_view text);

}  // namespace surveybridge::mapping
