// A service that asks for a client certificate, with real programs: TLS stands in front of the
// stand-in.
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/support/tls_front.hpp"
#include "tests/support/tls_server.hpp"

namespace program {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class WithClientCertificate : public BridgeAndSqlite {
 protected:
  WithClientCertificate() {
    crm_.insert(orders(3));
    write(asked_);
  }
  std::string made(const std::string& name, int days = 20) const {
    support::make_certificate(folder_.path() + "/" + name, days);
    return folder_.path() + "/" + name;
  }
  // What the configuration names becomes this pair.
  void use(const std::string& pair) const {
    for (const char* ending : {".pem", ".key"})
      fs::copy_file(pair + ending, used_ + ending, fs::copy_options::overwrite_existing);
  }

  const std::string server_ = made("server"), own_ = made("own"), other_ = made("other"),
                    used_ = made("used");
  support::TlsFront front_{server_, own_ + ".pem", sandbox_.url()};
  const std::string asked_ =
      replaced(replaced(usual_, sandbox_.url(), front_.url()), "[service.auth]",
               "ca_file = \"" + server_ + ".pem\"\nclient_certificate = { file = \"" + used_ +
                   ".pem\" }\nclient_key = { file = \"" + used_ + ".key\" }\n[service.auth]");
};

TEST_F(WithClientCertificate, OrdersGoOutAndCheckSaysWhenItEnds) {
  use(own_);
  const auto synced = command({"sync", "push"});
  EXPECT_EQ(synced.status, 0) << synced.err;
  EXPECT_THAT(sandbox_.customers(), SizeIs(3));
  for (const Arguments& words : {Arguments{"check"}, {"check", "--offline"}}) {
    const auto checked = command(words);
    EXPECT_EQ(checked.status, 0) << checked.err;
    EXPECT_THAT(checked.err, HasSubstr("note: service.client_certificate: file \"" + used_ +
                                       ".pem\" ends in 19 days, on "));
  }
  use(made("ended", -1));
  const auto ended = command({"check"});
  EXPECT_EQ(ended.status, 78);
  EXPECT_THAT(ended.err,
              HasSubstr("service.client_certificate: file \"" + used_ + ".pem\" ended on "));
}

TEST_F(WithClientCertificate, AReloadTakesANewOne) {
  use(other_);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("TLS was refused: ")) << daemon.child().err();
  use(own_);
  daemon.child().signal(SIGHUP);
  EXPECT_TRUE(daemon.until([&] { return sandbox_.customers().size() == 3; }));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(WithClientCertificate, AKeyOfAnotherOneIsRefusedByWhoeverAsksTheService) {
  use(own_);
  ASSERT_EQ(command({"sync", "push"}).status, 0);
  fs::copy_file(other_ + ".key", used_ + ".key", fs::copy_options::overwrite_existing);
  const std::string why = "service.client_key: file \"" + used_ +
                          ".key\" is not the key of the certificate in file \"" + used_ + ".pem\"";
  for (const Arguments& words :
       {Arguments{"sync"}, {"check"}, {"check", "--offline"}, {"verify"}, {"preview"}}) {
    const auto refused = command(words);
    EXPECT_EQ(refused.status, 78) << words.front();
    EXPECT_THAT(refused.err, HasSubstr(why)) << words.front();
  }
  EXPECT_THAT(command({"status"}).err, Not(HasSubstr(why))) << "it asks the database only";
}

}  // namespace
}  // namespace program
