#include "tests/config/dump.hpp"

#include <fmt/format.h>

#include "config/clock.hpp"

namespace surveybridge::config {
namespace {

class Lines {
 public:
  void add(const std::string& key, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("{}: {}\n", key, value);
  }
  void add(const std::string& key, Milliseconds value) {
    if (value.count() > 0) add(key, write_duration(value));
  }
  void add(const std::string& key, const std::vector<std::string>& values) {
    for (const std::string& value : values)
      add(key, value);
  }
  void add(const std::string& key, std::optional<bool> value) {
    if (value) add(key, std::string(*value ? "true" : "false"));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The word for an enumerator, by its position.
template <class E>
std::string word(E value, std::initializer_list<const char*> words) {
  return words.begin()[static_cast<std::size_t>(value)];
}

std::string shown(const Date& date) {
  const auto day = std::chrono::floor<std::chrono::days>(date.local);
  const std::chrono::year_month_day ymd(day);
  std::string text = fmt::format("{:04}-{:02}-{:02} +{}us", static_cast<int>(ymd.year()),
                                 static_cast<unsigned>(ymd.month()),
                                 static_cast<unsigned>(ymd.day()), (date.local - day).count());
  if (date.offset) text += fmt::format(" offset {}m", date.offset->count());
  return text;
}

std::string shown(const Constant& constant) {
  struct {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return fmt::format("real {}", value); }
    std::string operator()(const std::string& value) const { return "\"" + value + "\""; }
    std::string operator()(const Date& value) const { return shown(value); }
  } show;
  return std::visit(show, constant);
}

std::string shown(const Secret& secret) {
  constexpr const char* kFrom[] = {"", "credential ", "file ", "env ", "plain "};
  return kFrom[static_cast<int>(secret.from)] + secret.name;
}

std::string shown(const FieldSource& source) {
  std::string text;
  if (!source.column.empty()) text += " column " + source.column;
  for (const Piece& piece : source.pieces)
    text += piece.column.empty() ? " text \"" + piece.text + "\"" : " cell " + piece.column;
  if (source.value) text += " value " + shown(*source.value);
  if (source.fallback) text += " default " + shown(*source.fallback);
  if (source.required != FieldSource::Required::no)
    text += " required" + word(source.required, {"", "", " skip"});
  if (source.html) text += " html";
  if (!source.split.empty())
    text += fmt::format(" split \"{}\" part {}", source.split, source.part);
  if (source.trim) text += " trim";
  text += source.lower ? " lower" : source.upper ? " upper" : "";
  if (source.address) text += " address";
  for (const Meaning& meaning : source.meanings)
    text += fmt::format(" map \"{}\" to {}", meaning.from, shown(meaning.to));
  if (source.otherwise) text += " otherwise " + shown(*source.otherwise);
  if (source.number != FieldSource::Number::plain)
    text += " number " + word(source.number, {"", "comma", "point"});
  if (source.boolean)
    text += fmt::format(" true {} false {}", fmt::join(source.boolean->yes, " "),
                        fmt::join(source.boolean->no, " "));
  if (!source.date.empty()) text += " date " + source.date;
  if (!source.zone.empty()) text += " zone " + source.zone;
  if (!source.folder.empty()) text += " folder " + source.folder;
  if (source.max_bytes) text += fmt::format(" max_bytes {}", *source.max_bytes);
  if (source.max_length) text += fmt::format(" max_length {}", *source.max_length);
  if (source.plus.count() > 0) text += " plus " + write_duration(source.plus);
  if (source.at) text += fmt::format(" at {}m", source.at->count());
  if (source.not_before) text += " not_before " + shown(*source.not_before);
  return text.empty() ? "" : text.substr(1);
}

struct FilterText {
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::string>& values) const {
    return fmt::format("{}", fmt::join(values, " "));
  }
  std::string operator()(const Filter::Dates& dates) const {
    return (dates.from ? shown(*dates.from) : "") + " to " + (dates.to ? shown(*dates.to) : "");
  }
  std::string operator()(const std::vector<Filter::Column>& all) const {
    std::string text;
    for (const auto& [column, value] : all)
      text += fmt::format("[{}={}]", column, value);
    return text;
  }
  std::string operator()(const std::vector<Filter::Answer>& all) const {
    std::string text;
    for (const auto& answer : all)
      for (const auto& [member, values] : answer.members)
        text += fmt::format("[{}={}]", member, (*this)(values));
    return text;
  }
};

void add(Lines& lines, const std::string& at, const FieldMap& map) {
  for (const FieldRule& rule : map.rules) {
    const std::string key = at + "." + rule.field;
    lines.add(key, shown(rule.source));
    for (std::size_t i = 0; i < rule.scalars.size(); ++i) {
      lines.add(fmt::format("{}[{}]", key, i), shown(rule.scalars[i]));
    }
    for (std::size_t i = 0; i < rule.items.size(); ++i) {
      add(lines, fmt::format("{}[{}]", key, i), rule.items[i]);
    }
  }
}

void add(Lines& lines, const Auth& auth) {
  if (auth.kind == Auth::Kind::none) return;
  lines.add("auth.kind", word(auth.kind, {"none", "oauth2", "bearer", "header", "basic"}));
  lines.add("auth.token_url", auth.token_url);
  lines.add("auth.client_id", auth.client_id);
  lines.add("auth.client_secret", shown(auth.client_secret));
  lines.add("auth.scope", auth.scope);
  if (auth.secret_in == Auth::SecretIn::basic) lines.add("auth.secret_in", std::string("basic"));
  lines.add("auth.token", shown(auth.token));
  lines.add("auth.header", auth.header);
  lines.add("auth.user", auth.user);
  lines.add("auth.password", shown(auth.password));
}

std::string shown(const ServiceDialect& dialect) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}",
                     word(dialect.members, {"dot", "bracket"}), dialect.from, dialect.to,
                     word(dialect.lists, {"repeat", "indexed", "comma"}),
                     word(dialect.dates, {"utc", "offset", "date"}), dialect.data_filter_column,
                     dialect.data_filter_value, dialect.query_bytes, dialect.xml_namespace,
                     dialect.xml_list_namespace, dialect.statuses_path, dialect.columns_path);
}

void add(Lines& lines, const Service& service) {
  lines.add("service.base_url", service.base_url);
  lines.add("service", fmt::format("format {} zone {} timeout {} max_body {} pace {} {}",
                                   word(service.format, {"json", "xml"}), service.time_zone,
                                   write_duration(service.timeout), service.max_body,
                                   service.pace.max_in_flight, service.pace.max_per_second));
  if (service.pace.separate_limits) lines.add("service.pace.separate_limits", std::string("true"));
  lines.add("service.ca_file", service.ca_file);
  if (service.client_certificate.set()) {
    lines.add("service.client_certificate", shown(service.client_certificate));
    lines.add("service.client_key", shown(service.client_key));
  }
  add(lines, service.auth);
  if (const std::string dialect = shown(service.dialect); dialect != shown(ServiceDialect{})) {
    lines.add("dialect", dialect);
  }
  for (const auto& [field, names] : service.enumerations)
    for (const auto& [number, name] : names)
      lines.add("enumerations." + field, fmt::format("{} {}", number, name));
}

void add(Lines& lines, const Batch& batch) {
  lines.add("batch", fmt::format("size {} bytes {}", batch.size, batch.bytes));
  lines.add("batch.ApproveAutomatically", batch.approve_automatically);
  lines.add("batch.AllowDuplicateEmail", batch.allow_duplicate_email);
  lines.add("batch.IsTest", batch.is_test);
  lines.add("batch.IsConcept", batch.is_concept);
  if (batch.end_date) lines.add("batch.EndDate", shown(*batch.end_date));
  lines.add("batch.SendTime", batch.send_time);
  lines.add("batch.TypeBatch", batch.type_batch);
  lines.add("batch.NotificationEmailAddresses", batch.notification_email_addresses);
  lines.add("batch.BatchName", batch.batch_name);
  lines.add("batch.test_domains", batch.test_domains);
}

void add(Lines& lines, const Push& push) {
  lines.add("push", push.name);
  lines.add("query", push.query);
  lines.add("when, key", fmt::format("{}, {}", push.when, push.key));
  lines.add("start", shown(push.start));
  lines.add("times",
            fmt::format("every {} look_back {} settle {} doubt {}", write_duration(push.every),
                        write_duration(push.look_back), write_duration(push.settle),
                        word(push.doubt, {"hold", "resend"})));
  lines.add("correlate", push.correlate);
  if (!push.brake) lines.add("brake", std::string("off"));
  if (push.max_per_hour) lines.add("max_per_hour", std::to_string(*push.max_per_hour));
  if (push.expect.by == Expect::By::nothing) lines.add("expect", std::string("nothing"));
  if (push.expect.by == Expect::By::number)
    lines.add("expect", fmt::format("{} in {} days", push.expect.rows, push.expect.days));
  if (push.in_flight != 1) lines.add("in_flight", std::to_string(push.in_flight));
  if (!push.notify.empty()) lines.add("notify", push.notify);
  if (push.send_window) {
    lines.add("send_window", fmt::format("{}m to {}m", push.send_window->from.count(),
                                         push.send_window->to.count()));
  }
  if (push.sample < 1)
    lines.add("sample",
              fmt::format("{} by {}", push.sample, word(push.sample_by, {"key", "person"})));
  if (push.quota)
    lines.add("quota", fmt::format("{} of {} per {}", push.quota->most, push.quota->column,
                                   word(push.quota->per, {"day", "week", "month"})));
  std::string send_days, closed;
  for (const auto day : push.send_days)
    send_days += fmt::format("{}{}", send_days.empty() ? "" : " ", day.c_encoding());
  for (const auto day : push.closed)
    closed += (closed.empty() ? "" : " ") + std::to_string(day.time_since_epoch().count());
  if (!send_days.empty()) lines.add("send_days", send_days);
  if (!closed.empty()) lines.add("closed", closed);
  add(lines, push.batch);
  add(lines, "customer", push.customer);
  for (const DataRule& rule : push.data)
    lines.add("Data." + rule.column, shown(rule.source));
}

void add(Lines& lines, const Report::Mail& mail) {
  const Schedule& every = mail.every;
  lines.add("report.mail",
            fmt::format("{} through {} each {} {} at {} min csv {} words {}", mail.name,
                        mail.through, word(every.each, {"day", "week", "month"}),
                        every.weekday.c_encoding(), every.at.count(), mail.csv, mail.words));
  lines.add("report.mail.to", mail.receiver.mail);
  lines.add("report.mail.by",
            mail.receiver.name + " " + mail.receiver.from + " " + mail.receiver.server);
}

void add(Lines& lines, const Report& report) {
  for (const auto& question : report.questions)
    lines.add("report.question",
              fmt::format("{} \"{}\" kind {} scale {} {}", question.id, question.label,
                          static_cast<int>(question.kind), question.low.value_or(-1),
                          question.high.value_or(-1)));
  for (const auto& segment : report.segments)
    lines.add("report.segment", segment);
  for (const auto& column : report.hidden)
    lines.add("report.hidden", column);
  if (report.keep_history != Report{}.keep_history)
    lines.add("report.keep_history", write_duration(report.keep_history));
  lines.add("report.language", report.language);
  for (const Report::Mail& mail : report.mails)
    add(lines, mail);
  if (report.questions.empty() && report.segments.empty()) return;
  lines.add("report",
            fmt::format("week_starts {} least {} answer_days {}",
                        static_cast<int>(report.week_starts), report.least, report.answer_days));
}

void add(Lines& lines, const LedgerSettings& ledger) {
  if (ledger.keep_events != LedgerSettings{}.keep_events)
    lines.add("ledger.keep_events", write_duration(ledger.keep_events));
}

void add(Lines& lines, const Suppress& suppress) {
  lines.add("suppress", fmt::format("opted_out {} stale_after {}", suppress.opted_out,
                                    write_duration(suppress.stale_after)));
  if (const auto& bounced = suppress.bounced) {
    lines.add("suppress.bounced", fmt::format("hard {} soft {}", bounced->hard, bounced->soft));
    lines.add("suppress.hard_words", bounced->hard_words);
  }
  for (const auto& contact : suppress.contact) {
    lines.add("suppress.contact", fmt::format("{} days of {} since {} then {}", contact.days,
                                              word(contact.of, {"any", "same"}),
                                              word(contact.since, {"invitation", "answer"}),
                                              word(contact.then, {"block", "delay"})));
  }
  for (const auto& list : suppress.lists) {
    lines.add(list.section() + ".query", list.query);
    lines.add(list.section() + ".column", list.column);
    lines.add(list.section() + ".for", list.pushes);
  }
}

std::string shown(const WalkSettings& walk) {
  std::string text = "by " + walk.by;
  if (walk.every) text += " every " + write_duration(*walk.every);
  if (walk.overlap) text += " overlap " + write_duration(*walk.overlap);
  if (walk.look_back) text += " look_back " + write_duration(*walk.look_back);
  if (walk.from) text += " from " + shown(*walk.from);
  for (const Filter& filter : walk.filters)
    text += " " + filter.name + "=" + std::visit(FilterText{}, filter.value);
  return text;
}

std::string shown(const Write::Condition& condition) {
  std::string text = condition.path;
  for (const auto& constant : condition.any_of)
    text += " " + shown(constant);
  for (const auto& [is, number] : condition.bounds)
    text += fmt::format(" {} {}", word(is, {"<", "<=", ">=", ">"}), number);
  return text;
}

void add(Lines& lines, const FollowUp& follow_up) {
  lines.add("follow_up", follow_up.name + " within " + write_duration(follow_up.within));
  for (const auto& conditions : follow_up.when) {
    std::string all;
    for (const auto& condition : conditions)
      all += (all.empty() ? "" : " and ") + shown(condition);
    lines.add("follow_up.when", all);
  }
  lines.add("follow_up.to", follow_up.to);
  for (const auto& field : follow_up.fields)
    lines.add("follow_up." + field.label, field.path);
  lines.add("follow_up.link", follow_up.link);
}

void add(Lines& lines, const Pull& pull) {
  lines.add("pull", pull.name);
  lines.add("times", fmt::format("every {} limit {} max_pages {}", write_duration(pull.every),
                                 pull.limit, pull.max_pages));
  if (pull.from) lines.add("from", shown(*pull.from));
  lines.add("by", pull.by);
  for (const Filter& filter : pull.filters)
    lines.add("filter." + filter.name, std::visit(FilterText{}, filter.value));
  if (pull.list != Pull::List::bouncers) lines.add("overlap", pull.overlap);
  lines.add("look_back", pull.look_back);
  if (pull.keep) lines.add("keep", *pull.keep);
  for (const WalkSettings& walk : pull.walks)
    lines.add("walk." + walk.name, shown(walk));
  for (const Write& write : pull.writes) {
    lines.add("write", write.table);
    for (const auto& cell : write.match)
      lines.add("match." + cell.column, cell.path);
    for (const auto& cell : write.set) {
      lines.add("set." + cell.shown(),
                cell.path + (cell.value ? "a value" : "") + (cell.meanings.empty() ? "" : " map") +
                    (cell.date.empty() ? "" : " date " + cell.date) +
                    (cell.one_way ? " one way" : "") + (cell.max_length ? " cut" : ""));
    }
    for (const auto& condition : write.when)
      lines.add("when", shown(condition));
    if (write.insert) lines.add("insert", std::string("true"));
    if (!write.push.empty()) lines.add("push", write.push + " by " + write.correlate);
    if (write.feedback != Write::Feedback::original)
      lines.add("feedback",
                std::string(write.feedback == Write::Feedback::second ? "second" : "both"));
    if (write.forget != Write::Forget::nothing)
      lines.add("forget", std::string(write.forget == Write::Forget::empties ? "true" : "delete"));
  }
  for (const FollowUp& follow_up : pull.follow_ups)
    add(lines, follow_up);
}

void add(Lines& lines, const Receiver& receiver) {
  lines.add("alert", receiver.name);
  lines.add("alert.mail", receiver.mail);
  lines.add("alert.from", receiver.from);
  lines.add("alert.server", receiver.server);
  if (receiver.password.set())
    lines.add("alert.login", receiver.user + " " + shown(receiver.password));
  if (receiver.webhook.set())
    lines.add("alert.webhook",
              shown(receiver.webhook) + " as " + word(receiver.form, {"json", "slack", "teams"}));
  lines.add("alert.ca_file", receiver.ca_file);
  if (receiver.kinds && receiver.kinds->empty()) lines.add("alert.kind", std::string("none"));
  for (const AlertKind kind : receiver.kinds.value_or(std::vector<AlertKind>{}))
    lines.add("alert.kind", std::string(kAlertKinds.at(static_cast<std::size_t>(kind))));
  if (receiver.daily) lines.add("alert.daily", fmt::format("{} min", receiver.daily->count()));
}

}  // namespace

std::string dump(const Settings& settings) {
  Lines lines;
  add(lines, settings.service);
  lines.add("crm", shown(settings.crm.connection) + " zone " + settings.crm.time_zone +
                       (settings.crm.connections == config::Crm{}.connections
                            ? ""
                            : " connections " + std::to_string(settings.crm.connections)) +
                       (settings.crm.statement_timeout == config::Crm{}.statement_timeout
                            ? ""
                            : fmt::format(" statement_timeout {} s",
                                          settings.crm.statement_timeout.count() / 1000)));
  for (const Push& push : settings.pushes)
    add(lines, push);
  for (const Pull& pull : settings.pulls)
    add(lines, pull);
  if (settings.suppress) add(lines, *settings.suppress);
  add(lines, settings.report);
  add(lines, settings.ledger);
  if (settings.status) {
    lines.add("status", fmt::format("{} port {}", settings.status->listen.host,
                                    settings.status->listen.port));
    for (const auto& host : settings.status->hosts)
      lines.add("status.host", host);
    if (settings.status->token.set()) lines.add("status.token", shown(settings.status->token));
    if (settings.status->report) lines.add("status.report", std::string("true"));
  }
  for (const Receiver& receiver : settings.alerts)
    add(lines, receiver);
  return lines.text();
}

}  // namespace surveybridge::config
