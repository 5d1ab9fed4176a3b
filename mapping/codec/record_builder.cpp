#include "mapping/codec/record_builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "config/text.hpp"
#include "mapping/codec/enumerations.hpp"
#include "mapping/codec/formats.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

constexpr std::size_t kMostHeard = 10'000;  // members that the description does not have

// 0: it is none.
std::int64_t number_in(std::string_view text) {
  return config::to_number<std::int64_t>(trimmed(text)).value_or(0);
}

}  // namespace

bool RecordBuilder::begin_object() {
  if (!deeper()) return false;
  if (passing_over()) return pass_over();
  if (frames_.empty()) {
    frames_.push_back({&root_});
    return true;
  }
  if (belongs_nowhere()) return pass_over();
  Frame& frame = frames_.back();
  if (!begin_item(frame)) return false;
  const Field& wanted_here = *frame.field;
  if (wanted_here.type != Type::object || wanted_here.list != frame.list) {
    return misplaced("an object") && pass_over();
  }
  if (frame.list ? !count_item() : !count_value()) return false;
  auto& records = frame.record->slots[frame.record->resource->index(wanted_here)].records;
  // A record does not move while its frame is open: the next items are added later.
  Record& made = records.emplace_back(*wanted_here.of);
  frames_.push_back({&made});
  return true;
}

bool RecordBuilder::begin_list() {
  if (!deeper()) return false;
  if (passing_over()) return pass_over();
  if (frames_.empty()) return fail("expected an object, got a list");
  if (belongs_nowhere()) return pass_over();
  Frame& frame = frames_.back();
  if (!begin_item(frame)) return false;
  if (!frame.field->list || frame.list) return misplaced("a list") && pass_over();
  has_list_ = has_list_ || frames_.size() == 1;
  frames_.push_back({frame.record, {}, frame.field, true});
  return true;
}

bool RecordBuilder::end() {
  --depth_;
  if (passing_over()) {
    --passed_over_;
  } else {
    if (!frames_.back().list) frames_.back().record->slots.trim();
    const bool item = reading_.set_aside && frames_.size() == 3 && in_item();
    if (item) end_item();
    frames_.pop_back();
  }
  return true;
}

// The item's record is the last of its list; what is wrong with it takes it out of there.
void RecordBuilder::end_item() {
  Frame& list = frames_[1];
  auto& records = list.record->slots[list.record->resource->index(*list.field)].records;
  Record& record = records.back();
  const Field& key = record.resource->fields.front();
  if (!item_fault_ && key.type == Type::integer && is_null(record.slots[0].value)) {
    frames_[2].field = &key;
    item_fault_ = Malformed{place(), "is missing"};
    note_unread();
  }
  if (!item_fault_) return;
  Record partial = std::move(record);
  records.pop_back();
  set_aside(*std::exchange(item_fault_, std::nullopt), std::move(partial));
}

void RecordBuilder::set_aside(Malformed fault, Record partial) {
  unreadable_.push_back({std::move(fault), std::move(partial), "", std::exchange(unread_, {})});
  wants_raw_ = true;
}

// The present member of the root or item, whatever in it is wrong.
void RecordBuilder::note_unread() {
  const std::size_t record = reading_.set_aside ? 2 : 0;
  if (frames_.size() <= record || frames_[record].field == nullptr) return;
  unread_.set(frames_[record].record->resource->index(*frames_[record].field));
}

void RecordBuilder::raw(std::string_view text) {
  unreadable_.back().raw = config::first_bytes(text, kRawBytes);
  wants_raw_ = false;
}

void RecordBuilder::member_within(std::string_view name) {
  if (is_about_page()) note_foreign(name);
}

void RecordBuilder::attribute(std::string_view name, std::string_view text) {
  if (frames_.size() > 1) return;
  note_foreign(name);
  hear_foreign({Token::Kind::markup, text});
}

bool RecordBuilder::member(std::string_view name) {
  if (passing_over()) {
    if (passed_over_ == 1) member_within(name);
    return true;
  }
  Frame& frame = frames_.back();
  const Resource& resource = *frame.record->resource;
  frame.field = resource.find(name);
  if (frames_.size() == 1) {
    ++(frame.field == nullptr ? foreign_ : known_);
    note_foreign(frame.field == nullptr ? name : std::string_view());
    is_about_page_ = foreign_tells_ == Tells::page;
  }
  if (frame.field == nullptr) return true;
  const auto index = resource.index(*frame.field);
  if (frame.seen[index]) {
    if (!fail("came twice in one object")) return false;
    frame.field = nullptr;
    return true;
  }
  frame.seen[index] = true;
  return true;
}

bool RecordBuilder::lacks_scalar(std::string_view name) const {
  if (passing_over() || frames_.empty()) return false;
  const Frame& frame = frames_.back();
  const Resource& resource = *frame.record->resource;
  const Field* found = resource.find(name);
  return found != nullptr && !found->list && found->type != Type::object &&
         !frame.seen[resource.index(*found)];
}

bool RecordBuilder::scalar(Token token) {
  if (passing_over() || belongs_nowhere()) {
    if (frames_.size() == 1) hear_foreign(token);
    return true;
  }
  const bool null = token.kind == Token::Kind::null;
  if (frames_.empty()) return fail("expected an object, got a single value");
  Frame& frame = frames_.back();
  if (!begin_item(frame)) return false;
  const Field& wanted_here = *frame.field;
  if (!frame.list && null) return true;
  if (null) return misplaced("null");
  if (wanted_here.type == Type::object || wanted_here.list != frame.list) {
    return misplaced("a single value");
  }
  auto read = read_scalar(wanted_here.type, token, reading_.time_zone);
  if (auto* rule = std::get_if<std::string>(&read)) return fail(std::move(*rule));
  auto& [value, finer] = std::get<Scalar>(read);
  finer_ = finer_ || finer;
  auto* choice = std::get_if<Enumerator>(&value);
  if (choice != nullptr && reading_.names != nullptr)
    complete(*choice, wanted_here.name, *reading_.names);
  return store(std::move(value));
}

bool RecordBuilder::store(Value value) {
  if (is_null(value) && !frames_.back().list) return true;
  if (!count_value()) return false;
  const Frame& frame = frames_.back();
  Slot& slot = frame.record->slots[frame.record->resource->index(*frame.field)];
  if (!frame.list) {
    slot.value = std::move(value);
    return true;
  }
  if (is_null(value)) return misplaced("a blank");
  slot.values.push_back(std::move(value));
  return count_item();
}

bool RecordBuilder::pass_over() {
  ++passed_over_;
  return true;
}

// What is passed over within an item costs nothing, however deep it is.
bool RecordBuilder::deeper() {
  return ++depth_ <= reading_.limits.depth || (reading_.set_aside && in_item()) ||
         give_up(fmt::format("nested more than {} deep", reading_.limits.depth));
}

// Every item of the root's list counts, also one that is no object.
bool RecordBuilder::begin_item(Frame& frame) {
  if (!frame.list) return true;
  ++frame.count;
  return frames_.size() != 2 || frame.count <= reading_.limits.page ||
         give_up(fmt::format("more than {} items in one page", reading_.limits.page));
}

// By its name, whatever the case of its letters and what separates them.
RecordBuilder::Tells RecordBuilder::told_by(std::string_view name) {
  static constexpr struct {
    Tells tells;
    std::string_view words;
  } kWords[] = {
      {Tells::whole, " complete iscomplete ready isready "},
      {Tells::part,
       " partial ispartial partialresult partialresults incomplete isincomplete incompleteresult "
       "incompleteresults timedout istimedout degraded isdegraded stale isstale limitexceeded "
       "limitreached "},
      // Beside a cursor they are how some services say that it leads to another page.
      {Tells::more,
       " more hasmore morepages hasmorepages moreresults hasmoreresults moreitems hasmoreitems "
       "morerecords hasmorerecords moredata hasmoredata moreavailable hasnext hasnextpage "
       "truncated istruncated next nextpage nextcursor nextlink nexttoken nexturl nextpagelink "
       "nextpagetoken nextpageurl nextrecordsurl nextposition nextkey odatanextlink "
       "continuation continuationtoken resumptiontoken "},
      {Tells::end, " islast islastpage isdone "},
      {Tells::last, " last done "},
      {Tells::last_page, " lastpage "},
      {Tells::total,
       " count total totalcount totalitems totalrecords totalresults totalelements totalhits "
       "totalsize totalrows totalcustomers itemcount recordcount odatacount xtotalcount xtotal "},
      {Tells::pages, " totalpages pagecount pages numpages numberofpages xtotalpages xpagecount "},
      {Tells::page,
       " meta metadata responsemetadata responsestatus paging pagination page pager pageinfo "
       "links "},
  };
  std::string word = " ";
  for (const char c : config::lower_case(name.substr(0, 64)))
    if (std::string_view(" -_.@").find(c) == std::string_view::npos) word += c;
  word += ' ';
  for (const auto& [tells, words] : kWords)
    if (words.find(word) != std::string_view::npos) return tells;
  return Tells::nothing;
}

void RecordBuilder::note_foreign(std::string_view name) {
  foreign_tells_ = told_by(name);
  failure_told_by_ = ++heard_ <= kMostHeard ? failure_told_by(name) : FailureToldBy::nothing;
}

void RecordBuilder::hear_foreign(const Token& token) {
  // What stands deeper in the member has another name.
  const bool is_its_own = passed_over_ <= (is_about_page_ ? 1U : 0U);
  if (is_its_own || failure_told_by_ == FailureToldBy::failure)
    has_failed_ = has_failed_ || tells_failure(failure_told_by_, token.text);
  switch (foreign_tells_) {
    case Tells::nothing:
    case Tells::page:
      break;
    case Tells::whole:
      is_partial_ = is_partial_ || reads_false(token.text);
      break;
    case Tells::part:
      is_partial_ = is_partial_ || !says_nothing(token.text);
      break;
    case Tells::more:
      has_more_ = has_more_ || !says_nothing(token.text);
      break;
    case Tells::end:
      has_more_ = has_more_ || reads_false(token.text);
      break;
    case Tells::total:
      total_ = std::max(total_, number_in(token.text));
      break;
    case Tells::pages:
      pages_ = std::max(pages_, number_in(token.text));
      break;
    case Tells::last_page:  // as a number it says how many there are
      pages_ = std::max(pages_, number_in(token.text));
      [[fallthrough]];
    case Tells::last:  // as a number it is that of a page
      has_more_ = has_more_ || (reads_false(token.text) && trimmed(token.text) != "0");
      break;
  }
}

bool RecordBuilder::count_item() {
  return ++items_ <= reading_.limits.items ||
         give_up(fmt::format("more than {} items in one body", reading_.limits.items));
}

bool RecordBuilder::count_value() {
  return ++values_ <= reading_.limits.values ||
         give_up(fmt::format("more than {} values in one body", reading_.limits.values));
}

bool RecordBuilder::misplaced(std::string_view got) {
  const Frame& frame = frames_.back();
  const bool list = frame.field->list && !frame.list;
  return fail(fmt::format("expected {}, got {}", list ? "a list" : wanted(frame.field->type), got));
}

// Of several faults in an item the first is told. An item that is no object has nothing to read.
bool RecordBuilder::fail(std::string rule) {
  note_unread();
  // The items of a page do not depend on its cursor.
  if (reading_.set_aside && frames_.size() == 1 && frames_[0].field->type == Type::text)
    return store(std::string(kNoText));
  const bool before_items = frames_.size() == 2 && frames_[1].count == 0;
  if (!reading_.set_aside || !in_item() || before_items) return give_up(std::move(rule));
  Malformed fault{place(), std::move(rule)};
  if (frames_.size() == 2) {
    unread_.set();
    set_aside(std::move(fault), Record(*frames_[1].field->of));
  } else if (!item_fault_) {
    item_fault_ = std::move(fault);
  }
  return true;
}

bool RecordBuilder::give_up(std::string rule) {
  failure_ = {place(), std::move(rule)};
  return false;
}

bool RecordBuilder::break_off(std::string rule) {
  failure_ = {place(), std::move(rule), true};
  return false;
}

std::string RecordBuilder::place() const {
  std::string path;
  for (const Frame& frame : frames_) {
    if (frame.list) {
      if (frame.count > 0) path += fmt::format("[{}]", frame.count - 1);
    } else if (frame.field != nullptr) {
      path += (path.empty() ? "" : ".") + std::string(frame.field->name);
    }
  }
  return path;
}

}  // namespace surveybridge::mapping
