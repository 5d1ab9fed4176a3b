// The reports of [report.mail] that whole daemons send: restarted, killed, two of them, with a mail
// server that is dead.
#include <algorithm>
#include <map>

#include <gmock/gmock.h>

#include "daemon/alert/report_mail_job.hpp"
#include "mapping/values/base64.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using in_process::Died;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Letterbox {
  std::vector<std::string> mails;
  std::optional<service::Failure> answers;  // instead of taking a mail
  bool kills = false;                       // whoever has handed over a mail
  std::vector<std::string> refused;         // addresses of a mail that others get
};

class ToLetterbox final : public service::Transport {
 public:
  explicit ToLetterbox(Letterbox& box) : box_(box) {}
  service::Exchange send(const service::Request& request) override {
    if (box_.answers) return *box_.answers;
    box_.mails.push_back(request.body);
    if (box_.kills) throw Died{};
    return service::Response{250, {}, "", 0, box_.refused};
  }

 private:
  Letterbox& box_;
};

// A test begins on Thursday, 12 November 2026, at midnight.
class ReportMail : public in_process::Shop {
 protected:
  ReportMail() {
    order("1");
    sync();  // makes the tables for reports
    clock_.now = std::chrono::sys_days{std::chrono::year{2026} / 11 / 12};
    add_mail("board");
    outside_.open_messenger = [this](const config::Receiver& receiver) {
      return std::make_unique<ToLetterbox>(boxes_[receiver.name]);
    };
  }
  config::Report::Mail& add_mail(const std::string& name) {
    config::Report::Mail mail;
    mail.name = name;
    mail.receiver.name = name;
    mail.receiver.mail = {name + "@example.test"};
    mail.receiver.from = "bridge@example.test";
    mail.receiver.server = "smtps://mail.example.test";
    mail.every.at = 1h;
    settings_.report.mails.push_back(mail);
    return settings_.report.mails.back();
  }
  std::vector<std::string>& mails(const std::string& name = "board") { return boxes_[name].mails; }
  // The text of an attached file.
  static std::string file_in(const std::string& mail, const std::string& name) {
    const auto head = mail.find("filename=\"" + name + "\"");
    if (head == std::string::npos) return "there is no " + name;
    const auto begin = mail.find("\r\n\r\n", head) + 4;
    return mapping::read_base64(mail.substr(begin, mail.find("--", begin) - begin)).value();
  }
  static daemon::JobStatus status_in(in_process::Instance& instance) {
    const auto job = std::ranges::find(instance.jobs(), std::string("report.board"),
                                       [](const auto& each) { return each->name(); });
    return (*job)->status();
  }

  std::map<std::string, Letterbox> boxes_;
};

TEST_F(ReportMail, ComesOnceAtEachTimeThoughTheDaemonIsStartedAgain) {
  run(59min);
  EXPECT_EQ(mails().size(), 0u) << "the one of yesterday was never wanted";
  run(10min);
  ASSERT_EQ(mails().size(), 1u);
  EXPECT_THAT(mails()[0], AllOf(HasSubstr("To: board@example.test\r\n"),
                                HasSubstr("\r\nSubject: Survey report, 2026-08-17 to 2026-11-11"),
                                Not(HasSubstr("text/csv"))));
  EXPECT_THAT(file_in(mails()[0], "report_2026-11-11.html"), HasSubstr("<h1>"));
  run(22h);
  EXPECT_EQ(mails().size(), 1u);
  run(3h);
  EXPECT_EQ(mails().size(), 2u);
}

TEST_F(ReportMail, IsSentOnceWhereTheServerRefusesOneOfItsAddresses) {
  boxes_["board"].refused = {"450 to address 1 of 2"};
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 3h);
  EXPECT_EQ(mails().size(), 1u);
  EXPECT_EQ(status_in(instance).trouble,
            "the last report was sent in part: smtps://mail.example.test answers 450 to address 1 "
            "of 2");
  boxes_["board"].refused.clear();
  instance.run_until(clock_.now + 24h);
  EXPECT_EQ(mails().size(), 2u);
  EXPECT_EQ(status_in(instance).trouble, "");
}

TEST_F(ReportMail, ComesOnceFromTwoDaemons) {
  in_process::Instance one(settings_, outside_, 1), two(settings_, outside_, 2);
  for (int minute = 0; minute < 120; ++minute) {
    const auto until = clock_.now + 1min;
    one.run_until(until);
    two.run_until(until);
  }
  EXPECT_EQ(mails().size(), 1u);
}

// Wherever the daemon is killed, on one day after the other. Only between the claim and the mail
// nobody knows afterwards whether it has gone out.
TEST_F(ReportMail, ComesOnceWhereverTheDaemonIsKilled) {
  settings_.pushes.clear();
  settings_.pulls.clear();
  run(10min);
  auto due = clock_.now + 50min;
  int days = 0, lost = 0;
  for (bool died = true; died && days < 500; due += 24h, ++days) {
    died = false;
    int left = days;
    outside_.on_moment = [&](const in_process::Moment&) {
      if (clock_.now >= due && left-- == 0) throw Died{};
    };
    clock_.now = due - 1min;
    const auto before = mails().size();
    try {
      in_process::Instance instance(settings_, outside_, ++seed_);
      instance.run_until(due + 1min);
    } catch (const Died&) {
      died = true;
    }
    outside_.on_moment = {};
    run(10min);
    const auto came = mails().size() - before;
    EXPECT_LE(came, 1u) << "killed at " << days;
    if (came == 0) ++lost;
  }
  EXPECT_GT(days, 20);
  EXPECT_LT(days, 500);
  EXPECT_LE(lost, 1);
}

TEST_F(ReportMail, IsNotSentAgainWhereNobodyKnowsWhetherItHasGoneOut) {
  run(59min);
  boxes_["board"].kills = true;
  EXPECT_THROW(run(10min), Died);
  boxes_["board"].kills = false;
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 1h);
  EXPECT_EQ(mails().size(), 1u);
  EXPECT_THAT(status_in(instance).trouble, HasSubstr("nobody knows whether"));
  EXPECT_TRUE(status_in(instance).degraded);
  instance.run_until(clock_.now + 24h);
  EXPECT_EQ(mails().size(), 2u);
  EXPECT_EQ(status_in(instance).trouble, "");
  boxes_["board"].answers = {service::Failure::Kind::unknown, "no answer to the text", 354};
  instance.run_until(clock_.now + 24h);
  boxes_["board"].answers.reset();
  instance.run_until(clock_.now + 10h);
  EXPECT_EQ(mails().size(), 2u) << "the server may have taken it";
}

TEST_F(ReportMail, IsMadeUpWithinADayAndElseSkipped) {
  auto& every = settings_.report.mails[0].every;
  every = {config::Schedule::Each::week, std::chrono::Friday, 1h};
  run(10min);
  clock_.now += 48h;  // Saturday, 00:10
  run(10min);
  ASSERT_EQ(mails().size(), 1u);
  EXPECT_THAT(mails()[0], HasSubstr("report_2026-11-12.html"));
  clock_.now += 7 * 24h + 1h;
  run(1h);
  EXPECT_EQ(mails().size(), 1u) << "more than a day late";
  clock_.now += 5 * 24h;
  run(24h);
  EXPECT_EQ(mails().size(), 2u);
}

TEST_F(ReportMail, ThatCannotBeSentHoldsUpNothingAndIsShown) {
  add_mail("shops");
  run(59min);
  order("2");
  boxes_["board"].answers = {service::Failure::Kind::not_connected, "cannot reach the server"};
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 10min);
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(mails("shops").size(), 1u);
  EXPECT_EQ(status_in(instance).trouble, "it could not be sent: cannot reach the server");
  EXPECT_TRUE(status_in(instance).degraded);
  EXPECT_TRUE(instance.log().has("it could not be sent: cannot reach the server"));
  boxes_["board"].answers.reset();
  instance.run_until(clock_.now + 10min);
  EXPECT_EQ(mails().size(), 1u);
  EXPECT_EQ(mails("shops").size(), 1u);
  EXPECT_EQ(status_in(instance).trouble, "");
}

TEST_F(ReportMail, HasTheWordsOfCustomersForThoseOnlyWhoMayReadThem) {
  auto& support = add_mail("support");
  support.words = support.csv = true;
  settings_.report.mails[0].csv = true;
  run(30min);
  sql("INSERT INTO survey_answer (customer_id, position, base_question_id, text, date_answered)"
      " SELECT customer_id, 9, 1299, 'never again', '2026-11-09T13:00:00.000000Z'"
      " FROM survey_invitation");
  run(1h);
  const std::string page = "report_2026-11-11.html";
  ASSERT_EQ(mails("support").size(), 1u);
  EXPECT_THAT(file_in(mails("support")[0], page), HasSubstr("never again"));
  EXPECT_THAT(file_in(mails("support")[0], "texts.csv"), HasSubstr("never again"));
  ASSERT_EQ(mails().size(), 1u);
  EXPECT_THAT(file_in(mails()[0], page), AllOf(HasSubstr("<h1>"), Not(HasSubstr("never again"))));
  EXPECT_THAT(mails()[0], HasSubstr("filename=\"summary.csv\""));
  EXPECT_THAT(mails()[0], Not(HasSubstr("texts.csv")));
}

}  // namespace
