// A headless Chromium with a profile of its own, used over the pipe of its DevTools protocol. Ends
// with the object. What fails throws std::runtime_error.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/child_process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {

struct View {
  int width = 1280, height = 800;  // CSS pixels
  bool dark = false;
};

class Chromium {
 public:
  // The one of this test program: a page of it is opened anew.
  static Chromium& shared();
  Chromium();
  ~Chromium();
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;

  // Loads the page as this view shows it, and waits until it is loaded. Afterwards it stays as it
  // is, also if it wants to reload itself.
  void open(const std::string& url, const View& view);
  // The value of an expression of JavaScript in the page.
  nlohmann::json evaluate(const std::string& expression);
  // Press and release a key. Enter leads to another page, which is loaded afterwards.
  void press_tab();
  void press_enter_and_load();
  // The page as PNG, also what is below the first screen, up to some screens.
  void save_picture(const std::string& file);
  // The page on A4, as PDF.
  void save_paper(const std::string& file);
  // From now on the page is laid out as for paper, in the view's width. `dark`: the screen's
  // colours.
  void show_as_paper(bool dark);

 private:
  nlohmann::json command(const std::string& method, nlohmann::json parameters = {});
  void send(const std::string& method, nlohmann::json parameters);
  nlohmann::json receive();
  void note(const nlohmann::json& event);
  void wait_until_loaded();
  void press(const char* key, int code, const char* text);

  support::TemporaryFolder folder_;
  int to_ = -1, from_ = -1;  // the ends of the pipes
  support::ChildProcess child_;
  std::string session_;  // of the tab; empty: the browser's own
  std::string received_;
  int last_id_ = 0;
  int documents_allowed_ = 0;
  bool loaded_ = false;
};

// Wide and narrow, light and dark.
extern const std::vector<View> kViews;
std::string named_by(const std::string& name, const View& view);  // "NAME-390-dark"

// Expressions. Every element that goes beyond the right edge of what the selector finds, and
// whether the page scrolls sideways.
std::string beyond_the_edge_of(const std::string& selector);
// Texts, also those of pictures, whose contrast with the page is below 4.5 (WCAG 2.1, 1.4.3), and
// shapes that carry a figure below 3 (1.4.11).
extern const char* const kFaint;
// The number of links that only their colour shows.
extern const char* const kLinksLikeText;

// A folder of the build for pictures of pages, which people may want to look at.
std::string folder_of_pictures(const std::string& name);

}  // namespace program
