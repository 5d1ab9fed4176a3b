#include "daemon/status/server.hpp"

#include <array>
#include <list>
#include <optional>
#include <stdexcept>
#include <thread>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace surveybridge::daemon {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::size_t kHeaderBytes = 8 * 1024;
constexpr std::chrono::seconds kPatience{10};
constexpr int kConnections = 32;
constexpr std::chrono::milliseconds kRetry{100};
constexpr auto kThreads = static_cast<std::size_t>(StatusLane::report);
static_assert(kThreads * StatusServer::kWaiting <= kConnections / 2);

using Request = http::request<http::string_body>;

// The value of a header that is there once; empty: it is missing or repeated.
std::string only(const Request& request, http::field name) {
  const auto [first, last] = request.equal_range(name);
  return std::distance(first, last) == 1 ? std::string(first->value()) : std::string();
}

StatusRequest asked_by(const Request& request) {
  return {std::string(request.target()), only(request, http::field::host),
          only(request, http::field::authorization)};
}

// Empty: the request may be asked.
std::optional<StatusReply> refusal(const Request& request, const StatusRequest& asked) {
  if (asked.host.empty())
    return StatusReply{400, StatusReply{}.type, "one header Host is required\n"};
  const bool read = request.method() == http::verb::get || request.method() == http::verb::head;
  if (!read) return StatusReply{405, StatusReply{}.type, "GET only\n"};
  return std::nullopt;
}

// Makes the answers of all lanes. Belongs to the server's thread, but for the making itself.
class Lanes {
 public:
  using Done = std::function<void(StatusReply)>;
  Lanes(asio::io_context& server, const StatusServer::Handler& handler)
      : server_(server), handler_(handler) {}
  ~Lanes() { stop(); }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  // Calls `done` in the server's thread: at once, or when the lane's thread has made the answer.
  void ask(StatusRequest asked, Done done) {
    const StatusLane lane = lane_of(asked.target);
    if (lane == StatusLane::memory) return done(made(asked));
    Line& line = lines_.at(static_cast<std::size_t>(lane) - 1);
    if (line.waiting >= StatusServer::kWaiting)
      return done({503, StatusReply{}.type, "too many requests wait for an answer of this kind\n"});
    ++line.waiting;
    asio::post(
        line.thread, [this, &line, asked = std::move(asked), done = std::move(done)]() mutable {
          StatusReply reply = made(asked);
          // The request ends with `done`, which must not end in this thread.
          asio::post(server_, [&line, done = std::move(done), reply = std::move(reply)]() mutable {
            --line.waiting;
            done(std::move(reply));
          });
        });
  }

  // What goes wrong with one answer ends neither the server nor the daemon.
  StatusReply made(const StatusRequest& asked) const {
    try {
      return handler_(asked);
    } catch (const std::exception&) {
      return {500, StatusReply{}.type, "the answer could not be made\n"};
    }
  }

  // What is being made is made; what waits is dropped.
  void stop() {
    for (Line& line : lines_)
      line.thread.stop();
    for (Line& line : lines_)
      line.thread.join();
  }

 private:
  struct Line {
    int waiting = 0;
    asio::thread_pool thread{1};
  };
  asio::io_context& server_;
  const StatusServer::Handler& handler_;
  std::array<Line, kThreads> lines_;
};

class Session;

// Those that have not asked yet, the oldest first.
struct Open {
  int sessions = 0;
  std::list<Session*> silent;
};

// One request and one answer.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Lanes& lanes, Open& open)
      : stream_(std::move(socket)), lanes_(lanes), open_(open) {
    ++open_.sessions;
    place_ = open_.silent.insert(open_.silent.end(), this);
  }
  ~Session() {
    has_asked();
    --open_.sessions;
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void read() {
    parser_.header_limit(kHeaderBytes);
    parser_.body_limit(0);
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, parser_,
                     [self = shared_from_this()](Error error, std::size_t) {
                       self->has_asked();
                       if (!error) self->ask();
                     });
  }

  void give_way() {
    has_asked();
    stream_.close();
  }

 private:
  void ask() {
    StatusRequest asked = asked_by(parser_.get());
    if (auto refused = refusal(parser_.get(), asked)) return answer(*std::move(refused));
    lanes_.ask(std::move(asked),
               [self = shared_from_this()](StatusReply reply) { self->answer(std::move(reply)); });
  }

  void answer(StatusReply reply) {
    response_.result(static_cast<unsigned>(reply.code));
    response_.set(http::field::content_type, reply.type);
    for (const auto& challenge : reply.challenges)
      response_.insert(http::field::www_authenticate, challenge);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    response_.keep_alive(false);
    if (parser_.get().method() != http::verb::head) response_.body() = std::move(reply.body);
    response_.prepare_payload();
    stream_.expires_after(kPatience);
    http::async_write(stream_, response_, [self = shared_from_this()](Error, std::size_t) {
      Error ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  void has_asked() {
    if (place_) open_.silent.erase(*place_);
    place_.reset();
  }

  beast::tcp_stream stream_;
  Lanes& lanes_;
  Open& open_;
  std::optional<std::list<Session*>::iterator> place_;
  beast::flat_buffer buffer_;
  http::request_parser<http::string_body> parser_;
  http::response<http::string_body> response_;
};

}  // namespace

struct StatusServer::Impl {
  Impl(const config::Listen& listen, Handler given) : handler(std::move(given)), acceptor(context) {
    const tcp::endpoint here(asio::ip::make_address(listen.host),
                             static_cast<unsigned short>(listen.port));
    acceptor.open(here.protocol());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    acceptor.bind(here);
    acceptor.listen();
  }

  void accept() {
    acceptor.async_accept([this](Error error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      // This page must not use up the daemon's descriptors: the oldest that asks nothing gives way,
      // and without such a one the connection is refused.
      const bool is_full = open.sessions >= kConnections;
      const bool has_place = !is_full || !open.silent.empty();
      if (is_full && has_place) open.silent.front()->give_way();
      if (has_place) std::make_shared<Session>(std::move(socket), lanes, open)->read();
      accept();
    });
  }

  // Without a free descriptor a connection stays in the queue, and accepting would fail again at
  // once.
  void accept_later() {
    retry.expires_after(kRetry);
    retry.async_wait([this](Error error) {
      if (!error) accept();
    });
  }

  Handler handler;
  Open open;  // outlives the sessions, which the context holds
  asio::io_context context{1};
  Lanes lanes{context, handler};
  tcp::acceptor acceptor;
  asio::steady_timer retry{context};
  std::thread thread;
};

StatusServer::StatusServer(const config::Listen& listen, Handler handler) {
  try {
    impl_ = std::make_unique<Impl>(listen, std::move(handler));
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("[status] cannot listen on " + listen.host + ":" +
                             std::to_string(listen.port) + ": " + error.code().message());
  }
  impl_->accept();
  impl_->thread = std::thread([this] { impl_->context.run(); });
}

StatusServer::~StatusServer() {
  impl_->context.stop();
  impl_->thread.join();
  impl_->lanes.stop();
}

int StatusServer::port() const {
  return impl_->acceptor.local_endpoint().port();
}

}  // namespace surveybridge::daemon
