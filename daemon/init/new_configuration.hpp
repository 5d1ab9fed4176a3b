// A new configuration: what was decided, the commented file, and where its secrets are kept: each
// in a file of its own, never in the configuration. Nothing is written here.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/keys/kinds.hpp"
#include "config/settings.hpp"
#include "daemon/commands/new_file.hpp"
#include "daemon/init/dialogue.hpp"
#include "daemon/init/init.hpp"
#include "daemon/init/system_template.hpp"

namespace surveybridge::daemon {

// One line of [push.NAME.customer.Data].
struct MapLine {
  std::string data_column, column;
  bool operator==(const MapLine&) const = default;
};

struct NewSettings {
  std::string base_url;
  config::Auth auth;
  config::Secret connection;
  std::optional<config::Store> store;  // empty: the bridge's own tables are in the CRM's database
  std::string time_zone = "UTC";
  std::string push = "orders";
  std::string query, key, when;
  std::string start;      // "2026-11-15"
  std::string email;      // a column; empty: none yet
  std::string correlate;  // a data column; empty: none
  std::vector<MapLine> data;
  std::vector<std::string> left_out;  // data columns that get nothing; the file names them
  std::vector<std::string> unused;    // columns of the query that go nowhere; likewise
  SystemTemplate system;              // without a title: none
  bool knows_opt_outs = false;        // `system.suppress` works here; otherwise it is a comment
  std::string write_problem = "not tried";  // empty: `system.write` works here; likewise
  std::vector<std::string> notes;           // what was found, where nobody could be told at once
};

// Commented TOML. Whatever a text holds, it is read back as the same text.
std::string configuration_text(const NewSettings& settings);

// The kinds of authentication by their words.
const std::vector<config::NamedValue<config::Auth::Kind>>& auth_kinds();
std::string auth_word(config::Auth::Kind kind);

// A setting of [service.auth] that its kind needs: a text or a secret.
struct AuthField {
  std::string name;  // of the option and the secret's file: "token-url"
  InitOptions::Text InitOptions::*given = nullptr;
  std::string config::Auth::*text = nullptr;       // null: a secret
  config::Secret config::Auth::*secret = nullptr;  // null: a text
  std::string question = {};                       // empty: nobody is asked
};
std::vector<AuthField> auth_fields(config::Auth::Kind kind);

// "file:/PATH", "env:NAME" and "credential:NAME"; empty: `text` is none of them.
std::optional<config::Secret> secret_reference(std::string_view text);
std::string reference_text(const config::Secret& secret);

// Beside the configuration file, or in the folder "credentials" there if there is one.
struct KeptSecret {
  config::Secret reference;  // how the configuration refers to it
  std::string path;
  mode_t mode = 0600;
};
// Of the secret of this name ("token").
KeptSecret kept_secret(const std::string& config_file, const std::string& name);

// May the account that asks make files there?
bool is_writable_folder(const std::filesystem::path& folder);

// The connection of a file for the bridge's own tables: in the daemon's folder, else beside the
// configuration. Empty: neither can be written.
std::string proposed_store(const std::string& config_file);

// Replaces each secret that was typed by a reference, and returns the files that hold them. The
// text of a connection stays where no password is in it.
std::vector<NewFile> move_secrets_out(NewSettings& settings, const std::string& config_file);

// Asks for everything that no option gives. `dialogue` null: nobody is asked. Empty: there were
// problems, each reported; `code` is of the worst. Throws InputEnded.
std::optional<NewSettings> ask_settings(const InitOptions& given, Dialogue* dialogue,
                                        ExitCode& code);

}  // namespace surveybridge::daemon
