// Finds out, before anything is claimed, whether the ledger is older than the service: restored
// from a backup, or lost in part. Then the service lists customers with the keys of transactions
// that the ledger would send. Each such transaction becomes in doubt, so that the read-back
// compares it with the customer and settles it, and nobody is mailed twice.
//
// The check reads the customers with activity since the last check that this ledger remembers
// (survey_cursor, so that a restored ledger remembers an older one). "Nothing found" needs proof,
// like a read-back: the list was read to its end, each record that could not be read shows its key,
// no customer was listed twice (the list moved while it was read: then it is read again), and the
// transactions that the ledger knows as sent last are in it. Those that are not are asked for one
// by one: a customer who has been active before this window only is not missing. A record for which
// the service answers 5xx again and again is read around, and what is left out is no proof. Where
// no customer in the list was only added (its invitation is scheduled, and it has not been active
// after that time), the service may give new customers no date of activity: then the list is read
// by transaction date, too, from the oldest date on that a row may have that the ledger may still
// send; where those dates are others than `when`, from the epoch on. Pages without a list are no
// proof where nothing is known as sent. Without proof the push is held until a later check has it,
// or a person lets it go (`surveybridge release`), which then holds for what was lacking.
//
// The rows of a push that has sent nothing, and of one whose query, key or bounds were changed, may
// have been sent before: by a push of another name, by a ledger that was made anew. The check then
// reads the customers of the whole window in which the push finds its rows.
//
// It runs once in a process, and again when the ledger no longer knows the last batch of any push
// that this process has seen, or a row that it has sent, or when this process stood still. What it
// reads it tells the ledgers of the other pushes, too. A step is one page. It cannot see customers
// that the service does not list yet: docs/GUARANTEES.md.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/lists/page_walk.hpp"
#include "daemon/push/push_plan.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

class RestoreCheck {
 public:
  RestoreCheck(const config::Push& push, std::string owner, JobContext& context)
      : push_(push), owner_(std::move(owner)), context_(context) {}

  // Call before a claim.
  bool is_due();
  // The check is due although this process has made it.
  void require() { due_ = true; }
  // This batch is in the ledger now, and the last one, with these rows.
  void claimed(const std::string& batch, const std::vector<std::string>& keys);
  // That claim is over, and this row has not gone out.
  void unsent(const std::string& key);
  // Those of these keys that this process has sent lately and the ledger does not have any more.
  // Others may be lost with them: the check is due.
  std::set<std::string> lost(const std::vector<std::string>& keys);

  // The check is over.
  struct Result {
    std::int64_t found = 0;                 // transactions that are in doubt now
    std::optional<std::string> lacks = {};  // why it is no proof; empty: it is one
  };
  struct Later {  // there is more to read: not before, or at once
    TimePoint at{};
    bool answered = false;  // the service has answered, so that the check has got on
  };
  using Answer = std::variant<Result, Later, service::Trouble>;
  // Reads a page, while the check is due. `column`: carries the key.
  Answer step(crm::Source& source, const mapping::Mapper& mapper, const mapping::DataColumn& column,
              TimePoint now);

 private:
  static constexpr Later kGotOn{{}, true};
  struct Idle {};
  enum class Stage { by_activity, by_key, by_transaction };
  struct Check {
    TimePoint begun, from;
    bool wide = false;         // of the whole window of the push
    std::size_t controls = 0;  // how many of those known as sent are looked for
    bool young = false;        // they are: the service need not list them yet
    Stage stage = Stage::by_activity;
    std::optional<PageWalk> walk = {};         // in this stage; empty: the next step begins it
    std::optional<PageWalk::Read> page = {};   // of a list, read and not stored yet
    std::vector<std::string> ask = {};         // keys of the stage by_key; the last one is next
    bool unknown = false;                      // a record hides its key
    bool lists_something = false;              // any record
    bool lists_bare = false;                   // a page without its list
    std::string left_out = {};                 // what was not answered; empty: nothing
    int walks = 1;                             // of this stage
    std::int64_t found = 0, found_before = 0;  // in all, before this walk
    // What the walks have shown, and what they had before this one: what was met in one that is
    // read again proves nothing.
    struct Shown {
      std::map<std::string, TimePoint> missing = {};  // sent, and not met yet
      bool added = false;  // the list by activity has customers that were only added
      // Customers of this walk, and of the open part of its window.
      std::set<std::int64_t> ids = {}, ids_of_part = {};
      bool moved = false;  // in this walk
    } shown = {}, before = {};

    void begin_stage(Stage next);
    void forget_walk();  // it is read again
  };

  std::optional<TimePoint> remembered();
  void remember(TimePoint begun);
  Check begin();
  TimePoint first_date(TimePoint begun);
  PageWalk walk_of(const Check& check, const mapping::DataColumn& column) const;
  std::optional<Answer> ask(const mapping::DataColumn& column, TimePoint now);
  Answer store_page(crm::Source& source, const mapping::Mapper& mapper,
                    const mapping::DataColumn& column, TimePoint now);
  Answer after_trouble(service::Trouble trouble);
  Answer after_walk(const mapping::DataColumn& column);
  bool is_proved_by_activity() const;
  Answer after_key(const mapping::Page& page, const mapping::DataColumn& column);
  void walk_by_transaction();
  Answer finish();
  Answer unproven(const std::string& lack, const std::string& why);
  bool is_let_go(const std::string& lack);
  std::int64_t doubt(const std::vector<crm::Ledger::Sighting>& listed, crm::Source& source,
                     const mapping::Mapper& mapper, TimePoint now);

  const config::Push& push_;
  std::string owner_;
  JobContext& context_;
  bool due_ = true;
  std::string seen_batch_;  // the last one of all pushes, when the ledger was looked at last
  // Hashes of the keys that this process sent last, and of those before them.
  std::unordered_set<std::size_t> claimed_, claimed_before_;
  std::variant<Idle, Check> state_;
};

// What the brake says when the check has found something, and how it begins when it could not be
// made.
std::string restored_text(std::int64_t found);
inline constexpr std::string_view kNotKnown =
    "it is not known whether the ledger is older than the service: ";

}  // namespace surveybridge::daemon
