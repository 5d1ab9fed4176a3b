#include "tests/program/browser/chromium.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mapping/values/base64.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

constexpr std::chrono::seconds kPatience{60};
constexpr double kPictureHeight = 2400;

// Opened for both directions, so that opening waits for nobody.
int make_pipe(const std::string& path) {
  if (mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no pipe " + path);
  return open(path.c_str(), O_RDWR | O_CLOEXEC);
}

// The browser reads from descriptor 3 and writes to descriptor 4. Root needs --no-sandbox.
support::Program browser(const std::string& folder) {
  return {{"sh", "-c", R"(exec chromium "$@" 3<"$0/to" 4>"$0/from")", folder, "--headless",
           "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--hide-scrollbars", "--user-data-dir=" + folder + "/profile", "about:blank"},
          {"HOME=" + folder, "XDG_CONFIG_HOME=" + folder, "XDG_CACHE_HOME=" + folder}};
}

// The features of a medium.
nlohmann::json colours_of(bool dark) {
  const nlohmann::json scheme{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}};
  return nlohmann::json::array({scheme});
}

}  // namespace

Chromium& Chromium::shared() {
  static Chromium one;
  return one;
}

Chromium::Chromium()
    : to_(make_pipe(folder_.path() + "/to")),
      from_(make_pipe(folder_.path() + "/from")),
      child_(browser(folder_.path())) {
  const auto target = command("Target.createTarget", {{"url", "about:blank"}})["targetId"];
  session_ =
      command("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"];
  command("Page.enable");
  command("Fetch.enable",
          {{"patterns", nlohmann::json::array({nlohmann::json{{"resourceType", "Document"}}})}});
}

Chromium::~Chromium() {
  child_.signal(SIGTERM);
  child_.wait(std::chrono::seconds(10));
  close(to_);
  close(from_);
}

void Chromium::open(const std::string& url, const View& view) {
  command("Emulation.setDeviceMetricsOverride", {{"width", view.width},
                                                 {"height", view.height},
                                                 {"deviceScaleFactor", 1},
                                                 {"mobile", view.width < 500}});
  command("Emulation.setEmulatedMedia", {{"media", ""}, {"features", colours_of(view.dark)}});
  documents_allowed_ = 1;
  loaded_ = false;
  const auto begun = command("Page.navigate", {{"url", url}});
  if (begun.contains("errorText")) throw std::runtime_error(url + ": " + begun.dump());
  wait_until_loaded();
}

nlohmann::json Chromium::evaluate(const std::string& expression) {
  const auto answer =
      command("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) throw std::runtime_error(answer.dump());
  return answer["result"].value("value", nlohmann::json());
}

void Chromium::press_tab() {
  press("Tab", 9, "");
}

void Chromium::press_enter_and_load() {
  documents_allowed_ = 1;
  loaded_ = false;
  press("Enter", 13, "\r");
  wait_until_loaded();
}

void Chromium::press(const char* key, int code, const char* text) {
  nlohmann::json down{{"type", *text == '\0' ? "rawKeyDown" : "keyDown"},
                      {"key", key},
                      {"code", key},
                      {"windowsVirtualKeyCode", code}};
  if (*text != '\0') down["text"] = text;
  command("Input.dispatchKeyEvent", down);
  command("Input.dispatchKeyEvent",
          {{"type", "keyUp"}, {"key", key}, {"code", key}, {"windowsVirtualKeyCode", code}});
}

void Chromium::save_picture(const std::string& file) {
  const auto size = command("Page.getLayoutMetrics")["cssContentSize"];
  const nlohmann::json all{{"x", 0},
                           {"y", 0},
                           {"width", size["width"]},
                           {"height", std::min(size["height"].get<double>(), kPictureHeight)},
                           {"scale", 1}};
  const auto picture =
      command("Page.captureScreenshot", {{"captureBeyondViewport", true}, {"clip", all}});
  const auto bytes = surveybridge::mapping::read_base64(picture["data"].get<std::string>());
  std::ofstream(file, std::ios::binary) << bytes.value();
}

void Chromium::save_paper(const std::string& file) {
  const auto paper = command("Page.printToPDF", {{"preferCSSPageSize", true}});
  const auto bytes = surveybridge::mapping::read_base64(paper["data"].get<std::string>());
  std::ofstream(file, std::ios::binary) << bytes.value();
}

void Chromium::show_as_paper(bool dark) {
  command("Emulation.setEmulatedMedia", {{"media", "print"}, {"features", colours_of(dark)}});
}

void Chromium::wait_until_loaded() {
  while (!loaded_)
    note(receive());
}

nlohmann::json Chromium::command(const std::string& method, nlohmann::json parameters) {
  send(method, std::move(parameters));
  const int id = last_id_;
  for (;;) {
    auto message = receive();
    if (message.value("id", 0) != id) {
      note(message);
      continue;
    }
    if (message.contains("error")) throw std::runtime_error(method + ": " + message.dump());
    return message["result"];
  }
}

// A document that nobody asked for is not loaded, and the page stays as it is.
void Chromium::note(const nlohmann::json& event) {
  const auto method = event.value("method", "");
  if (method == "Page.loadEventFired") loaded_ = true;
  if (method != "Fetch.requestPaused") return;
  const nlohmann::json request = event["params"]["requestId"];
  if (documents_allowed_ > 0) {
    --documents_allowed_;
    send("Fetch.continueRequest", {{"requestId", request}});
  } else {
    send("Fetch.failRequest", {{"requestId", request}, {"errorReason", "Aborted"}});
  }
}

void Chromium::send(const std::string& method, nlohmann::json parameters) {
  nlohmann::json message{{"id", ++last_id_}, {"method", method}};
  if (!parameters.is_null()) message["params"] = std::move(parameters);
  if (!session_.empty()) message["sessionId"] = session_;
  const std::string text = message.dump() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const auto more = write(to_, text.data() + sent, text.size() - sent);
    if (more <= 0) throw std::runtime_error("the browser takes no command");
    sent += static_cast<std::size_t>(more);
  }
}

// The next message; a NUL ends each.
nlohmann::json Chromium::receive() {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    if (const auto end = received_.find('\0'); end != std::string::npos) {
      auto message = nlohmann::json::parse(received_.substr(0, end));
      received_.erase(0, end + 1);
      return message;
    }
    pollfd one{from_, POLLIN, 0};
    const bool heard = poll(&one, 1, 200) > 0;
    if (!heard && (child_.wait({}) || std::chrono::steady_clock::now() > until))
      throw std::runtime_error("the browser says nothing: " + child_.err());
    if (!heard) continue;
    std::array<char, 65536> buffer;
    const auto got = read(from_, buffer.data(), buffer.size());
    if (got > 0) received_.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

const std::vector<View> kViews = {
    {1280, 800, false}, {1280, 800, true}, {390, 844, false}, {390, 844, true}};

std::string named_by(const std::string& name, const View& view) {
  return name + "-" + std::to_string(view.width) + (view.dark ? "-dark" : "-light");
}

std::string beyond_the_edge_of(const std::string& selector) {
  return "(() => { const edge = document.querySelector('" + selector + R"JS(')
      .getBoundingClientRect().right;
  const wide = [...document.querySelectorAll('body *')].filter(
      e => e.getBoundingClientRect().right > edge + 0.5).map(e => e.outerHTML.slice(0, 160));
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) wide.push('the page scrolls sideways');
  return wide;
})())JS";
}

const char* const kFaint = R"JS((() => {
  const light = text => {
    const part = text.match(/[0-9.]+/g).slice(0, 3).map(v => v / 255).map(
        v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.backgroundColor = 'Canvas';
  const page = light(getComputedStyle(probe).backgroundColor);
  probe.remove();
  const contrast = colour => {
    const one = light(colour);
    return (Math.max(one, page) + 0.05) / (Math.min(one, page) + 0.05);
  };
  const has_text = e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== '');
  const texts = [...document.querySelectorAll('body *')].filter(
      e => has_text(e) && !['title', 'desc'].includes(e.tagName)).filter(
      e => contrast(e instanceof SVGElement ? getComputedStyle(e).fill
                                            : getComputedStyle(e).color) < 4.5);
  const drawn = [...document.querySelectorAll('.dot:not(.open), .bar:not(.light):not(.open)')].filter(
      e => contrast(getComputedStyle(e).fill) < 3);
  const lines = [...document.querySelectorAll('.curve, .whisker, .bar.light, .bar.open, .dot.open, .total')]
      .filter(e => contrast(getComputedStyle(e).stroke) < 3);
  return [...texts, ...drawn, ...lines].map(e => e.outerHTML.slice(0, 160));
})())JS";

const char* const kLinksLikeText =
    "[...document.links].filter(a => !getComputedStyle(a)"
    ".textDecorationLine.includes('underline')).length";

std::string folder_of_pictures(const std::string& name) {
  const auto folder = std::filesystem::path(support::bin_dir()).parent_path() / name;
  std::filesystem::create_directories(folder);
  return folder.string();
}

}  // namespace program
