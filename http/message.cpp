#include "http/message.hpp"

#include <algorithm>
#include <cstdint>

#include <boost/beast/http/status.hpp>
#include <boost/beast/zlib/deflate_stream.hpp>
#include <boost/crc.hpp>
#include <fmt/format.h>

namespace http {
namespace {

namespace beast = boost::beast;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string little_endian(std::uint32_t value) {
  std::string out;
  for (int shift = 0; shift < 32; shift += 8)
    out += static_cast<char>(value >> shift & 0xFF);
  return out;
}

// Makes the body a gzip member (RFC 1952) around one deflate stream.
void compress(Reply& reply) {
  const std::string& plain = reply.body;
  beast::zlib::deflate_stream stream;
  std::string packed(stream.upper_bound(plain.size()), '\0');
  beast::zlib::z_params params;
  params.next_in = plain.data();
  params.avail_in = plain.size();
  params.next_out = packed.data();
  params.avail_out = packed.size();
  boost::system::error_code ignored;
  stream.write(params, beast::zlib::Flush::finish, ignored);
  packed.resize(params.total_out);
  boost::crc_32_type sum;
  sum.process_bytes(plain.data(), plain.size());
  const std::string head("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  const std::string tail = little_endian(static_cast<std::uint32_t>(sum.checksum())) +
                           little_endian(static_cast<std::uint32_t>(plain.size()));
  reply.body = head + packed + tail;
  reply.headers.emplace_back("Content-Encoding", "gzip");
}

std::string reason(int status) {
  return std::string(
      beast::http::obsolete_reason(beast::http::int_to_status(static_cast<unsigned>(status))));
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

Reply text_reply(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text) + "\n"};
}

std::string write_reply(Reply reply, const Wanted& wanted) {
  if (reply.gzip && wanted.gzip) compress(reply);
  const std::string head = write_head(reply, wanted.keep_alive);
  if (!wanted.body) return head;
  std::string body = reply.chunked ? in_chunks(reply.body) : std::move(reply.body);
  if (reply.delivery == Reply::Delivery::cut) body.resize(body.size() / 2);
  return head + body;
}

std::string_view header(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (same_ignoring_case(key, name)) return value;
  }
  return "";
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

}  // namespace http
