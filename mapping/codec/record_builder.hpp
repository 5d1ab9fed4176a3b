// Fills a record from the events of a body, whatever its format: a codec says what begins, what a
// member is called and what a scalar's text is; the description says where it belongs. Pure; the
// codecs' own. Bounded: depth, items and values are counted, unknown members are passed over
// unstored. After the first false the builder is done, and failure() says where and why. Where
// Reading says set_aside, a fault within an item of the root's list makes that item unreadable, and
// the building goes on.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/codec/codec.hpp"
#include "mapping/codec/refusal_words.hpp"
#include "mapping/codec/scalar.hpp"

namespace surveybridge::mapping {

class RecordBuilder {
 public:
  RecordBuilder(Record& root, const Reading& reading) : root_(root), reading_(reading) {}

  bool begin_object();
  bool begin_list();
  bool end();  // of an object or a list
  bool member(std::string_view name);
  bool scalar(Token token);
  // The present member is one of the root that describes the page ("Meta", "Paging"): its own
  // members are told by member_within() and unknown().
  bool is_about_page() const { return frames_.size() == 1 && is_about_page_; }
  void member_within(std::string_view name);
  // An attribute of the root, or of a list in it that begins: told like a member of the root.
  void attribute(std::string_view name, std::string_view text);
  // The present member is not in the description, and this is a text in it. True.
  template <typename Text>
  bool unknown(Text text) {
    if (frames_.size() == 1) hear_foreign({Token::Kind::markup, text()});
    return true;
  }

  // Inside an object: the field of the last name; nullptr if the description does not have it.
  const Field* field() const { return frames_.empty() ? nullptr : frames_.back().field; }
  // Inside an object: has the description a field of this name, a single value, that was not told?
  bool lacks_scalar(std::string_view name) const;
  // There were members, and the description has none of them: the body is something else.
  bool is_foreign() const { return foreign_ > 0 && known_ == 0; }
  bool has_foreign() const { return foreign_ > 0; }
  bool has_list() const { return has_list_; }  // of the root, not null
  // The root has a member, which the description does not have, that says that the request failed.
  bool has_failed() const { return has_failed_; }
  // In the same way: that it is not whole ("Partial": true), or that more follows ("HasMore").
  bool is_partial() const { return is_partial_; }
  bool has_more() const { return has_more_; }
  // What it says of the whole list: so many items, so many pages. 0: nothing.
  std::int64_t total() const { return total_; }
  std::int64_t pages() const { return pages_; }
  bool finer() const { return finer_; }

  // This rule is broken at the present place. False: that ends the reading.
  bool fail(std::string rule);
  // Ends the reading, wherever it is.
  bool give_up(std::string rule);
  // The same, because the body is not well-formed.
  bool break_off(std::string rule);
  const Malformed& failure() const { return failure_; }

  // Fields whose value could not be read: of the root, or with set_aside of the item under way.
  const std::bitset<Slots::kMost>& unread() const { return unread_; }
  // Has the item that ended last been set aside, and its text not been told yet?
  bool wants_raw() const { return wants_raw_; }
  void raw(std::string_view text);
  std::vector<Unreadable> take_unreadable() { return std::move(unreadable_); }

 private:
  // An object that is being filled (its current member is `field`), or a list in it.
  struct Frame {
    Record* record;
    std::bitset<Slots::kMost> seen = {};  // members read so far, by field
    const Field* field = nullptr;         // of a list: the list itself
    bool list = false;
    std::size_t count = 0;  // items begun
  };

  // What a member of the root that the description does not have is about.
  enum class Tells { nothing, whole, part, more, end, last, last_page, total, pages, page };
  static Tells told_by(std::string_view name);
  void note_foreign(std::string_view name);

  bool deeper();
  bool begin_item(Frame& frame);
  void hear_foreign(const Token& token);
  bool pass_over();
  bool passing_over() const { return passed_over_ > 0; }
  bool belongs_nowhere() const { return !frames_.empty() && frames_.back().field == nullptr; }
  bool count_item();
  bool count_value();
  bool misplaced(std::string_view got);
  bool in_item() const { return frames_.size() > 1 && frames_[1].list; }
  void end_item();
  void set_aside(Malformed fault, Record partial);
  void note_unread();
  bool store(Value value);
  std::string place() const;

  Record& root_;
  const Reading& reading_;
  std::vector<Frame> frames_;
  std::size_t depth_ = 0;
  std::size_t passed_over_ = 0;  // open containers inside an unknown member
  std::size_t items_ = 0, values_ = 0;
  std::size_t known_ = 0, foreign_ = 0;                     // members of the root
  Tells foreign_tells_ = Tells::nothing;                    // the last one
  FailureToldBy failure_told_by_ = FailureToldBy::nothing;  // it
  std::size_t heard_ = 0;
  bool is_about_page_ = false;  // it is
  bool has_list_ = false, has_failed_ = false, is_partial_ = false, has_more_ = false;
  std::int64_t total_ = 0, pages_ = 0;
  bool finer_ = false;
  Malformed failure_;
  std::optional<Malformed> item_fault_;  // of the item under way
  std::bitset<Slots::kMost> unread_;
  std::vector<Unreadable> unreadable_;
  bool wants_raw_ = false;
};

}  // namespace surveybridge::mapping
