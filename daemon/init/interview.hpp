// From options and answers to the settings of a new configuration. An option that is given is not
// asked about; each answer is tried at once, and asked for again where it does not work. Without a
// person every problem is reported in one run.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "daemon/init/dialogue.hpp"
#include "daemon/init/options.hpp"
#include "daemon/init/proposal.hpp"
#include "daemon/init/secret_place.hpp"
#include "daemon/init/trial.hpp"

namespace surveybridge::daemon {

class Interview {
 public:
  // `dialogue` null: nobody is asked. `problem` receives what keeps the file from being written.
  Interview(const InitOptions& given, SecretPlace place, Dialogue* dialogue, Trial& trial,
            std::function<void(const std::string&)> problem)
      : given_(given),
        place_(std::move(place)),
        dialogue_(dialogue),
        trial_(trial),
        problem_(std::move(problem)) {}

  // Empty: there were problems, each reported. Throws InputEnded.
  std::optional<NewSettings> ask_all();
  ExitCode code() const { return code_; }  // of the worst problem

 private:
  using Text = InitOptions::Text;
  using Take = std::function<Refused(const std::string&)>;
  enum class Form { line, lines, hidden };
  struct Question {
    std::string option, text, proposal;
    Form form = Form::line;
  };

  Text known(const Question& question, const Text& given) const;
  bool answer(const Question& question, const Text& given, const Take& take);
  std::string ask(const Question& question);
  void refuse(const std::string& option, const Refusal& refusal);

  bool service();
  bool token_url(const Text& given, const std::string& proposed);
  bool authentication(bool again);
  void ask_again();
  bool secret(const std::string& name, const Text& given, config::Secret& to);
  Refused take_connection(const std::string& text, bool typed);
  bool zone();
  bool database();
  void show_tables();
  bool query(const Text& given);
  bool choose();
  void propose_rest();
  bool accept();
  void show();
  void change(const std::string& line);
  Refused set(const std::string& name, const std::string& value);
  std::vector<std::string> problems();
  bool is_of_key_or_date(const config::Problem& problem,
                         const std::vector<config::Problem>& all) const;
  std::vector<std::string> query_columns() const;
  void report_choice();

  const InitOptions& given_;
  SecretPlace place_;
  Dialogue* dialogue_;
  Trial& trial_;
  std::function<void(const std::string&)> problem_;
  NewSettings settings_;
  Chosen chosen_;
  ExitCode code_ = kDone;
  bool retries_secret_ = false;  // the service has refused the one before
  bool another_kind_ = false;    // asked for instead of a secret
};

}  // namespace surveybridge::daemon
