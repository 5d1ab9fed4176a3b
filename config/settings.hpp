// The configuration, checked and typed (docs/CONFIG.md). Plain values; a section that is absent has
// the defaults written here. Every setting is on this page.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/problem.hpp"
#include "config/secret.hpp"

namespace surveybridge::config {

using Milliseconds = std::chrono::milliseconds;

// A TOML date or date-time; without an offset it is read in the CRM's zone.
struct Date {
  std::chrono::local_time<std::chrono::microseconds> local;
  std::optional<std::chrono::minutes> offset;
};

// A TOML scalar used as a constant.
using Constant = std::variant<bool, std::int64_t, double, std::string, Date>;

struct Auth {
  enum class Kind { none, oauth2, bearer, header, basic } kind = Kind::none;
  std::string token_url, client_id, scope;                         // oauth2
  enum class SecretIn { form, basic } secret_in = SecretIn::form;  // oauth2: where the secret goes
  Secret client_secret;
  Secret token;        // bearer, header
  std::string header;  // header: its name
  std::string user;    // basic
  Secret password;
};

struct Pace {
  int max_in_flight = 4;         // 1 to 64
  double max_per_second = 20;    // above 0, at most 1000
  bool separate_limits = false;  // of the service, for reading and for writing
};

// What the service's interface leaves open (docs/SERVICE.md 2.7, 3 and 4.5).
struct ServiceDialect {
  enum class Members { dot, bracket } members = Members::dot;
  std::string from = "From", to = "To";
  enum class Lists { repeat, indexed, comma } lists = Lists::repeat;
  enum class Dates { utc, offset, date } dates = Dates::utc;
  std::string data_filter_column = "CustomerDataColumnId", data_filter_value = "Value";
  int query_bytes = 1800;                         // 200 to 65536
  std::string xml_namespace, xml_list_namespace;  // of what is written; empty: none, the same
  std::string statuses_path = "/external/api/v3/customer/getcustomerstatuses";
  std::string columns_path = "/external/api/v1/customerdatacolumn";
};

// [service.enumerations]: the names of numbers, by the field that has them ("FormStatus").
using NumberNames = std::map<std::int64_t, std::string>;
using EnumerationNames = std::map<std::string, NumberNames, std::less<>>;

struct Service {
  std::string base_url;  // https, or http to this machine only; no trailing slash
  enum class Format { json, xml } format = Format::json;
  std::string time_zone = "UTC";
  Milliseconds timeout = std::chrono::seconds{60};  // 1s to 10m
  std::int64_t max_body = 64 * 1024 * 1024;         // bytes, decoded
  std::string ca_file;                              // own certificate authority, else the system's
  Secret client_certificate, client_key;            // PEM; both or none
  Auth auth;
  Pace pace;
  ServiceDialect dialect;
  EnumerationNames enumerations;
};

struct Crm {
  Secret connection;  // a SOCI connection; may be plain text in the file
  std::string time_zone = "UTC";
  int connections = 4;  // 1 to 1000; the jobs' sessions, of each database
  Milliseconds statement_timeout = std::chrono::seconds{60};  // 5s to 1h
};

// [store]: where the bridge's own tables are, if not beside the CRM's.
struct Store {
  TextPlace place;
  Secret connection;   // none: the CRM's
  std::string schema;  // empty: as the connection has it
};

// A stretch of a template: a text, or the cell of a column.
struct Piece {
  std::string text, column;
};
// One line of a map: what a cell holds, and what becomes of it.
struct Meaning {
  std::string from;
  Constant to;
  TextPlace place;
};
// How a column writes true and false; case does not matter.
struct Words {
  std::vector<std::string> yes, no;
};

// A file's content that a row brings, unless its source says otherwise.
constexpr std::int64_t kFileBytes = 5 * 1024 * 1024;

// Where a field's value comes from, and what becomes of it on its way, in this order. Exactly one
// of column, template and value is set, or only a default.
struct FieldSource {
  TextPlace place;
  std::string column;
  std::vector<Piece> pieces;  // TOML "template": "{first} {last}"
  std::optional<Constant> value;
  bool html = false;  // tags are removed, entities decoded
  std::string split;  // empty: the whole text
  int part = 1;       // of the split text: from 1 on, or from -1 backwards
  bool trim = false;
  bool lower = false, upper = false;
  bool address = false;               // the first e-mail address in the text
  std::vector<Meaning> meanings;      // TOML "map"
  std::optional<Constant> otherwise;  // what the map does not name; unset: the row is no customer
  enum class Number { plain, comma, point } number = Number::plain;  // how the column writes it
  std::optional<Words> boolean;
  std::string date;                       // TOML "date": a pattern such as "%d-%m-%Y"
  std::string zone;                       // of its wall clocks; empty: the CRM's
  std::string folder;                     // the column names a file in it: its content is the value
  std::optional<std::int64_t> max_bytes;  // of a file's content; unset: kFileBytes
  std::optional<Constant> fallback;       // TOML "default": when the column is null or empty
  // Null or empty: the row cannot be a customer, and a person looks at it; skip: it is left out.
  enum class Required { no, yes, skip } required = Required::no;
  Milliseconds plus{0};
  std::optional<std::chrono::minutes> at;  // time of day "10:00" in the zone
  std::optional<Constant> not_before;      // the earliest date: a Date, or a column's name
  std::optional<int> max_length;           // characters; longer is cut
};

struct FieldMap;
// A field's source, an object or list of objects, in the order written.
struct FieldRule {
  std::string field;  // as the service writes it
  TextPlace place;
  FieldSource source;                // scalar
  std::vector<FieldMap> items;       // [[…Answers]] and lists of inline tables
  std::vector<FieldSource> scalars;  // a list of scalars (AnswersToCopy)
};
struct FieldMap {
  TextPlace place;
  std::vector<FieldRule> rules;
};
// One entry of [push.NAME.customer.Data]: data column by name (or number).
struct DataRule {
  std::string column;
  TextPlace place;
  FieldSource source;
};

// [push.NAME.batch], ImportCustomersRequest (2.1). Unset fields are not sent.
struct Batch {
  TextPlace place;
  int size = 100;                        // 1 to 200
  std::int64_t bytes = 4 * 1024 * 1024;  // of one request
  std::optional<bool> approve_automatically, allow_duplicate_email, is_test, is_concept;
  std::optional<Date> end_date;
  std::string send_time;   // "HH:MM"
  std::string type_batch;  // 0, 1, email, portal
  std::vector<std::string> notification_email_addresses;
  std::string batch_name;                 // may hold {date}
  std::vector<std::string> test_domains;  // is_test or is_concept: only these are mailed
};

// Hours of the day by the CRM's wall clock, from the first up to the second; "20:00-06:00" goes
// through midnight.
struct Window {
  std::chrono::minutes from, to;
};

// How many rows of a push are expected.
struct Expect {
  enum class By { history, number, nothing } by = By::history;
  int rows = 0;  // by a number: at least so many, 1 to 1,000,000,
  int days = 0;  // in any so many days: 1 or 7
};

struct Push {
  std::string name;
  TextPlace place;
  Milliseconds every = std::chrono::seconds{30};
  std::string notify;  // a channel of PostgreSQL; empty: none
  std::string query;
  TextPlace query_place;
  std::string key, when;  // columns of the query
  Date start;
  Milliseconds look_back = std::chrono::hours{24 * 7};
  std::string correlate;  // data column that carries the key; empty: none
  Milliseconds settle = std::chrono::minutes{10};
  enum class Doubt { hold, resend } doubt = Doubt::hold;
  bool brake = true;  // a first run, a lost ledger, a changed query or a spike waits for a person
  std::optional<int> max_per_hour;
  // By the calendar day of the CRM's zone, also where the window goes through midnight.
  std::optional<Window> send_window;
  std::vector<std::chrono::weekday> send_days = {};  // empty: every day
  std::set<std::chrono::local_days> closed = {};     // nothing goes out on these
  // Only this share of the transactions is sent, above 0 up to 1: the same ones each time, drawn by
  // their key or their person.
  double sample = 1;
  enum class SampleBy { key, person } sample_by = SampleBy::key;
  // TOML [push.NAME.quota]: of the rows with the same value in a column at most so many are sent in
  // a day, week or month of the CRM's calendar; the others never are.
  struct Quota {
    std::string column;
    int most = 0;  // 1 to 1'000'000
    enum class Per { day, week, month } per = Per::week;
  };
  std::optional<Quota> quota;
  Expect expect;      // what comes, so that it is told when less does
  int in_flight = 1;  // batches that may be on their way at once; 1 to 16
  Batch batch;
  FieldMap customer;  // without Data
  std::vector<DataRule> data;
};

// [[pull.LIST.write]]: an answer back into a table of the CRM's own.
struct Write {
  TextPlace place;
  std::string table;  // "orders" or "sales.orders"
  struct Cell {
    std::string column, path;
    TextPlace place;
    std::optional<Constant> value = {};      // instead of a path
    std::vector<Meaning> meanings = {};      // TOML "map": what the texts at the path become
    std::optional<Constant> otherwise = {};  // what the map does not name; unset: left alone
    std::string date = {};                   // how the text at the path writes a date
    bool one_way = false;                    // only true is written: what is set stays set
    std::optional<int> max_length = {};      // characters of a text; longer is cut
    std::string key = {};                    // of the JSON object in the column; empty: all of it
    std::string shown() const { return shown_cell(column, key); }
  };
  static std::string shown_cell(const std::string& column, const std::string& key) {
    return key.empty() ? column : column + "[" + key + "]";
  }
  std::vector<Cell> match, set;
  // TOML "when": the write is for records that meet all of these.
  struct Bound {
    enum class Is { below, at_most, at_least, above } is;
    double number;
  };
  struct Condition {
    std::string path;
    std::vector<Constant> any_of;  // the value is one of these
    TextPlace place;
    std::vector<Bound> bounds = {};  // or a number within all of these
  };
  std::vector<Condition> when = {};
  bool insert = false;  // a row is made where none matches
  // What `forget` does in the rows of the person's records: it sets these columns to NULL, or
  // removes the rows that were made here and sets these columns of the others to NULL.
  enum class Forget { nothing, empties, deletes } forget = Forget::nothing;
  // Only records of transactions of this push; empty: of all.
  std::string push = {};
  std::string correlate = {};  // of that push: the data column that carries the key
  // Which customers write where the service has asked somebody once more (second feedback).
  enum class Feedback { original, second, both } feedback = Feedback::original;
};

// [pull.LIST.follow_up.NAME]: answers that receivers are told of, each once.
struct FollowUp {
  std::string name;
  TextPlace place;
  std::vector<std::vector<Write::Condition>> when;  // records that meet all of one of these
  std::vector<std::string> to;                      // receivers: [alert.NAME]
  struct Field {
    std::string label, path;
    TextPlace place;
  };
  std::vector<Field> fields;                         // what they see besides number, key and score
  std::string link;                                  // holds {id} and {key}; empty: none
  Milliseconds within = std::chrono::hours{24 * 7};  // an older answer is not told
};

// One parameter of a list operation that a pull asks for besides its window (4.2 to 4.4).
struct Filter {
  struct Dates {
    std::optional<Date> from, to;
  };
  struct Column {
    std::string column, value;  // a data column by name or number
  };
  struct Answer {  // members under the names written: the document shows none
    std::vector<std::pair<std::string, std::vector<std::string>>> members;
  };
  std::string name;  // as the document writes it
  TextPlace place;
  // Numbers and truths as the text that goes out.
  std::variant<std::string, std::vector<std::string>, Dates, std::vector<Column>,
               std::vector<Answer>>
      value;
};

// [[pull.LIST.walk]]: the list once more, by another date or as often as it wants. What it leaves
// unsaid is as the pull says it.
struct WalkSettings {
  TextPlace place;
  std::string name;  // in survey_cursor; `by` where none is given
  std::string by;    // one date filter
  std::optional<Milliseconds> every, overlap, look_back;
  std::optional<Date> from;
  std::vector<Filter> filters;  // besides the pull's
};

struct Pull {
  enum class List { customers, ratings, bouncers } list = List::customers;
  std::string name;  // "customers"
  TextPlace place;
  Milliseconds every = std::chrono::minutes{5};
  std::optional<Date> from;     // required for customers and ratings
  std::vector<std::string> by;  // date filters: "LastActivityDate"
  Milliseconds overlap = std::chrono::hours{24};
  Milliseconds look_back{0};         // bouncers: the window walked again and again
  int limit = 100;                   // 1 to 100
  std::int64_t max_pages = 100'000;  // of one walk
  std::vector<Filter> filters;
  std::vector<WalkSettings> walks;   // besides the one that the keys above describe
  std::optional<Milliseconds> keep;  // what is older is removed, and not stored again
  std::vector<Write> writes;
  std::vector<FollowUp> follow_ups;
};

// [suppress]: whom no push may reach. What the pulls have not brought lately stops every push.
struct Suppress {
  TextPlace place;
  bool opted_out = false;
  struct Bounced {
    bool hard = true;                     // once is enough
    int soft = 3;                         // so many of the others; 0: none
    std::vector<std::string> hard_words;  // a reason that holds one of these is hard, too
  };
  std::optional<Bounced> bounced;
  // At most one invitation a person in so many days.
  struct Contact {
    int days = 0;                              // 1 to 3650
    enum class Of { any, same } of = Of::any;  // pushes that count
    enum class Since { invitation, answer } since = Since::invitation;
    enum class Then { block, delay } then = Then::block;
  };
  std::vector<Contact> contact;
  // Addresses that a query lists: [suppress] itself, and each [suppress.lists.NAME].
  struct List {
    std::string name;  // empty: [suppress]
    TextPlace place;
    std::string query;
    std::string column;  // of the query; empty: those whose values have the form of an address
    std::vector<std::string> pushes;  // TOML "for"; empty: all

    std::string section() const { return name.empty() ? "suppress" : "suppress.lists." + name; }
    bool is_for(const std::string& push) const {
      return pushes.empty() || std::ranges::find(pushes, push) != pushes.end();
    }
  };
  std::vector<List> lists;
  Milliseconds stale_after = std::chrono::hours{24};

  bool needs_customers() const;
  bool needs_bouncers() const { return bounced.has_value(); }
};

// [status]: where the page is served, and who may ask for it.
struct Listen {
  std::string host;  // a number
  int port = 0;      // 0: any free one

  bool is_loopback() const { return host == "::1" || host.starts_with("127."); }
};
struct StatusPage {
  Listen listen;
  std::vector<std::string> hosts = {};  // names that a request may use, in lower case
  Secret token = {};                    // not set: none is asked for
  bool report = false;                  // serve /report
};

// What may need a person, and whoever is told chooses among it.
enum class AlertKind { brake, rows, lists, writes, verify, jobs, daemon };
// Their words, in the same order.
inline constexpr std::array kAlertKinds{"brake",  "rows", "lists", "writes",
                                        "verify", "jobs", "daemon"};
// [alert.NAME]: somebody who is told what needs a person, by mail or by a webhook.
struct Receiver {
  std::string name;
  TextPlace place;
  std::vector<std::string> mail;  // addresses; empty: a webhook
  std::string from;
  std::string server;  // "smtps://mail.example.com"; smtp:// with STARTTLS, or to this machine
  std::string user;    // empty: no login
  Secret password;
  Secret webhook;  // its URL; may be plain text in the file
  enum class Form { json, slack, teams } form = Form::json;
  std::string ca_file;                          // own certificate authority, else the system's
  std::optional<std::vector<AlertKind>> kinds;  // unset: all
  std::optional<std::chrono::minutes> daily;    // when the summary goes out, in the CRM's zone
};

// When something comes again, by the CRM's clock.
struct Schedule {
  enum class Each { day, week, month } each = Each::day;  // of a month its first day
  std::chrono::weekday weekday{};                         // of each week
  std::chrono::minutes at{0};                             // time of day
};

// [report]: what the views and reports of docs/REPORTS.md show.
struct Report {
  TextPlace place;
  // [[report.question]]: what a question of the service measures.
  struct Question {
    TextPlace place;
    std::int64_t id = 0;  // BaseQuestionId
    std::string label;    // empty: the service's own words
    enum class Kind { nps, csat, ces, mean } kind = Kind::mean;
    std::optional<std::int64_t> low, high;  // of its scale; unset: the usual one of its kind
  };
  std::vector<Question> questions = {};
  std::vector<std::string> segments = {};  // data columns by name, at most kReportSegments
  std::vector<std::string> hidden = {};    // data columns that no view shows
  enum class Day { monday, tuesday, wednesday, thursday, friday, saturday, sunday };
  Day week_starts = Day::monday;
  std::string language = {};  // of the question texts, as the service writes it; empty: any
  int least = 5;              // a score of fewer answers is not shown
  int answer_days = 14;       // younger invitations do not count for the response rate
  // How far survey_customer_history goes back; 0: none is kept.
  Milliseconds keep_history = std::chrono::hours{24 * 400};
  // [report.mail.NAME]: a report that comes by itself.
  struct Mail {
    std::string name;
    TextPlace place;
    std::vector<std::string> to;  // addresses
    std::string through;          // the [alert.NAME] whose sender, server and login it takes
    Receiver receiver;            // that one, with this name and these addresses
    Schedule every;
    bool csv = false;    // the tables are attached, too
    bool words = false;  // what customers wrote is in it
  };
  std::vector<Mail> mails = {};
};
constexpr std::size_t kReportSegments = 8;

// [ledger]: the bridge's record of each transaction.
struct LedgerSettings {
  // Older rows of survey_push_event are removed, of transactions that are sent or suppressed.
  Milliseconds keep_events = std::chrono::hours{24 * 400};
};

struct Settings {
  std::string file;
  Service service;
  Crm crm;
  std::optional<Store> store;  // none: in the CRM's database
  LedgerSettings ledger;
  std::vector<Push> pushes;
  std::vector<Pull> pulls;
  std::optional<Suppress> suppress;
  std::optional<StatusPage> status;
  std::vector<Receiver> alerts;
  Report report;
};

}  // namespace surveybridge::config
