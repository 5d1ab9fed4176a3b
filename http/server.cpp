#include "http/server.hpp"

#include <array>
#include <deque>
#include <list>
#include <stdexcept>
#include <thread>

#include <boost/asio.hpp>

namespace http {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::chrono::milliseconds kRetry{100};

struct Made {
  Reply reply;
  std::string bytes;
  bool keep_alive = false;
};

// Makes the answers of all lanes. Belongs to the server's thread, but for the making itself.
class Lanes {
 public:
  using Done = std::function<void(Made)>;
  Lanes(asio::io_context& server, const ServerOptions& options, const Server::Handler& handler)
      : server_(server), options_(options), handler_(handler) {
    for (const Lane& lane : options_.lanes)
      lines_.emplace_back(lane);
  }
  ~Lanes() { stop(); }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  // Calls `done` in the server's thread: at once, or when a thread of the lane has made the answer.
  void ask(RequestReader::Whole asked, Done done) {
    Line& line = lines_.at(options_.lane_of ? options_.lane_of(asked.request) : 0);
    if (line.waiting >= line.most) {
      auto refusal = text_reply(503, "too many requests wait for an answer of this kind");
      return done(written(std::move(refusal), asked.wanted));
    }
    ++line.waiting;
    asio::post(
        line.threads, [this, &line, asked = std::move(asked), done = std::move(done)]() mutable {
          Made made = answer_to(asked);
          // The session ends with `done`, which must not end in this thread.
          asio::post(server_, [&line, done = std::move(done), made = std::move(made)]() mutable {
            --line.waiting;
            done(std::move(made));
          });
        });
  }

  Made written(Reply reply, const Wanted& wanted) const {
    reply.headers.insert(reply.headers.end(), options_.headers.begin(), options_.headers.end());
    std::string bytes = write_reply(reply, wanted);
    return {std::move(reply), std::move(bytes), wanted.keep_alive};
  }

  // What is being made is made; what waits is dropped.
  void stop() {
    for (Line& line : lines_)
      line.threads.stop();
    for (Line& line : lines_)
      line.threads.join();
  }

 private:
  struct Line {
    explicit Line(const Lane& lane) : most(lane.waiting), threads(lane.threads) {}
    const std::size_t most;
    std::size_t waiting = 0;
    asio::thread_pool threads;
  };

  // What goes wrong with one answer ends its connection and nothing else.
  Made answer_to(const RequestReader::Whole& asked) const {
    try {
      return written(handler_(asked.request), asked.wanted);
    } catch (const std::exception&) {
      Wanted last = asked.wanted;
      last.keep_alive = false;
      return written(text_reply(500, "the answer could not be made"), last);
    }
  }

  asio::io_context& server_;
  const ServerOptions& options_;
  const Server::Handler& handler_;
  std::deque<Line> lines_;
};

class Session;

struct Open {
  std::size_t sessions = 0;
  // Those that wait for their next request, and those that take an answer; each in the order in
  // which they began.
  std::list<Session*> silent, taking;
  // Who makes room for another connection; nullptr: nobody.
  Session* who_gives_way() const {
    if (!silent.empty()) return silent.front();
    return taking.empty() ? nullptr : taking.front();
  }
};

// One connection: reads a request, answers it, reads the next one. Kept alive by the operations
// that it waits for.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const ServerOptions& options, Lanes& lanes, Open& open)
      : socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        patience_(options.patience),
        lanes_(lanes),
        open_(open),
        reader_(options.bounds) {
    ++open_.sessions;
  }
  ~Session() {
    leave();
    --open_.sessions;
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Waits for the next request.
  void listen() {
    enter(open_.silent);
    after(patience_, &Session::give_up);
    read();
  }

  void close() {
    end();
    Error ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

 private:
  void read() {
    auto next = reader_.next();
    if (auto* whole = std::get_if<RequestReader::Whole>(&next)) return ask(std::move(*whole));
    if (const auto* refused = std::get_if<RequestReader::Refused>(&next))
      return refuse(refused->status);
    if (std::holds_alternative<RequestReader::Unreadable>(next)) return close();
    socket_.async_read_some(asio::buffer(chunk_),
                            [self = shared_from_this()](Error error, std::size_t size) {
                              if (self->in_ != &self->open_.silent) return;  // refused, or closed
                              if (error) return self->close();
                              self->reader_.feed({self->chunk_.data(), size});
                              self->read();
                            });
  }

  void give_up() { reader_.has_begun() ? refuse(408) : close(); }

  // What came is not read to its end: the connection closes.
  void refuse(int status) {
    leave();
    answer(lanes_.written({status}, {}));
  }

  void ask(RequestReader::Whole whole) {
    end();
    lanes_.ask(std::move(whole),
               [self = shared_from_this()](Made made) { self->answer(std::move(made)); });
  }

  void answer(Made made) {
    made_ = std::move(made);
    if (made_.reply.delay.count() == 0) return deliver();
    after(made_.reply.delay, &Session::deliver);
  }

  void deliver() {
    switch (made_.reply.delivery) {
      case Reply::Delivery::whole:
        return write(made_.keep_alive);
      case Reply::Delivery::cut:
        return write(false);
      case Reply::Delivery::reset:
        return reset();
      case Reply::Delivery::hang:
        return hang();
    }
  }

  void write(bool keep_alive) {
    enter(open_.taking);
    after(patience_, &Session::close);
    asio::async_write(socket_, asio::buffer(made_.bytes),
                      [self = shared_from_this(), keep_alive](Error error, std::size_t) {
                        self->made_ = {};
                        if (error || !keep_alive) return self->close();
                        self->listen();
                      });
  }

  // Sends nothing; the connection ends when the client gives up.
  void hang() {
    end();
    socket_.async_read_some(asio::buffer(chunk_),
                            [self = shared_from_this()](Error error, std::size_t) {
                              if (error) return self->close();
                              self->hang();
                            });
  }

  // A linger time of 0 makes the close an RST.
  void reset() {
    end();
    Error ignored;
    socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    socket_.close(ignored);
  }

  // Calls `then` after this time, unless something else happens before.
  void after(std::chrono::microseconds time, void (Session::*then)()) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this(), then, wait = ++wait_](Error error) {
      if (!error && wait == self->wait_) ((*self).*then)();
    });
  }

  void enter(std::list<Session*>& list) {
    leave();
    in_ = &list;
    place_ = list.insert(list.end(), this);
  }

  void leave() {
    if (in_ != nullptr) in_->erase(place_);
    in_ = nullptr;
  }

  // The session waits neither for a request nor for a time.
  void end() {
    leave();
    ++wait_;
    timer_.cancel();
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  const std::chrono::seconds patience_;
  Lanes& lanes_;
  Open& open_;
  std::list<Session*>* in_ = nullptr;  // of Open, with its place there; none: it is in neither
  std::list<Session*>::iterator place_;
  RequestReader reader_;
  std::array<char, 16 * 1024> chunk_{};
  std::uint64_t wait_ = 0;  // the number of the last wait
  Made made_;
};

}  // namespace

struct Server::Impl {
  Impl(ServerOptions given, Handler answer)
      : options(std::move(given)), handler(std::move(answer)), acceptor(context) {
    const tcp::endpoint here(asio::ip::make_address(options.host),
                             static_cast<unsigned short>(options.port));
    acceptor.open(here.protocol());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    acceptor.bind(here);
    acceptor.listen();
  }

  void accept() {
    acceptor.async_accept([this](Error error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      const bool is_full = open.sessions >= options.connections;
      Session* const gives_way = is_full ? open.who_gives_way() : nullptr;
      if (gives_way != nullptr) gives_way->close();
      if (!is_full || gives_way != nullptr) begin(std::move(socket));
      accept();
    });
  }

  void begin(tcp::socket socket) {
    Error ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<Session>(std::move(socket), options, lanes, open)->listen();
  }

  // Without a free descriptor a connection stays in the queue, and accepting would fail again at
  // once.
  void accept_later() {
    retry.expires_after(kRetry);
    retry.async_wait([this](Error error) {
      if (!error) accept();
    });
  }

  const ServerOptions options;
  const Handler handler;
  Open open;  // outlives the sessions, which the context and the lanes hold
  asio::io_context context{1};
  Lanes lanes{context, options, handler};
  tcp::acceptor acceptor;
  asio::steady_timer retry{context};
  std::thread thread;
};

Server::Server(ServerOptions options, Handler handler) {
  const std::string place = options.host + ":" + std::to_string(options.port);
  try {
    impl_ = std::make_unique<Impl>(std::move(options), std::move(handler));
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("cannot listen on " + place + ": " + error.code().message());
  }
  impl_->accept();
  impl_->thread = std::thread([this] { impl_->context.run(); });
}

Server::~Server() {
  impl_->context.stop();
  impl_->thread.join();
  impl_->lanes.stop();
}

unsigned short Server::port() const {
  return impl_->acceptor.local_endpoint().port();
}

}  // namespace http
