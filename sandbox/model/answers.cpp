#include "sandbox/model/answers.hpp"

#include <algorithm>
#include <array>

namespace sandbox {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kRecommend = 1200, kDelivery = 1201, kImprove = 1202, kPhoto = 1203,
                       kChannels = 1204;

constexpr std::array<Question, 5> kQuestions = {{
    {kRecommend, "6f1c1d52-7c0e-4f5e-9d0a-0b9a52f61200", "Recommendation",
     "How likely are you to recommend us?", 0, 10},
    {kDelivery, "6f1c1d52-7c0e-4f5e-9d0a-0b9a52f61201", "Delivery",
     "How satisfied are you with the delivery?", 1, 5},
    {kImprove, "6f1c1d52-7c0e-4f5e-9d0a-0b9a52f61202", "Improvement", "What could we do better?", 0,
     0},
    {kPhoto, "6f1c1d52-7c0e-4f5e-9d0a-0b9a52f61203", "Photo", "Would you like to show us?", 0, 0},
    {kChannels, "6f1c1d52-7c0e-4f5e-9d0a-0b9a52f61204", "Channels",
     "How do you like to be reached? Best first.", 1, 3},
}};

struct Remark {
  std::string_view text, category, sub_category;
  int sentiment;
};

constexpr int kNegative = 0, kNeutral = 1, kPositive = 2;
constexpr std::array<Remark, 8> kRemarks = {{
    {"The parcel was left in the rain.", "Delivery", "Condition", kNegative},
    {"Called twice, nobody\r\ncould help me.", "Service", "Telephone", kNegative},
    {"The manual is missing a page.", "Product", "Manual", kNegative},
    {"It did what it should.", "Product", "Quality", kNeutral},
    {"No opinion.", "Other", "None", kNeutral},
    {"All went well, thank you!", "Service", "General", kPositive},
    {"Très bien emballé, livré à l'heure 👍", "Delivery", "Packaging", kPositive},
    {"Prijs < kwaliteit & \"snel\" geleverd", "Price", "Value", kPositive},
}};

// What a remark has to agree with: detractors, passives and promoters. Without a score: neutral.
int sentiment_in(const std::vector<Answer>& answers) {
  const auto found = std::ranges::find(answers, kRecommend, &Answer::question);
  if (found == answers.end() || found->positions.empty()) return kNeutral;
  const auto score = found->positions.front().value.value_or(0);
  if (score <= 6) return kNegative;
  return score <= 8 ? kNeutral : kPositive;
}

constexpr std::array<std::string_view, 3> kChannelNames = {"E-mail", "Telephone", "Letter"};

// A quarter of those who finish write a text, drawn for each question.
class Respondent {
 public:
  Respondent(const Customer& customer, std::uint64_t seed) : customer_(customer), seed_(seed) {}

  // `before`: what this customer has answered until now.
  Answer answer(const Question& question, TimePoint when, const std::vector<Answer>& before) const {
    Answer answer;
    answer.question = question.id;
    answer.answered = when;
    if (question.id == kImprove) return remark(std::move(answer), sentiment_in(before));
    if (question.id == kPhoto) return photo(std::move(answer));
    if (question.id == kChannels) return channels(std::move(answer));
    return grade(question, std::move(answer));
  }

 private:
  const Customer& customer_;
  std::uint64_t seed_;

  double draw(const Answer& answer, std::uint64_t purpose) const {
    return chance(seed_, customer_.id, static_cast<std::uint64_t>(answer.question) * 8 + purpose);
  }

  std::int64_t pick(const Answer& answer, std::uint64_t purpose, std::int64_t count) const {
    return static_cast<std::int64_t>(draw(answer, purpose) * static_cast<double>(count));
  }

  Answer grade(const Question& question, Answer answer) const {
    // Better scores are drawn more often.
    const double luck = std::max(draw(answer, 0), draw(answer, 1));
    const int steps = question.highest - question.lowest + 1;
    const std::int64_t value = question.lowest + static_cast<std::int64_t>(luck * steps);
    answer.positions.push_back(
        {position_id(question.id, value), std::to_string(value), value, std::nullopt});
    return answer;
  }

  Answer remark(Answer answer, int sentiment) const {
    const auto first = std::ranges::lower_bound(kRemarks, sentiment, {}, &Remark::sentiment);
    const auto last = std::ranges::upper_bound(kRemarks, sentiment, {}, &Remark::sentiment);
    const Remark& said = *(first + pick(answer, 0, last - first));
    answer.text = said.text;
    answer.categories.push_back(
        {std::string(said.category), std::string(said.sub_category), said.sentiment});
    return answer;
  }

  Answer photo(Answer answer) const {
    if (draw(answer, 0) > 0.1) return answer;
    FileAnswer file;
    file.id = customer_.id * 10;
    file.answer_id = customer_.id * 100 + 3;
    file.name = "photo \u00fc.png";
    file.content = "iVBORw0KGgo=";  // the first eight bytes of a PNG
    file.size = 8;
    file.type = "image/png";
    answer.files.push_back(std::move(file));
    return answer;
  }

  Answer channels(Answer answer) const {
    const std::int64_t first = pick(answer, 0, 3);
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      const std::int64_t channel = (first + rank) % 3;
      answer.positions.push_back({position_id(answer.question, channel + 1),
                                  std::string(kChannelNames[static_cast<std::size_t>(channel)]),
                                  channel + 1, rank + 1});
    }
    return answer;
  }
};

bool already(const std::vector<Answer>& answers, std::int64_t question) {
  return std::any_of(answers.begin(), answers.end(),
                     [&](const Answer& answer) { return answer.question == question; });
}

constexpr std::array<std::string_view, 4> kReviews = {"None", "Pending", "Approved", "Rejected"};
constexpr std::array<std::string_view, 4> kForms = {"None", "New", "InProgress", "Closed"};
constexpr std::array<std::string_view, 2> kNotes = {"InteractionByUser", "InteractionBySystem"};
constexpr std::array<std::string_view, 3> kSentiments = {"Negative", "Neutral", "Positive"};

template <typename Names>
Enumeration entry(const Names& names, int number) {
  return {number, names[static_cast<std::size_t>(number)]};
}

}  // namespace

const Question* find_question(std::int64_t id) {
  const auto found = std::find_if(kQuestions.begin(), kQuestions.end(),
                                  [&](const Question& question) { return question.id == id; });
  return found == kQuestions.end() ? nullptr : &*found;
}

std::int64_t position_id(std::int64_t question, std::int64_t value) {
  return question * 100 + value;
}

std::vector<Answer> answers_of(const Customer& customer, std::uint64_t seed, TimePoint now) {
  std::vector<Answer> answers = customer.in.answers;
  const auto partly = customer.life.at(Step::partly_answered, now);
  const auto finished = customer.life.at(Step::finished, now);
  if (!partly && !finished) return answers;
  const Respondent respondent(customer, seed);
  for (const Question& question : kQuestions) {
    const bool early = question.id == kRecommend || question.id == kDelivery;
    const auto when = early && partly ? partly : finished;
    if (!when || already(answers, question.id)) continue;
    answers.push_back(respondent.answer(question, *when, answers));
  }
  return answers;
}

Enumeration as_enumeration(ReviewStatus status) {
  return entry(kReviews, static_cast<int>(status));
}
Enumeration as_enumeration(FormStatus status) {
  return entry(kForms, static_cast<int>(status));
}
Enumeration as_enumeration(NoteType type) {
  return entry(kNotes, static_cast<int>(type));
}
Enumeration sentiment(int value) {
  return entry(kSentiments, value);
}

std::optional<ReviewStatus> find_review_status(std::string_view text) {
  for (std::size_t number = 0; number < kReviews.size(); ++number) {
    if (text == kReviews[number] || text == std::to_string(number)) {
      return static_cast<ReviewStatus>(number);
    }
  }
  return std::nullopt;
}

ReviewStatus review_status(const Customer& customer, TimePoint now) {
  const Life& life = customer.life;
  if (!life.reviewed || !life.at(Step::finished, now)) return ReviewStatus::none;
  if (life.at(Step::review_approved, now)) return ReviewStatus::approved;
  return life.at(Step::review_rejected, now) ? ReviewStatus::rejected : ReviewStatus::pending;
}

FormStatus form_status(const Customer& customer, TimePoint now) {
  const Life& life = customer.life;
  if (!life.contact_requested || !life.at(Step::finished, now)) return FormStatus::none;
  if (life.at(Step::contact_settled, now)) return FormStatus::settled;
  return life.at(Step::contact_taken_up, now) ? FormStatus::in_progress : FormStatus::fresh;
}

}  // namespace sandbox
