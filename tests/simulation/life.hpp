// The world of one schedule while it runs: a CRM that fills, daemons that die, pause and come back,
// a service behind a bad wire, one clock. Conducts; what is drawn and what is checked is elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sandbox/service.hpp"
#include "tests/in_process/instance.hpp"
#include "tests/simulation/draw.hpp"
#include "tests/simulation/schedule.hpp"
#include "tests/simulation/wire.hpp"

namespace simulation {

class Life {
 public:
  Life(const Drawn& drawn, Broken broken, const std::string& database, std::uint64_t seed);

  // Lives until `until`; `faults`: with everything that was drawn, else in peace.
  void live(TimePoint until, bool faults);
  // Without faults: lives while a row is in doubt, for so long at most.
  void settle_doubts(Duration longest);
  // The hosts are suspended for so long; then an hour of life, and everything due once.
  void pass_suspended(Duration length);
  // Everything due once, in peace: the tables catch up.
  void catch_up();

  // When the last catch_up() began: who was active after that may be stored as before.
  TimePoint caught_up_at() const { return caught_up_at_; }

  sandbox::Service& service() { return service_; }
  surveybridge::crm::Database& crm() { return *crm_; }
  const in_process::TurnedClock& clock() const { return clock_; }
  bool is_forgotten(const std::string& address) const;
  bool is_known_out(const std::string& address);
  // Is there a row in doubt?
  bool is_in_doubt();
  // How many rows may be held: a batch for each fault, and what a restored ledger does not know of.
  int held_max() const;
  void count(Report& report) const;

 private:
  // A daemon on its host: there, or dead until somebody starts it again.
  struct Host {
    std::unique_ptr<in_process::Instance> instance;
    TimePoint starts_at = kBegin;
    bool paused = false;
    bool stood_still = false;  // within the step that it is in
  };

  void start(std::size_t index);
  void step(std::size_t index);
  void happen_until_now();
  std::optional<std::size_t> next_host() const;
  TimePoint next_of(const Host& host) const;
  bool tick(TimePoint until);
  void on_moment(std::size_t index, const in_process::Moment& moment);
  void pause(std::size_t index);
  void say_farewell();
  void forget(const std::string& address);
  void change_columns();
  void release();
  void come_by();
  int claimed();
  void back_up();
  void restore();
  void look_at(const surveybridge::service::Request& request, const Host& host);

  const Drawn& drawn_;
  Broken broken_;
  std::string database_;
  Random random_, farewells_, extras_;
  in_process::TurnedClock clock_{kBegin};
  sandbox::Service service_;
  Wire wire_;
  surveybridge::config::Settings settings_;
  std::unique_ptr<surveybridge::crm::Database> crm_;
  std::vector<Host> hosts_;
  std::size_t orders_in_ = 0;
  bool faults_ = false;
  std::set<std::string> forgotten_;  // addresses, in small letters
  std::vector<std::string> mailed_after_all_;
  TimePoint comes_by_ = kBegin;  // somebody looks at the brake, and changes the view
  TimePoint caught_up_at_ = kBegin;
  bool backed_up_ = false, restored_ = false;
  int crashes_ = 0, pauses_ = 0, database_faults_ = 0, releases_ = 0, claimed_since_backup_ = 0;
};

}  // namespace simulation
