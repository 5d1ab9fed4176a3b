// Hands a message to a receiver of [alert], by mail or by its webhook.
#pragma once

#include <optional>
#include <string>

#include "connectors/service/transport.hpp"
#include "daemon/alert/message.hpp"

namespace surveybridge::daemon {

struct Undelivered {
  std::string why;  // names the server; no secret, no address of a person
  JobStatus::Fault fault = JobStatus::Fault::unreachable;  // or configuration
  bool may_be_there = false;  // the server may have taken it all the same
  bool to_others = false;     // it has, for others than the addresses that it refused
};

// Empty: the receiver's server has taken the message for each address.
std::optional<Undelivered> deliver(const config::Receiver& receiver, const AlertMessage& message,
                                   service::Transport& transport, TimePoint now);
// The same without a message: secrets, name, connection, TLS and login.
std::optional<Undelivered> try_receiver(const config::Receiver& receiver,
                                        service::Transport& transport);
// The secrets alone.
std::optional<Undelivered> secrets_fault(const config::Receiver& receiver);

}  // namespace surveybridge::daemon
