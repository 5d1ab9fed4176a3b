#include "sandbox/http/server.hpp"

#include <array>
#include <stdexcept>
#include <thread>
#include <variant>
#include <vector>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/zlib/deflate_stream.hpp>
#include <boost/crc.hpp>

#include "sandbox/http/request_reader.hpp"
#include "sandbox/http/wire.hpp"

namespace sandbox {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

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
  Error ignored;
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

// One connection: reads a request, answers it, reads the next one. Kept alive by the operations
// that it waits for.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const Server::Handler& handler)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), handler_(handler) {}

  void read() {
    auto read = reader_.next();
    if (auto* whole = std::get_if<RequestReader::Whole>(&read)) return answer(std::move(*whole));
    if (const auto* refused = std::get_if<RequestReader::Refused>(&read))
      return refuse(refused->status);
    if (std::holds_alternative<RequestReader::Unreadable>(read)) return close();
    socket_.async_read_some(asio::buffer(chunk_),
                            [self = shared_from_this()](Error error, std::size_t size) {
                              if (error) return self->close();
                              self->reader_.feed({self->chunk_.data(), size});
                              self->read();
                            });
  }

 private:
  tcp::socket socket_;
  asio::steady_timer timer_;
  const Server::Handler& handler_;
  std::array<char, 16 * 1024> chunk_{};
  RequestReader reader_;
  bool keep_alive_ = false, accepts_gzip_ = false;
  Reply reply_;
  std::string out_;
  char idle_ = 0;

  void answer(RequestReader::Whole whole) {
    keep_alive_ = whole.keep_alive;
    accepts_gzip_ = whole.accepts_gzip;
    try {
      reply_ = handler_(whole.request);
    } catch (const std::exception&) {  // what breaks the model ends this request and no other
      return refuse(500);
    }
    if (reply_.delay.count() == 0) return deliver();
    timer_.expires_after(reply_.delay);
    timer_.async_wait([self = shared_from_this()](Error) { self->deliver(); });
  }

  void deliver() {
    const bool whole = reply_.delivery == Reply::Delivery::whole;
    const bool keep_alive = whole && keep_alive_;
    switch (reply_.delivery) {
      case Reply::Delivery::whole:
      case Reply::Delivery::cut:
        if (reply_.gzip && accepts_gzip_) compress(reply_);
        out_ = write_reply(reply_, keep_alive_);
        return write(keep_alive);
      case Reply::Delivery::reset:
        return reset();
      case Reply::Delivery::hang:
        return hang();
    }
  }

  // What came is not read to its end: the connection closes.
  void refuse(int status) {
    Reply reply;
    reply.status = status;
    out_ = write_reply(reply, false);
    write(false);
  }

  void write(bool keep_alive) {
    asio::async_write(socket_, asio::buffer(out_),
                      [self = shared_from_this(), keep_alive](Error error, std::size_t) {
                        self->reply_ = {};
                        if (error || !keep_alive) return self->close();
                        self->read();
                      });
  }

  // Sends nothing; the connection ends when the client gives up.
  void hang() {
    asio::async_read(socket_, asio::buffer(&idle_, 1),
                     [self = shared_from_this()](Error error, std::size_t) {
                       if (error) return self->close();
                       self->hang();
                     });
  }

  void close() {
    Error ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  // A linger time of 0 makes the close an RST.
  void reset() {
    Error ignored;
    socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    socket_.close(ignored);
  }
};

}  // namespace

struct Server::Impl {
  Impl(Handler given, unsigned short port) : handler(std::move(given)), acceptor(context) {
    const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
    acceptor.open(here.protocol());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    acceptor.bind(here);
    acceptor.listen();
  }

  Handler handler;
  asio::io_context context;
  tcp::acceptor acceptor;
  std::vector<std::thread> threads;

  void accept() {
    acceptor.async_accept([this](Error error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error) {
        Error ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Session>(std::move(socket), handler)->read();
      }
      accept();
    });
  }
};

Server::Server(Handler handler, unsigned short port, int threads) {
  try {
    impl_ = std::make_unique<Impl>(std::move(handler), port);
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("cannot listen on 127.0.0.1:" + std::to_string(port) + ": " +
                             error.code().message());
  }
  impl_->accept();
  for (int i = 0; i < threads; ++i) {
    impl_->threads.emplace_back([this] { impl_->context.run(); });
  }
}

Server::~Server() {
  stop();
}

unsigned short Server::port() const {
  return impl_->acceptor.local_endpoint().port();
}

void Server::stop() {
  impl_->context.stop();
  for (std::thread& thread : impl_->threads) {
    if (thread.joinable()) thread.join();
  }
}

}  // namespace sandbox
