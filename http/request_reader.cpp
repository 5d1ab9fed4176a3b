#include "http/request_reader.hpp"

#include <optional>
#include <stdexcept>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Error = boost::system::error_code;
using Message = beast::http::request<beast::http::string_body>;

Wanted wanted_by(const Message& message, const Bounds& bounds) {
  const auto accepted = message[beast::http::field::accept_encoding];
  return {bounds.keep_alive && message.keep_alive(),
          accepted.find("gzip") != std::string_view::npos,
          message.method() != beast::http::verb::head};
}

Request as_request(Message message) {
  Request request;
  request.method = std::string(message.method_string());
  request.target = std::string(message.target());
  for (const auto& field : message) {
    request.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  request.body = std::move(message.body());
  return request;
}

RequestReader::Answer answer_to(Error error) {
  if (error == beast::http::error::need_more) return RequestReader::More{};
  if (error == beast::http::error::body_limit) return RequestReader::Refused{413};
  if (error == beast::http::error::header_limit) return RequestReader::Refused{431};
  return RequestReader::Unreadable{};
}

}  // namespace

struct RequestReader::State {
  Bounds bounds;
  beast::flat_buffer bytes = {};
  std::optional<beast::http::request_parser<beast::http::string_body>> parser = {};
};

RequestReader::RequestReader(const Bounds& bounds) : state_(new State{bounds}) {}
RequestReader::~RequestReader() = default;

void RequestReader::feed(std::string_view bytes) {
  const auto room = state_->bytes.prepare(bytes.size());
  state_->bytes.commit(asio::buffer_copy(room, asio::buffer(bytes.data(), bytes.size())));
}

bool RequestReader::has_begun() const {
  return state_->parser && state_->parser->got_some();
}

RequestReader::Answer RequestReader::next() {
  auto& [bounds, bytes, parser] = *state_;
  if (!parser) {
    parser.emplace();
    parser->body_limit(bounds.body);
    parser->header_limit(bounds.head);
    parser->eager(true);
  }
  while (!parser->is_done()) {
    if (bytes.size() == 0) return More{};
    Error error;
    try {
      bytes.consume(parser->put(bytes.data(), error));
    } catch (const std::length_error&) {
      return Refused{431};  // the library keeps no longer field
    }
    // What waits to be read is one line. The library bounds those of the head, and no chunk's.
    if (error == beast::http::error::need_more && bytes.size() > bounds.head) return Refused{431};
    if (error) return answer_to(error);
  }
  const Wanted wanted = wanted_by(parser->get(), bounds);
  Whole whole{as_request(parser->release()), wanted};
  parser.reset();
  return whole;
}

}  // namespace http
