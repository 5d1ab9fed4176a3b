// Addresses, and other words, within texts of any notation: plain, percent-encoded, with the
// escapes of JSON or XML, quoted-printable, and one notation within another. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::mapping {

// False for most texts that hold no address, and quick.
bool may_hold_address(std::string_view text);

// What counts as the end of an address. `letters`: letters and digits of any script beside it, and
// accents, make it another one; blanks, quotes and other signs of any script do not, nor do bytes
// that are no UTF-8. `marks`: dots, hyphens, underscores and plus signs between it and a letter do
// so, too, as in "jo-ann@example.test".
enum class Beside { letters, marks };

// What counts of a text that ends within the address, behind its "@": nothing, as in keys, which
// are found again by whole addresses (traces_in); only an end with dots behind it, for
// "ann@mail.co" is another person than "ann@mail.com"; or every end.
enum class Cut { nowhere, with_dots, anywhere };

// Does the text hold the address, in any case of letters?
bool holds_address(std::string_view text, std::string_view address, Beside beside, Cut cut);

// The text with `put` instead of each place where it has the address; `put` alone where the address
// is still in it after that, in another notation.
std::string without_address(std::string_view text, std::string_view address, std::string_view put);

// The text with `put` instead of each place where it has the word, of which each character may be
// written as it is, in one of the notations, or in one of them within another.
std::string without_word(std::string_view text, std::string_view word, std::string_view put);

// All that holds_address(…, beside) would find in the whole text, as they are written there, each
// once.
// `whole`: false where the text has too many to name them all.
struct AddressTraces {
  std::vector<std::string> addresses;
  bool whole = true;
};
AddressTraces traces_in(std::string_view text, Beside beside = Beside::letters);

// May a part of it, read whole as an address, be another address in another notation?
bool may_be_encoded(std::string_view text);
// Every address that a text may mean which stands where one is expected: what addresses_in() reads
// in it, those first, and where it is more than an address, its traces. Empty: it has none.
std::vector<std::string> addresses_meant(std::string_view text);

}  // namespace surveybridge::mapping
