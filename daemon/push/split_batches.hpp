// Keys that were refused together and go again as batches of their own. A batch that is taken out
// comes back by itself, unless it was said to be done.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace surveybridge::daemon {

class SplitBatches {
 public:
  using Keys = std::vector<std::string>;

  // A batch taken out. Goes back to the front when it is destroyed before done().
  class Taken {
   public:
    Taken() = default;  // none
    Taken(Taken&& other) noexcept
        : from_(std::exchange(other.from_, nullptr)), keys_(std::move(other.keys_)) {}
    Taken& operator=(Taken&& other) noexcept;
    ~Taken() { give_back(); }

    explicit operator bool() const { return from_ != nullptr; }
    const Keys& keys() const { return keys_; }
    void done() { from_ = nullptr; }

   private:
    friend class SplitBatches;
    Taken(SplitBatches& from, Keys keys) : from_(&from), keys_(std::move(keys)) {}
    void give_back() noexcept;

    SplitBatches* from_ = nullptr;
    Keys keys_;
  };

  // The batch in front; none where nothing waits.
  Taken take();
  // These go next, in their order.
  void add(const std::vector<Keys>& batches);

 private:
  std::deque<Keys> waiting_;
};

}  // namespace surveybridge::daemon
