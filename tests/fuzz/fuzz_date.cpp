// Reads a date as a service or a database writes it, also as a local time in a zone.
#include "mapping/values/dates.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using namespace surveybridge::mapping;

constexpr const char* kZones[] = {
    "UTC",         "Europe/Amsterdam", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
    "Pacific/Apia"};

constexpr LocalTime kFirst{std::chrono::local_days{std::chrono::year{1} / 1 / 2}};
constexpr LocalTime kLast{std::chrono::local_days{std::chrono::year{9999} / 12 / 31}};

// Some local times do not exist; none moves farther than the day that Apia left out in 2011. At
// both ends of the calendar the instant stays inside it.
void check_zone(LocalTime local, const char* zone) {
  if (local < kFirst || local >= kLast) return;
  const Instant instant = in_zone(local, zone);
  const auto away = to_zone(instant, zone) - local;
  fuzz::promise(away >= std::chrono::hours{0} && away <= std::chrono::hours{24},
                "a wall clock is read as it is, or past the gap it lies in");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const char* zone = kZones[fuzz::choice(text, std::size(kZones))];
  const auto read = read_date(text);
  if (!read) return 0;
  if (const auto* instant = std::get_if<Instant>(&read->value)) {
    const auto again = read_date(write_instant(*instant));
    fuzz::promise(again && again->value == Value(*instant) && !again->finer,
                  "an instant is what is written of it");
  }
  if (const auto* local = std::get_if<LocalTime>(&read->value)) {
    const auto again = read_date(write_local(*local));
    fuzz::promise(again && again->value == Value(*local), "a clock is what is written of it");
    check_zone(*local, zone);
  }
  return 0;
}
