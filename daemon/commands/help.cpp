#include "daemon/commands/help.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/sections/load.hpp"
#include "config/text.hpp"
#include "daemon/commands/embedded_files.hpp"

namespace surveybridge::daemon {

namespace {

using Words = std::vector<std::string>;

// A thing with a name and what is said of it.
struct Topic {
  std::string name, meaning;  // shown
  std::string text;           // searched as well
  int found = 0;              // how often, or more where the name has the words
};

// What a newcomer may type, and the words that the commands, settings and documents have for it.
struct OtherWords {
  const char* typed;  // beginnings of words, in small letters
  const char* ours;
};
constexpr OtherWords kOtherWords[] = {
    {"blacklist", "suppress"},
    {"blocklist", "suppress"},
    {"cron", "sync"},
    {"debug", "log"},
    {"delete", "erase"},
    {"docker", "container"},
    {"dry run", "changes nothing"},
    {"dryrun", "changes nothing"},
    {"duplicate", "twice"},
    {"fast", "pace"},
    {"gdpr", "erase"},
    {"hang", "wait"},
    {"migrat", "move"},
    {"opt out", "opted out"},
    {"opt out", "suppress"},
    {"optout", "opted out"},
    {"optout", "suppress"},
    {"readonly", "read only"},
    {"resume", "goes on"},
    {"slow", "pace"},
    {"ssl", "tls"},
    {"stuck", "trouble"},
    {"stuck", "wait"},
    {"throttl", "pace"},
    {"timezone", "time zone"},
    {"tz", "time zone"},
    {"unsubscrib", "opted out"},
    {"unsubscrib", "suppress"},
    {"verbose", "log"},
};

// "opt-out" and "opt out" are two words. None of them is empty: that would be everywhere.
Words words_in(const std::string& text) {
  Words words;
  constexpr const char* kBetween = " -";
  for (auto at = text.find_first_not_of(kBetween); at != std::string::npos;) {
    const auto end = std::min(text.find_first_of(kBetween, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBetween, end);
  }
  return words;
}

int times_begun(const std::string& text, const std::string& word) {
  int times = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0) ++times;
  return times;
}

// Nothing where one of the words is missing.
int times_found(const std::string& text, const Words& words) {
  int least = -1;
  for (const auto& word : words) {
    const int times = times_begun(text, word);
    least = least < 0 ? times : std::min(least, times);
  }
  return std::max(least, 0);
}

// The words as typed, and with each of kOtherWords in the place of what it stands for.
std::vector<Words> wordings_of(const Words& typed) {
  std::vector<Words> all = {typed};
  for (const auto& other : kOtherWords) {
    const auto is_begun = [](const std::string& word, const std::string& beginning) {
      return word.starts_with(beginning);
    };
    const Words known = words_in(other.typed), ours = words_in(other.ours);
    const auto found =
        std::search(typed.begin(), typed.end(), known.begin(), known.end(), is_begun);
    if (found == typed.end()) continue;
    Words wording(typed.begin(), found);
    wording.insert(wording.end(), ours.begin(), ours.end());
    wording.insert(wording.end(), found + static_cast<std::ptrdiff_t>(known.size()), typed.end());
    all.push_back(std::move(wording));
  }
  return all;
}

int times_found(const std::string& text, const std::vector<Words>& wordings) {
  int most = 0;
  for (const Words& words : wordings)
    most = std::max(most, times_found(text, words));
  return most;
}

std::string found_list(const std::string& title, std::vector<Topic> topics,
                       const std::vector<Words>& words, std::size_t most) {
  constexpr int kNamed = 1'000'000;
  for (auto& topic : topics) {
    const std::string name = config::lower_case(topic.name);
    const std::string all = name + "\n" + config::lower_case(topic.meaning + "\n" + topic.text);
    topic.found = times_found(name, words) > 0 ? kNamed : times_found(all, words);
  }
  std::erase_if(topics, [](const Topic& topic) { return topic.found == 0; });
  if (topics.empty()) return "";
  std::ranges::stable_sort(topics, std::ranges::greater{}, &Topic::found);
  std::string out = title + ":\n";
  for (std::size_t i = 0; i < std::min(most, topics.size()); ++i) {
    const auto& [name, meaning, text, found] = topics[i];
    out += meaning.empty() ? fmt::format("  {}\n", name)
                           : fmt::format("  {}\n      {}\n", name, meaning);
  }
  if (topics.size() > most) out += fmt::format("  … and {} more\n", topics.size() - most);
  return out;
}

std::vector<Topic> command_topics(const ProgramText& program) {
  std::vector<Topic> topics;
  for (const auto& command : program.commands) {
    Topic topic{program.name + " " + command.name, command.meaning, ""};
    for (const auto& option : command.options)
      topic.text += fmt::format("{} {}\n", option.names.back(), option.meaning);
    for (const auto& example : command.examples)
      topic.text += example.does + "\n";
    topics.push_back(std::move(topic));
  }
  return topics;
}

// A setting of several sections stands once, in the first of them.
std::vector<Topic> setting_topics() {
  std::vector<Topic> topics;
  std::set<std::string> shown;
  for (const auto& setting : config::description())
    if (shown.insert(setting.key + "\n" + setting.meaning).second)
      topics.push_back(
          {config::heading_of(setting.section) + " " + setting.key, setting.meaning, ""});
  return topics;
}

std::string_view next_line(std::string_view& rest) {
  const auto end = std::min(rest.find('\n'), rest.size());
  const auto line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

void add_sections(const EmbeddedFile& document, std::vector<Topic>& topics) {
  bool in_block = false;  // where a line that begins with # is a comment
  for (std::string_view rest = document.text; !rest.empty();) {
    const auto line = next_line(rest);
    if (line.starts_with("```")) in_block = !in_block;
    if (!in_block && line.starts_with('#')) {
      const auto heading = line.substr(line.find_first_not_of("# "));
      topics.push_back({fmt::format("{}: {}", document.name, heading), "", ""});
    } else if (!topics.empty()) {
      topics.back().text.append(line).append("\n");
    }
  }
}

}  // namespace

std::string help_about(const std::vector<std::string>& words, const ProgramText& program) {
  Words typed;
  for (const auto& given : words)
    for (auto& word : words_in(config::lower_case(given)))
      typed.push_back(std::move(word));
  const auto wanted = wordings_of(typed);
  std::vector<Topic> sections;
  for (const auto& document : documents())
    add_sections(document, sections);
  constexpr std::size_t kMost = 12;
  const std::string found =
      found_list("Commands", command_topics(program), wanted, kMost) +
      found_list("Settings (man surveybridge.toml)", setting_topics(), wanted, kMost) +
      found_list("Sections of documents (/usr/share/doc/surveybridge)", sections, wanted, kMost);
  std::string others;  // else a reader wonders where the word stands
  for (auto other = wanted.begin() + 1; other != wanted.end(); ++other)
    others += fmt::format("{}\"{}\"", others.empty() ? "" : ", ", fmt::join(*other, " "));
  if (found.empty() || others.empty()) return found;
  return "Searched, too: " + others + "\n" + found;
}

}  // namespace surveybridge::daemon
