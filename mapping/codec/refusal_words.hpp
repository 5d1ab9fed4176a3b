// Words by which an answer says that something was refused or has failed, whatever it calls the
// member: names are taken apart where "_", "-" or a capital joins their words. Only ASCII letters
// are compared.
#pragma once

#include <string_view>

namespace surveybridge::mapping {

// How a member tells, by its name, whether the request, or a part of it, has failed: "success":
// false, "Status": "Failed", "statusCode": 503, "Result": "Failed" (not 503, which may be a count),
// "Message": "An error has occurred.", "hasErrors": true.
enum class FailureToldBy { nothing, success, status, result, message, failure };
FailureToldBy failure_told_by(std::string_view name);
bool tells_failure(FailureToldBy told_by, std::string_view text);

// Does the name say of its content that it has failed: "errors", "failedRows"?
bool names_failure(std::string_view name);

// In the same way, of the rows of an add: "RejectedCustomers", "skipped", "notImported".
bool names_refused_rows(std::string_view name);

// Of the rows of an add: is it the number of those that were taken, or says whether they were?
bool names_taken_rows(std::string_view name);

// Does a text for people say that something has failed ("Import failed for 2 customers")? One such
// as "3 added, 0 errors" does not.
bool sentence_tells_failure(std::string_view text);

}  // namespace surveybridge::mapping
