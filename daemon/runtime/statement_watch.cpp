#include "daemon/runtime/statement_watch.hpp"

#include <algorithm>
#include <string_view>

namespace surveybridge::daemon {

namespace {

thread_local std::string this_thread;

// A job that had to give up its work may not repeat the call.
constexpr Duration kFailureCounts = std::chrono::minutes{1};
// A statement that fails after so long has waited for a lock; SQLite waits for five seconds.
constexpr Duration kWaited = std::chrono::seconds{4};

bool reads_nothing(const std::string& what) {
  return what == StatementWatch::kConnect || what == StatementWatch::kBegin ||
         what == StatementWatch::kClock;
}

bool is_of_a_name(char c) {
  constexpr std::string_view kMarks = "_.\"`[]$";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kMarks.find(c) != std::string_view::npos;
}

bool is_from(std::string_view word) {
  return word == "FROM" || word == "from" || word == "From";
}

// The name behind the first FROM that has one, not a subquery; empty: there is none.
std::string first_table(std::string_view sql) {
  constexpr std::string_view kBlank = " \n\t\r";
  constexpr std::size_t kLongest = 60;
  bool named = false;
  for (std::size_t at = 0; (at = sql.find_first_not_of(kBlank, at)) != std::string_view::npos;) {
    const auto word = sql.substr(at, sql.find_first_of(kBlank, at) - at);
    const auto end = std::ranges::find_if_not(word, is_of_a_name) - word.begin();
    if (named && end > 0)
      return std::string(word.substr(0, std::min(static_cast<std::size_t>(end), kLongest)));
    named = is_from(word);
    at += word.size();
  }
  return "";
}

// The verb and the table that a statement of ours changes; empty: it changes none. The operator's
// queries stand behind a SELECT.
std::string change_in(std::string_view sql) {
  constexpr std::string_view kBetween = " \n\t\r(", kMarks = "\"`[]";
  if (sql.starts_with("SELECT")) return "";
  std::string_view before, verb;
  for (std::size_t at = 0; (at = sql.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
    const auto word = sql.substr(at, sql.find_first_of(kBetween, at) - at);
    if (!verb.empty() && word != "INTO" && word != "FROM") {
      std::string table(word.begin(), std::ranges::find_if_not(word, is_of_a_name));
      std::erase_if(table, [&](char c) { return kMarks.find(c) != std::string_view::npos; });
      return std::string(verb) + " " + table;
    }
    const bool changes = word == "UPDATE" || word == "INSERT" || word == "DELETE";
    if (verb.empty() && changes && before != "FOR") verb = word;
    before = word;
    at += word.size();
  }
  return "";
}

}  // namespace

std::string first_words(const std::string& sql) {
  if (std::string change = change_in(sql); !change.empty()) return change;
  constexpr std::string_view kOurs = "survey_";
  const auto ours = sql.find(kOurs);
  if (ours != std::string::npos) {
    const auto end = sql.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", ours);
    return sql.substr(0, sql.find_first_of(" \n")) + " " + sql.substr(ours, end - ours);
  }
  const std::string verb = sql.substr(0, sql.find_first_of(" \n"));
  const std::string table = first_table(sql);
  return table.empty() ? verb : verb + " " + table;
}

void name_this_thread(const std::string& job) {
  this_thread = job;
}

const std::string& name_of_this_thread() {
  return this_thread;
}

StatementWatch::UnderWay::UnderWay(StatementWatch& watch, const std::string& database,
                                   std::string what)
    : watch_(watch) {
  const std::lock_guard lock(watch_.mutex_);
  watch_.calls_.push_front({database, this_thread, std::move(what), watch_.clock_()});
  at_ = watch_.calls_.begin();
}

StatementWatch::UnderWay::~UnderWay() {
  const bool failed = std::uncaught_exceptions() > exceptions_;
  watch_.recorder_.database_call(at_->job, watch_.clock_() - at_->at, failed);
  const std::lock_guard lock(watch_.mutex_);
  watch_.ended(*at_, failed);
  watch_.calls_.erase(at_);
}

// Within the lock. A new session owes nothing to the calls of the one before.
void StatementWatch::ended(const Begun& begun, bool failed) {
  const Failure own_call{begun.database, begun.job, begun.what};
  if (failed) {
    auto& failures = reads_nothing(begun.what) ? failed_ : timed_out_;
    Failed& row = failures.try_emplace(own_call, Failed{begun.at, begun.at}).first->second;
    if (begun.at - row.at >= kFailureCounts) row.begun = begun.at;  // another row
    row.at = clock_();
    row.lasted = row.at - begun.at;
    return;
  }
  timed_out_.erase(own_call);
  if (begun.what != kRollback) {  // which reports no failure
    last_answer_[begun.database] = clock_();
    ++answered_[begun.job];
  }
  std::erase_if(failed_, [&](const auto& each) {
    const Failure& old = each.first;
    if (old.database != begun.database) return false;
    const bool connected = begun.what == kConnect;
    const bool own = old.job == begun.job && (old.what == begun.what || connected);
    return own || old.what == kConnect;
  });
}

std::uint64_t StatementWatch::answered(const std::string& job) const {
  const std::lock_guard lock(mutex_);
  const auto found = answered_.find(job);
  return found == answered_.end() ? 0 : found->second;
}

std::vector<StatementWatch::Call> StatementWatch::older_than(Duration age) const {
  const std::lock_guard lock(mutex_);
  const Duration now = clock_();
  std::vector<Call> old;
  for (const auto& [call, failed] : timed_out_) {
    const bool waited = failed.lasted >= kWaited && failed.at - failed.begun > age;
    const bool goes_on = now - failed.at < kFailureCounts || is_repeated(call, failed);
    if (waited && goes_on)
      old.push_back({call.job, call.what, now - failed.begun,
                     has_answered_since(call.database, failed.begun)});
  }
  for (const Begun& call : calls_) {
    if (now - call.at > age)
      old.push_back(
          {call.job, call.what, now - call.at, has_answered_since(call.database, call.at)});
  }
  return old;
}

// Within the lock: lately, and well after it. What was under way when a database went away may have
// been answered last.
bool StatementWatch::has_answered_since(const std::string& database, Duration begun) const {
  const auto last = last_answer_.find(database);
  return last != last_answer_.end() && last->second - begun >= kWaited &&
         clock_() - last->second < kFailureCounts;
}

// Within the lock: the next try is under way.
bool StatementWatch::is_repeated(const Failure& call, const Failed& failed) const {
  return std::ranges::any_of(calls_, [&](const Begun& other) {
    return other.job == call.job && other.what == call.what &&
           other.at - failed.at < kFailureCounts;
  });
}

std::vector<StatementWatch::Call> StatementWatch::unanswered(Duration age) const {
  auto calls = older_than(age);
  std::erase_if(calls, [](const Call& call) { return !reads_nothing(call.what); });
  const std::lock_guard lock(mutex_);
  const Duration now = clock_();
  for (const auto& [call, failed] : failed_) {
    if (now - failed.at < kFailureCounts)
      calls.push_back({call.job, call.what, now - failed.begun, false});
  }
  return calls;
}

}  // namespace surveybridge::daemon
