#include "sandbox/http/request_reader.hpp"

#include <optional>
#include <stdexcept>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace sandbox {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Error = boost::system::error_code;
using Message = http::request<http::string_body>;

constexpr std::size_t kLargestBody = 64u << 20;
constexpr std::uint32_t kLargestHead = 1u << 20;  // a target of many kilobytes is still read

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

bool accepts_gzip(const Message& message) {
  return message[http::field::accept_encoding].find("gzip") != std::string_view::npos;
}

RequestReader::Answer answer_to(Error error) {
  if (error == http::error::need_more) return RequestReader::More{};
  if (error == http::error::body_limit) return RequestReader::Refused{413};
  if (error == http::error::header_limit) return RequestReader::Refused{431};
  return RequestReader::Unreadable{};
}

}  // namespace

struct RequestReader::State {
  beast::flat_buffer bytes;
  std::optional<http::request_parser<http::string_body>> parser;
};

RequestReader::RequestReader() : state_(std::make_unique<State>()) {}
RequestReader::RequestReader(RequestReader&&) noexcept = default;
RequestReader::~RequestReader() = default;

void RequestReader::feed(std::string_view bytes) {
  const auto room = state_->bytes.prepare(bytes.size());
  state_->bytes.commit(asio::buffer_copy(room, asio::buffer(bytes.data(), bytes.size())));
}

RequestReader::Answer RequestReader::next() {
  auto& [bytes, parser] = *state_;
  if (!parser) {
    parser.emplace();
    parser->body_limit(kLargestBody);
    parser->header_limit(kLargestHead);
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
    if (error) return answer_to(error);
  }
  const bool keep_alive = parser->get().keep_alive(), gzip = accepts_gzip(parser->get());
  Whole whole{as_request(parser->release()), keep_alive, gzip};
  parser.reset();
  return whole;
}

}  // namespace sandbox
