#include "mapping/values/address.hpp"

#include <string>

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

std::string of_length(std::size_t local, std::size_t last_label) {
  return std::string(local, 'l') + "@" + std::string(63, 'd') + "." + std::string(63, 'e') + "." +
         std::string(last_label, 'f') + ".test";
}

TEST(Address, MayBeAnythingThatMailCanReach) {
  for (const std::string address :
       {"a@b.test", "jan.jansen+orders@example.test", "o'neill@example.test",
        "{x}!#$%&*/=?^_`|~@e.test", "zoë@bücher.example", "用户@例子.广告", "Jan@EXAMPLE.Test",
        "a@1-2.3.test", "o\u2019neill@example.test"}) {
    EXPECT_FALSE(fault_in_address(address)) << address;
  }
}

TEST(Address, MayBeAsLongAsTheRulesAllow) {
  ASSERT_EQ(of_length(64, 56).size(), 254U);
  EXPECT_FALSE(fault_in_address(of_length(64, 56)));
  EXPECT_EQ(fault_in_address(of_length(64, 57)), "more than 254 bytes");
  EXPECT_EQ(fault_in_address(of_length(65, 5)), "more than 64 bytes before the @");
  EXPECT_EQ(fault_in_address(of_length(5, 64)), "more than 63 bytes in one part of the domain");
}

TEST(Address, IsRefusedWithTheRuleItBreaks) {
  const struct {
    std::string_view text, rule;
  } cases[] = {
      {"", "no @"},
      {"jan", "no @"},
      {"jos\uFFFD@b.test", "a character that was lost on its way"},
      {"a@b@c.test", "more than one @"},
      {"@b.test", "nothing before the @"},
      {"a@", "nothing behind the @"},
      {"a@b", "a domain without a dot"},
      {"a@.test", "an empty part in the domain"},
      {"a@b.test.", "an empty part in the domain"},
      {"a@b..test", "an empty part in the domain"},
      {"a@-b.test", "a hyphen at an end of a domain part"},
      {"a@b-.test", "a hyphen at an end of a domain part"},
      {"a@b_c.test", "a character in the domain that cannot be there"},
      {"a@[127.0.0.1]", "a character in the domain that cannot be there"},
      {"a b@c.test", "a blank"},
      {"a\u00A0b@c.test", "a blank"},
      {"a@c.test\u202F", "a blank"},
      {"\u202Aa@c.test\u202C", "an invisible character"},
      {"a\u200B@c.test", "an invisible character"},
      {"\u201Ca@c.test\u201D", "a symbol or punctuation mark beyond ASCII"},
      {"a@c.test\uFF1B", "a symbol or punctuation mark beyond ASCII"},
      {"\u2019a@c.test", "a symbol or punctuation mark beyond ASCII"},
      {"a@b\u2019c.test", "a symbol or punctuation mark beyond ASCII"},
      {"a@c.test\r\nBcc: x@y.test", "a control character"},
      {"a\tb@c.test", "a control character"},
      {"a\x7F@c.test", "a control character"},
      {"Jan<a@c.test>", "a character before the @ that cannot be there"},
      {"\"jan\"@c.test", "a character before the @ that cannot be there"},
      {"a,b@c.test", "a character before the @ that cannot be there"},
      {".a@c.test", "a dot at an end of, or twice in, the part before the @"},
      {"a.@c.test", "a dot at an end of, or twice in, the part before the @"},
      {"a..b@c.test", "a dot at an end of, or twice in, the part before the @"},
  };
  for (const auto& [text, rule] : cases)
    EXPECT_EQ(fault_in_address(text), rule) << text;
}

std::string named(std::string_view text) {
  const auto found = addresses_in(text);
  std::string all;
  for (const auto& address : found.addresses)
    all += (all.empty() ? "" : " ") + address;
  return all + (found.whole ? "" : " ?");
}

TEST(Address, IsTakenOutOfWhatACellOfACrmSays) {
  const struct {
    std::string_view text, addresses;
  } cases[] = {
      {"a@b.test", "a@b.test"},
      {" \t\u00A0A@B.test\r\n", "A@B.test"},
      {"\uFEFFa@b.test\u200B", "a@b.test"},
      {"\u202Aa@b.test\u202C", "a@b.test"},
      {"\u200Ea@b.test\u200F;\u2068c@d.test\u2069", "a@b.test c@d.test"},
      {"a@b.test\u202F", "a@b.test"},
      {"a@b.test\u3000c@d.test\u2028e@f.test", "a@b.test c@d.test e@f.test"},
      {"a@b.test; c@d.test, e@f.test", "a@b.test c@d.test e@f.test"},
      {"a@b.test c@d.test\ne@f.test|g@h.test", "a@b.test c@d.test e@f.test g@h.test"},
      {"Ann Example <a@b.test>", "a@b.test"},
      {"\"Example, Ann\" <a@b.test>;Bob<c@d.test>", "a@b.test c@d.test"},
      {"a@b.test (Ann, at work)", "a@b.test"},
      {"<a@b.test>", "a@b.test"},
      {"'a@b.test'", "a@b.test"},
      {"'a@b.test", "'a@b.test"},
      {"`a@b.test`", "a@b.test"},
      {"\u201Ca@b.test\u201D", "a@b.test"},
      {"\u2019a@b.test\u2019", "a@b.test"},
      {"\u00ABa@b.test\u00BB", "a@b.test"},
      {"a@b.test\uFF1Bc@d.test\u3001", "a@b.test c@d.test"},
      {"Ann \uFF1Ca@b.test\uFF1E", "a@b.test"},
      {"o\u2019neill@b.test", "o\u2019neill@b.test"},
      {"o\u00B4neill@b.test", " ?"},
      {"anne\u2011marie@b.test", " ?"},
      {"jan\uFF0Esmit@b.test", " ?"},
      {"ann@co\u2011op.b.test", " ?"},
      {"'t.hart@b.test", "'t.hart@b.test"},
      {"\u25CFa@b.test", "a@b.test"},
      {"\u2709\uFE0F a@b.test \u2713", "a@b.test"},
      {"\u2709a@b.test", "\u2709a@b.test"},
      {"\u0093a@b.test\u0094", "a@b.test"},
      {"12;#a@b.test", "#a@b.test"},
      {"mailto:a@b.test", "a@b.test"},
      {"MailTo:a@b.test?subject=c@d.test", "a@b.test"},
      {"[Ann](mailto:a@b.test)", "a@b.test"},
      {"SMTP:a@b.test;smtp:c@d.test;X500:/o=Shop/cn=ann", "a@b.test c@d.test"},
      {"email:a@b.test", "a@b.test"},
      {"E-Mail:<a@b.test>", "a@b.test"},
      {"rfc822:a@b.test, To:mailto:c@d.test?cc=e@f.test", "a@b.test c@d.test"},
      {"a?b@c.test", "a?b@c.test"},
      {"a@b.test:c@d.test", " ?"},
      {"a@b.test.", "a@b.test"},
      {"E-mail a@b.test, phone 123", "a@b.test"},
      {"ÄNNE@b.test", "ÄNNE@b.test"},
      {"{x}!#$%&*/=?^_`|~@e.test", "{x}!#$%&*/=?^_`|~@e.test"},
      {"a@b.test; c@@d", "a@b.test ?"},
      {"a@b.test/c@d.test", " ?"},
      {"none", " ?"},
      {"a@b", " ?"},
      {"jos\xE9@b.test", " ?"},
      {"", ""},
      {" \u00A0 ", ""},
  };
  for (const auto& [text, addresses] : cases)
    EXPECT_EQ(named(text), addresses) << text;
}

TEST(Address, MayMeanAnotherBehindASign) {
  using Likely = std::vector<std::string>;
  const auto likely = [](std::string_view text) { return addresses_in(text).likely; };
  EXPECT_EQ(likely("1;#a@b.test;#2;#c@d.test"), (Likely{"a@b.test", "c@d.test"}));
  EXPECT_EQ(likely("'a@b.test"), Likely{"a@b.test"});
  EXPECT_EQ(likely("mail=a@b.test, -c@d.test"), (Likely{"a@b.test", "c@d.test"}));
  EXPECT_EQ(likely("Jansen/a@b.test"), Likely{"a@b.test"});
  EXPECT_EQ(likely("\u2709\uFE0Fa@b.test"), Likely{"a@b.test"});
  EXPECT_EQ(likely("a+b@c.test a_b@c.test o'neill@c.test"), Likely{});
}

TEST(Address, MayBeMeantByOneThatIsWrittenWithBlanksOrQuotes) {
  using Likely = std::vector<std::string>;
  for (const char* text : {"a @b.test", "a@ b.test", "a\u00A0@\tb.test", "\"a\"@b.test",
                           "Ann <a @ b.test>", "<\"a\"@b.test>"}) {
    EXPECT_EQ(addresses_in(text).likely, Likely{"a@b.test"}) << text;
    EXPECT_EQ(named(text), " ?") << "nothing is sent there: " << text;
  }
  EXPECT_EQ(addresses_in("Ann @ Shop <a@b.test>").likely, Likely{"a@b.test"});
  EXPECT_EQ(addresses_in("@").likely, Likely{});
}

// Who writes Chinese or Japanese types a full-width letter, sign or dot; a word processor makes an
// apostrophe round.
TEST(Address, MayBeMeantByOneInOtherCharacters) {
  using Likely = std::vector<std::string>;
  for (const char* text :
       {"a@b\uFF0Etest", "a@b\uFF61test", "a@b\u3002test", "a\uFF20b.test", "\uFF41@b.test"})
    EXPECT_EQ(addresses_in(text).likely, Likely{"a@b.test"}) << text;
  EXPECT_EQ(addresses_in("o\u2019neill@b.test").likely, Likely{"o'neill@b.test"});
  EXPECT_EQ(addresses_in("\uFB01n@b.test").likely, Likely{"fin@b.test"});
  EXPECT_EQ(named("a@b\uFF0Etest"), " ?") << "nothing is sent there";
  EXPECT_EQ(addresses_in("\u00E4nne@b.test").likely, Likely{});
  EXPECT_EQ(addresses_in(std::string(65'537, ' ') + "a@b\uFF0Etest").likely, Likely{})
      << "a text of any length would become many times as long";
}

}  // namespace
}  // namespace surveybridge::mapping
