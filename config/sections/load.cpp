#include "config/sections/load.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "config/file.hpp"
#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"
#include "config/service_list.hpp"
#include "config/text.hpp"
#include "config/toml/node.hpp"

namespace surveybridge::config {

namespace {

constexpr std::size_t kLargestFile = 1024 * 1024;

void store_pull(std::vector<Pull>& pulls, Pull pull) {
  pulls.push_back(std::move(pull));
}

Kind<std::vector<Pull>> pulls() {
  using Pulls = std::vector<Pull>;
  Keys<Pulls> keys;
  for (const ServiceList& each : service_lists()) {
    keys.push_back(key(each.name, store_pull, pull_section(each.list), each.meaning));
  }
  return section<Pulls>(std::move(keys));
}

bool pulled(const Node::Table& root, const char* list) {
  const Entry* pulls = find(root, "pull");
  const auto* lists = pulls == nullptr ? nullptr : pulls->node.as<Node::Table>();
  return lists != nullptr && find(*lists, list) != nullptr;
}

// A filter that chooses among the rows hides people. Test records hide nobody.
void check_whole(const Trail& trail, const Pull& pull) {
  for (const Filter& filter : pull.filters) {
    if (!hides_rows(filter.name)) continue;
    trail.key("pull")
        .key(pull.name)
        .key("filter")
        .key(filter.name)
        .wrong(filter.place, "hides people whom [suppress] must know: put it into a [[pull." +
                                 pull.name + ".walk]]");
  }
}

// A write that belongs to a push knows its transactions by the data column that carries the key.
void resolve_pushes(const Trail& trail, Settings& settings) {
  for (Pull& pull : settings.pulls) {
    for (std::size_t i = 0; i < pull.writes.size(); ++i) {
      Write& write = pull.writes[i];
      if (write.push.empty()) continue;
      const Trail at = trail.key("pull").key(pull.name).key("write").item(i).key("push");
      const auto push = std::ranges::find(settings.pushes, write.push, &Push::name);
      if (push == settings.pushes.end()) {
        at.wrong(write.place, "there is no [push." + write.push + "]");
      } else if (push->correlate.empty()) {
        at.wrong(write.place,
                 "[push." + write.push + "] has no correlate: nobody knows its records");
      } else {
        write.correlate = push->correlate;
      }
    }
  }
}

void check_receivers(const Trail& trail, const Settings& settings) {
  for (const Pull& pull : settings.pulls)
    for (const FollowUp& follow_up : pull.follow_ups)
      for (const std::string& receiver : follow_up.to)
        if (std::ranges::find(settings.alerts, receiver, &Receiver::name) == settings.alerts.end())
          trail.key("pull")
              .key(pull.name)
              .key("follow_up")
              .key(follow_up.name)
              .key("to")
              .wrong(follow_up.place, "there is no [alert." + receiver + "]");
}

void check_lists(const Trail& trail, const Settings& settings) {
  for (const Suppress::List& list : settings.suppress->lists)
    for (const std::string& push : list.pushes)
      if (std::ranges::find(settings.pushes, push, &Push::name) == settings.pushes.end())
        trail.key("suppress")
            .key("lists")
            .key(list.name)
            .key("for")
            .wrong(list.place, "there is no [push." + push + "]");
}

// A report takes the way of a receiver to its own addresses.
void resolve_mails(const Node::Table& root, const Trail& trail, Settings& settings) {
  for (Report::Mail& mail : settings.report.mails) {
    const Trail at = trail.key("report").key("mail").key(mail.name);
    if (!pulled(root, "customers"))
      at.wrong(mail.place, "needs [pull.customers], which brings the answers");
    if (mail.through.empty()) continue;
    const auto receiver = std::ranges::find(settings.alerts, mail.through, &Receiver::name);
    if (receiver == settings.alerts.end()) {
      at.key("through").wrong(mail.place, "there is no [alert." + mail.through + "]");
    } else if (receiver->webhook.set()) {
      at.key("through").wrong(mail.place, "[alert." + mail.through + "] sends no mail");
    } else {
      mail.receiver = *receiver;
      mail.receiver.name = mail.name;
      mail.receiver.mail = mail.to;
    }
  }
}

// Who must not be mailed is known from what the pulls bring: without them it would be a promise
// that nobody keeps.
void check_feeds(const Node::Table& root, const TextPlace&, const Trail& trail,
                 Settings& settings) {
  resolve_pushes(trail, settings);
  if (!settings.suppress) return;
  check_lists(trail, settings);
  const Suppress& suppress = *settings.suppress;
  const Trail at = trail.key("suppress");
  if (suppress.needs_customers() && !pulled(root, "customers")) {
    at.wrong(suppress.place, "needs [pull.customers], which says who opted out or answered");
  }
  if (suppress.needs_bouncers() && !pulled(root, "bouncers")) {
    at.wrong(suppress.place, "needs [pull.bouncers], which says whose mail bounced");
  }
  for (const Pull& pull : settings.pulls) {
    using People = ServiceList::People;
    const People people = description_of(pull.list).people;
    const bool customers = people == People::customer && suppress.needs_customers();
    const bool bouncers = people == People::bouncer && suppress.needs_bouncers();
    if (customers || bouncers) check_whole(trail, pull);
  }
}

// A customer is recognised by the value of the correlate column. Another push that fills the same
// column could make a lost transaction look as if it had arrived.
void check_told_apart(const Trail& trail, const Settings& settings) {
  for (std::size_t i = 0; i < settings.pushes.size(); ++i) {
    const Push& push = settings.pushes[i];
    if (push.correlate.empty()) continue;
    for (std::size_t j = 0; j < settings.pushes.size(); ++j) {
      const Push& other = settings.pushes[j];
      if (i == j) continue;
      const Trail at = trail.key("push").key(other.name);
      const std::string why = "is the correlate column of push \"" + push.name +
                              "\" too: their customers could not be told apart. Give each push a "
                              "data column of its own; where the service has no other, ask it for "
                              "one";
      if (j > i && same_ignoring_case(push.correlate, other.correlate))
        at.key("correlate").wrong(other.place, why);
      for (const DataRule& rule : other.data) {
        if (same_ignoring_case(other.correlate, push.correlate)) continue;
        if (same_ignoring_case(rule.column, push.correlate))
          at.key("customer").key("Data").key(rule.column).wrong(rule.place, why);
      }
    }
  }
}

void check_together(const Node::Table& root, const TextPlace& place, const Trail& trail,
                    Settings& settings) {
  check_feeds(root, place, trail, settings);
  resolve_mails(root, trail, settings);
  check_told_apart(trail, settings);
  check_receivers(trail, settings);
  check_written_columns(trail, settings);
}

constexpr std::size_t kIncludedMost = 32;  // files
constexpr std::size_t kIncludesDeepest = 8;

Kind<std::vector<std::string>> includes() {
  const auto path = text_that("a path", [](const std::string& text) {
    return !text.empty() && text.size() < 4096 && !has_control(text);
  });
  auto kind = list_of("a path, or a list of paths", path);
  kind.form = Form::table;  // which files are read stands in the file
  kind.schema = R"({"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]})";
  kind.read = [list = kind.read](const Node& node, const Trail& trail) {
    const bool one = node.as<std::string>() != nullptr;
    return list(one ? Node{node.place, Node::List{node}} : node, trail);
  };
  return kind;
}

void ignore_paths(Settings&, std::vector<std::string>) {}

// What `ours` says stays. Sections are joined key by key; a list, and a table in braces, is one
// value.
void add_missing(Node::Table& ours, Node::Table theirs) {
  for (Entry& entry : theirs) {
    const auto mine = std::ranges::find(ours, entry.key, &Entry::key);
    if (mine == ours.end()) {
      ours.push_back(std::move(entry));
      continue;
    }
    auto* here = std::get_if<Node::Table>(&mine->node.value);
    auto* there = std::get_if<Node::Table>(&entry.node.value);
    const bool sections = here != nullptr && there != nullptr;
    if (sections && !mine->node.in_line && !entry.node.in_line)
      add_missing(*here, std::move(*there));
  }
}

// Reads what a file includes, and what those include, into its root.
class Includes {
 public:
  explicit Includes(std::vector<Problem>& found) : trail_(Trail(found).key("include")) {}

  void add_to(Node& root, const std::string& file) {
    auto& table = std::get<Node::Table>(root.value);
    const auto entry = std::ranges::find(table, "include", &Entry::key);
    if (entry == table.end()) return;
    const Node node = std::move(entry->node);
    table.erase(entry);
    const auto paths = includes().read(node, trail_);
    if (!paths) return;
    under_way_.push_back(real_path(file));
    // Of two included files the later one wins.
    for (auto path = paths->rbegin(); path != paths->rend(); ++path)
      add_file(path_beside(file, *path), node.place, table);
    under_way_.pop_back();
  }

 private:
  void add_file(const std::string& file, const TextPlace& place, Node::Table& table) {
    if (std::ranges::find(under_way_, real_path(file)) != under_way_.end())
      return trail_.wrong(place, quoted(file) + " includes itself");
    if (under_way_.size() > kIncludesDeepest)
      return trail_.wrong(place, fmt::format("goes deeper than {} files", kIncludesDeepest));
    if (++read_ > kIncludedMost)
      return trail_.wrong(place, fmt::format("comes to more than {} files", kIncludedMost));
    const auto text = read_file(file, kLargestFile);
    if (const auto* refused = std::get_if<FileRefused>(&text))
      return trail_.wrong(place, quoted(file) + " " + refused->why);
    auto toml = read_toml(std::get<FileText>(text).text, file);
    if (auto* problem = std::get_if<Problem>(&toml)) return trail_.add(std::move(*problem));
    auto& root = std::get<Node>(toml);
    add_to(root, file);
    add_missing(table, std::get<Node::Table>(std::move(root.value)));
  }

  Trail trail_;
  std::vector<std::string> under_way_;
  std::size_t read_ = 0;
};

std::vector<Problem> sorted(std::vector<Problem> problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.place.file, a.place.line, a.place.column) <
           std::tie(b.place.file, b.place.line, b.place.column);
  });
  return problems;
}

std::vector<Problem> whole_file(const std::string& file, std::string rule) {
  return {{{file, 0, 0}, "", std::move(rule)}};
}

bool is_in(const Problem& problem, const std::string& section) {
  return problem.key == section || problem.key.starts_with(section + ".") ||
         problem.key.starts_with(section + "[");
}

void leave_out_wrong(PartlyRight& loaded) {
  const auto wrong = [&](const std::string& section) {
    return std::ranges::any_of(loaded.problems,
                               [&](const Problem& each) { return is_in(each, section); });
  };
  Settings& settings = loaded.settings;
  loaded.crm = !wrong("crm");
  loaded.service = std::ranges::none_of(loaded.problems, [](const Problem& each) {
    return is_in(each, "service") && !is_in(each, "service.pace");
  });
  std::erase_if(settings.pushes,
                [&](const Push& push) { return wrong(dotted("push", push.name)); });
  std::erase_if(settings.pulls, [&](const Pull& pull) { return wrong(dotted("pull", pull.name)); });
  std::erase_if(settings.alerts,
                [&](const Receiver& alert) { return wrong(dotted("alert", alert.name)); });
  std::erase_if(settings.report.mails,
                [&](const Report::Mail& mail) { return wrong(dotted("report.mail", mail.name)); });
  if (wrong("suppress")) settings.suppress.reset();
  if (wrong("status")) settings.status.reset();
}

std::variant<Settings, std::vector<Problem>> whole(PartlyRight loaded) {
  if (!loaded.problems.empty()) return std::move(loaded.problems);
  return std::move(loaded.settings);
}

}  // namespace

const Kind<Settings>& root_section() {
  static const Kind<Settings> kind = section<Settings>(
      {
          // The key is read before, and is gone then.
          key("include", ignore_paths, includes(),
              "further files, relative to this one and under the same rules of owner and rights; 8 "
              "deep and 32 in all. What this file says wins, then what a later one of them says. "
              "Sections are joined key by key, lists and tables in braces are not. A problem names "
              "the file and line where it stands"),
          required(key("service", &Settings::service, service_section(), "the survey service")),
          required(key("crm", &Settings::crm, crm_section(), "the CRM's database")),
          key("store", &Settings::store, store_section(),
              "another place for the bridge's own tables: without it they are in the CRM's "
              "database"),
          key("ledger", &Settings::ledger, ledger_section(),
              "the bridge's record of each transaction"),
          key("push", &Settings::pushes, named_tables("push", "a push's", push_section()),
              "what goes out"),
          key("pull", &Settings::pulls, pulls(), "what comes back"),
          key("suppress", &Settings::suppress, suppress_section(), "whom no push may reach"),
          key("status", &Settings::status, status_section(), "the page where a person looks"),
          key("alert", &Settings::alerts, named_tables("alert", "a receiver's", receiver_section()),
              "who is told what needs a person"),
          key("report", &Settings::report, report_section(), "what the reports show"),
      },
      check_together);
  return kind;
}

PartlyRight parse_in_parts(std::string_view text, const std::string& file) {
  if (text.size() > kLargestFile) {
    return {whole_file(file, fmt::format("is larger than {} bytes", kLargestFile)), {}};
  }
  auto toml = read_toml(text, file);
  if (const auto* problem = std::get_if<Problem>(&toml)) return {{*problem}, {}};
  Node& root = std::get<Node>(toml);
  root.place = {file, 0, 0};  // what the document lacks is at no line of it
  std::vector<Problem> found;
  Includes(found).add_to(root, file);
  auto settings = root_section().read(root, Trail(found));
  PartlyRight loaded{sorted(std::move(found)), *std::move(settings)};
  loaded.settings.file = file;
  leave_out_wrong(loaded);
  return loaded;
}

std::variant<Settings, std::vector<Problem>> parse(std::string_view text, const std::string& file) {
  return whole(parse_in_parts(text, file));
}

PartlyRight load_in_parts(const std::string& file) {
  const auto read = read_file(file, kLargestFile);
  if (const auto* refused = std::get_if<FileRefused>(&read))
    return {whole_file(file, refused->why), {}};
  return parse_in_parts(std::get<FileText>(read).text, file);
}

std::variant<Settings, std::vector<Problem>> load(const std::string& file) {
  return whole(load_in_parts(file));
}

std::vector<Setting> description() {
  std::vector<Setting> settings = root_section().inside("", Settings{});
  for (Setting& setting : source().inside("a source", FieldSource{})) {
    settings.push_back(std::move(setting));
  }
  for (Setting& setting : cell_section().inside("a cell", Write::Cell{})) {
    settings.push_back(std::move(setting));
  }
  return settings;
}

std::string heading_of(const std::string& section) {
  if (section.empty()) return "At the top";
  if (section.find(' ') != std::string::npos) return section;
  const bool repeats =
      section.ends_with(".walk") || section.ends_with(".write") || section == "report.question";
  return repeats ? "[[" + section + "]]" : "[" + section + "]";
}

}  // namespace surveybridge::config
