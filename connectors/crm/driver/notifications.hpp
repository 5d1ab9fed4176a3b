// What a PostgreSQL sends by NOTIFY, heard on a session of its own. Belongs to one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace surveybridge::crm {

// Can the database of this connection text notify? False for a text that parse_connection()
// refuses.
bool can_notify(const std::string& connection);

class Notifications {
 public:
  // Connects (within three seconds a host) and listens to the channels. Throws DatabaseError.
  Notifications(const std::string& connection, const std::vector<std::string>& channels);
  ~Notifications();
  Notifications(const Notifications&) = delete;
  Notifications& operator=(const Notifications&) = delete;

  // A socket that is readable when something has come.
  int descriptor() const;
  // The channels that were notified since the last call, each once; does not wait. Throws
  // DatabaseError(connection) when the session is lost.
  std::vector<std::string> take();

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

}  // namespace surveybridge::crm
