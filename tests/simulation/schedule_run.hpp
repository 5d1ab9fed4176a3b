// Runs one schedule: a CRM that gets rows, daemons that die, stop and start again, a service behind
// a faulty network, one clock. What is drawn is in draw.hpp, what is checked in checks.hpp.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sandbox/service.hpp"
#include "tests/in_process/instance.hpp"
#include "tests/simulation/configuration.hpp"
#include "tests/simulation/draw.hpp"
#include "tests/simulation/faulty_transport.hpp"
#include "tests/simulation/receivers.hpp"
#include "tests/simulation/schedule.hpp"

namespace simulation {

inline constexpr Duration kOperatorEvery = std::chrono::minutes{10};

class ScheduleRun {
 public:
  ScheduleRun(const Drawn& drawn, Broken broken, const std::string& database, std::uint64_t seed);

  // Runs until `until`, with the faults that were drawn or without.
  void run_until(TimePoint until, bool faults);
  // Without faults: runs while a row is in doubt, for `longest` at most.
  void settle_doubts(Duration longest);
  // The hosts are suspended for so long; then an hour passes, and everything due is done once.
  void pass_suspended(Duration length);
  // Without faults: everything due is done once, so that the tables catch up.
  void catch_up();

  // When the last catch_up() began: who was active after that may be stored as before.
  TimePoint caught_up_at() const { return caught_up_at_; }

  sandbox::Service& service() { return service_; }
  // The same database, unless the CRM has one of its own.
  surveybridge::crm::Database& store() { return *store_; }
  surveybridge::crm::Database& crm() { return own_crm_ ? *own_crm_ : *store_; }
  const in_process::TurnedClock& clock() const { return clock_; }
  const std::map<Telling, std::vector<Message>>& told() const { return receivers_.told(); }
  // Since then nothing keeps the daemons from telling what they find.
  TimePoint calm_since() const { return calm_since_; }
  bool is_forgotten(const std::string& address) const;
  // Does the bridge know that this person must not be mailed, or may have to be left out?
  bool is_known_out(const std::string& address);
  // Did the operator put its person on a list of those whom its push does not mail?
  bool is_blocked(const Order& order) const;
  // Was it seen as not drawn, and not at the service then?
  bool was_not_drawn(const Order& order) const { return not_drawn_.contains(order.key); }
  // How often the rows that are pending now were in a batch.
  std::int64_t claims_of_waiting();
  // Is there a row in doubt?
  bool is_in_doubt();
  // Is there a row that may go out later? One that was mended may. Not one whose person's record
  // cannot be read.
  bool waits();
  bool is_walking();  // a list is being read, or is not read to its end
  // How many rows may be held: a batch for each fault, and what a restored ledger does not know of.
  int held_max() const;
  void count(Report& report) const;

 private:
  // A daemon on its host: there, or dead until somebody starts it again.
  struct Host {
    std::unique_ptr<in_process::Instance> instance;
    TimePoint starts_at = kBegin;
    bool paused = false;
    bool stood_still = false;      // within the step that it is in
    bool lost_database = false;    // the same
    bool is_at_old_place = false;  // it stood still while the tables were moved
  };

  void start(std::size_t index);
  void step(std::size_t index);
  bool stops_in_outage(Host& host);
  void happen_until_now();
  std::optional<std::size_t> next_host() const;
  TimePoint next_of(const Host& host) const;
  bool tick(TimePoint until);
  // `back_at`: until then the database is away.
  const surveybridge::config::Settings& settings() const { return *settings_.back(); }
  void use_variant();
  void on_moment(std::size_t index, const in_process::Moment& moment, TimePoint back_at);
  [[noreturn]] void fail(std::size_t index, surveybridge::crm::DatabaseError::Kind kind);
  surveybridge::service::Exchange tell(std::size_t index, const std::string& receiver,
                                       const surveybridge::service::Request& request);
  bool answers_wait();
  void tell_answers();
  void pause(std::size_t index);
  void forget_somebody();
  void forget(const std::string& address);
  void change_columns();
  void release();
  void change_settings();
  void step_clock();
  void edit(const Variant& variant);
  void change_share();
  void note_not_drawn();
  bool is_closed() const;
  void name_orders();
  void block_somebody(const std::string& list, Random& random);
  void block(const std::string& list, const std::string& who);
  void operate();
  int claimed();
  void back_up();
  void restore();
  void move();
  bool move_tables();
  void look_at(const surveybridge::service::Request& request, const Host& host);

  const Drawn& drawn_;
  Broken broken_;
  std::string database_;  // the store's file
  const std::string crm_file_, backup_file_;
  Random random_, forgets_, extras_, draws_;
  in_process::TurnedClock clock_{kBegin};
  sandbox::Service service_;
  FaultyTransport transport_;
  Receivers receivers_;
  Variant variant_;
  // The last one holds; a daemon that stands still keeps an older one.
  std::vector<std::unique_ptr<surveybridge::config::Settings>> settings_;
  std::unique_ptr<surveybridge::crm::Database> store_, own_crm_;
  TimePoint store_back_at_ = kBegin, crm_back_at_ = kBegin;
  in_process::KeptSessions sessions_;  // outlives the hosts
  std::vector<Host> hosts_;
  std::multimap<TimePoint, const Order*>
      coming_;  // rows that are not in the CRM, by when they come
  std::vector<const Order*> came_;
  bool faults_ = false;
  std::set<std::string> forgotten_;                       // addresses, in small letters
  std::map<std::string, std::set<std::string>> blocked_;  // the same by the list's table
  std::set<std::string> not_drawn_;                       // keys
  std::vector<std::string> mailed_too_late_;
  TimePoint operator_at_ = kBegin;  // somebody looks at the brake, and changes the view
  TimePoint caught_up_at_ = kBegin, calm_since_ = TimePoint::max();
  bool backed_up_ = false, restored_ = false;
  bool moves_ = false, moved_ = false;  // somebody has begun to move the tables; they are moved
  TimePoint stop_from_ = TimePoint::max();
  int crashes_ = 0, pauses_ = 0, database_faults_ = 0, releases_ = 0, claimed_since_backup_ = 0;
};

}  // namespace simulation
