// [alert.NAME]: somebody who is told what needs a person.
#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

Kind<std::vector<AlertKind>> alert_kinds() {
  std::vector<NamedValue<AlertKind>> choices;
  for (std::size_t i = 0; i < kAlertKinds.size(); ++i)
    choices.push_back({kAlertKinds[i], static_cast<AlertKind>(i)});
  return list_of("a list of kinds", choice(choices));
}

void check_receiver(const Node::Table& table, const TextPlace& place, const Trail& trail,
                    Receiver& receiver) {
  receiver.place = place;
  const auto has = [&](const char* key) { return find(table, key) != nullptr; };
  if (has("mail") == has("webhook"))
    return trail.wrong(place, "needs mail or webhook, and not both");
  if (has("user") != has("password")) trail.wrong(place, "user and password belong together");
  if (has("webhook")) {
    if (has("server") || has("from") || has("user"))
      trail.wrong(place, "server, from, user and password are for mail");
    return;
  }
  if (names_nobody(find(table, "mail")->node, receiver.mail))
    trail.wrong(place, "mail needs an address");
  if (!has("server") || !has("from")) trail.wrong(place, "mail needs server and from");
  if (has("form")) trail.wrong(place, "form is for a webhook");
}

}  // namespace

bool names_nobody(const Node& list, const std::vector<std::string>& addresses) {
  const auto* items = list.as<Node::List>();
  return items != nullptr ? items->empty() : is_outside(list) && addresses.empty();
}

Kind<Receiver> receiver_section() {
  using Body = Receiver::Form;
  return section<Receiver>(
      {
          key("mail", &Receiver::mail, list_of("a list of mail addresses", mail_address()),
              "the addresses that get a mail"),
          key("from", &Receiver::from, mail_address(), "the address that the mail comes from"),
          key("server", &Receiver::server, mail_server(),
              "the mail server; `smtps://` is TLS (port 465), `smtp://` begins TLS by STARTTLS "
              "(name its port), and without TLS it reaches this machine only"),
          key("user", &Receiver::user, name("a login of the mail server"), "the login there"),
          key("password", &Receiver::password, secret(), "its password"),
          key("webhook", &Receiver::webhook,
              secret_or_text("an address such as \"https://host/path\"", is_web_address,
                             "^https?://."),
              "instead of mail: the address that gets a POST of JSON; one that holds a token is a "
              "secret"),
          key("form", &Receiver::form,
              choice<Body>({{"json", Body::json}, {"slack", Body::slack}, {"teams", Body::teams}}),
              "what the webhook gets"),
          key("ca_file", &Receiver::ca_file, absolute_path(),
              "the certificate authority of the server; without it the system's"),
          key("kinds", &Receiver::kinds, alert_kinds(),
              "what is told; without it everything, and `[]` for a receiver of follow-ups alone. "
              "`brake`, `verify`, `writes` into the CRM, `jobs` that wait for a person, `daemon` "
              "that has failed. `rows` that were set aside, held or never sent, or are too few. "
              "`lists` that cannot be read whole, or bring nothing"),
          key("daily", &Receiver::daily, time_of_day(),
              "when a summary of its kinds goes out each day, by the CRM's clock; without it none "
              "does"),
      },
      check_receiver);
}

}  // namespace surveybridge::config
