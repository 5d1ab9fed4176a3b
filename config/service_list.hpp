// The lists of the service (customers, ratings, bouncers), described once: how each is asked for
// (interface document 4.2 to 4.4), by which parameters, and what the bridge does with what it
// lists. A new list is a row here; docs/EXTENDING.md names the other files. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"

namespace surveybridge::config {

enum class ParameterType {
  date_filter,
  data_filters,
  answer_filters,
  boolean,
  integers,
  texts,
  review_status,
  paging,  // Cursor and Limit: set by the code that reads the pages
};

struct Parameter {
  std::string_view name;
  ParameterType type;
};
// In the order of docs/SERVICE.md.
std::span<const Parameter> parameters_of(Pull::List list);

// The dates by which a list can be walked: its date filters without "Filter". The first is the
// default.
const std::vector<std::string>& dates_of(Pull::List list);

// Does the parameter change the content of a row, instead of selecting rows?
bool shapes_rows(std::string_view parameter);
// Does it leave rows out? Those for tests only add some.
bool hides_rows(std::string_view parameter);

struct ServiceList {
  Pull::List list;
  std::string_view name;     // of its section and of its walks: [pull.NAME], survey_cursor
  std::string_view meaning;  // in docs/CONFIG.md

  std::string_view path, array;  // the operation, and the member of its answer with the records
  std::string_view resource;     // the records' description, by its name (root_resource())
  std::span<const Parameter> parameters;  // in the document's order

  // The date filter, without "Filter", that a pull walks by unless it says otherwise.
  std::string_view date;
  // Does a date of the list move when something happens to a record? Then a walk goes on from where
  // the one before has ended (`from`, `overlap`); else the same stretch is read again
  // (`look_back`).
  bool date_moves;

  // What a record says about the person whose address it shows.
  enum class People { nothing, customer, bouncer } people;
  // Does a record show that a transaction of the ledger is at the service?
  bool meets_ledger;
  // The date that a record's age is counted from (`keep`).
  std::string_view age;
};

const std::vector<ServiceList>& service_lists();
const ServiceList& description_of(Pull::List list);
const ServiceList* list_named(std::string_view name);  // nullptr: there is none
// The list of the records with this description; its name, where there is none.
std::string list_of(std::string_view resource);

}  // namespace surveybridge::config
