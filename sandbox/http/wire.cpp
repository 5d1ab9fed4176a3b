#include "sandbox/http/wire.hpp"

#include <fmt/format.h>

namespace sandbox {
namespace {

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 410:
      return "Gone";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Status";
  }
}

// Chunks of an odd size, so that characters and names are divided.
std::string in_chunks(std::string_view body) {
  constexpr std::size_t kPiece = 997;
  std::string out;
  while (!body.empty()) {
    const std::string_view piece = body.substr(0, kPiece);
    out += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
    body.remove_prefix(piece.size());
  }
  return out + "0\r\n\r\n";
}

std::string write_head(const Reply& reply, bool keep_alive) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\nConnection: {}\r\n", reply.status,
                                 reason(reply.status), keep_alive ? "keep-alive" : "close");
  head += reply.chunked ? "Transfer-Encoding: chunked\r\n"
                        : fmt::format("Content-Length: {}\r\n", reply.body.size());
  for (const auto& [name, value] : reply.headers)
    head += fmt::format("{}: {}\r\n", name, value);
  return head + "\r\n";
}

}  // namespace

std::string write_reply(const Reply& reply, bool keep_alive) {
  std::string body = reply.chunked ? in_chunks(reply.body) : reply.body;
  if (reply.delivery == Reply::Delivery::cut) body.resize(body.size() / 2);
  return write_head(reply, keep_alive) + body;
}

}  // namespace sandbox
