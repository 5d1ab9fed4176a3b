#include "daemon/init/secret_place.hpp"

#include <filesystem>
#include <system_error>

#include "connectors/crm/driver/connection_text.hpp"

namespace surveybridge::daemon {

namespace {

namespace fs = std::filesystem;
using config::Secret;

struct Form {
  std::string_view prefix;
  Secret::From from;
};
constexpr Form kForms[] = {{"file:", Secret::From::file},
                           {"env:", Secret::From::env},
                           {"credential:", Secret::From::credential}};

void move_out(Secret& secret, std::string_view name, const SecretPlace& place,
              std::vector<NewFile>& files) {
  if (secret.from != Secret::From::plain) return;
  // The group of the folder "credentials" reads them, as the package has it.
  const mode_t mode = place.credentials ? 0640 : 0600;
  files.push_back({path_of(place, name), secret.name + "\n", mode});
  secret = kept_secret(place, name);
}

}  // namespace

SecretPlace place_of_secrets(const std::string& config_file) {
  const fs::path file = fs::absolute(config_file);
  const std::string stem = file.stem().string();
  std::error_code unknown;
  const fs::path folder = file.parent_path() / "credentials";
  if (fs::is_directory(folder, unknown))
    return {folder.string(), stem == "surveybridge" ? "" : stem + "-", true};
  return {file.parent_path().string(), stem + ".", false};
}

std::optional<Secret> secret_reference(std::string_view text) {
  for (const Form& form : kForms) {
    if (!text.starts_with(form.prefix)) continue;
    const std::string name(text.substr(form.prefix.size()));
    const bool path = form.from == Secret::From::file && !name.empty();
    return Secret{form.from, path ? fs::absolute(name).string() : name};
  }
  return std::nullopt;
}

std::string reference_text(const Secret& secret) {
  for (const Form& form : kForms)
    if (form.from == secret.from) return std::string(form.prefix) + secret.name;
  return "";
}

std::string path_of(const SecretPlace& place, std::string_view name) {
  return place.folder + "/" + place.prefix + std::string(name);
}

Secret kept_secret(const SecretPlace& place, std::string_view name) {
  if (place.credentials) return {Secret::From::credential, place.prefix + std::string(name)};
  return {Secret::From::file, path_of(place, name)};
}

std::vector<NewFile> move_secrets_out(NewSettings& settings, const SecretPlace& place) {
  std::vector<NewFile> files;
  move_out(settings.auth.token, "token", place, files);
  move_out(settings.auth.password, "password", place, files);
  move_out(settings.auth.client_secret, "client-secret", place, files);
  if (crm::has_password(settings.connection.name))
    move_out(settings.connection, "crm-connection", place, files);
  return files;
}

}  // namespace surveybridge::daemon
