// SPDX-License-Identifier: Apache-2.0
// Whole messages in and out, without waiting: socket_io, Message and Frame.
#include "core/zmq/socket_io.hpp"

#include <gtest/gtest.h>
#include <zmq.hpp>

#include <cerrno>
#include <string>

namespace sluice::core {
namespace {

class SocketIo : public testing::Test {
 protected:
  SocketIo() {
    a.bind("inproc://pair");
    b.connect("inproc://pair");
  }
  static std::string text(const Frame& frame) {
    const auto bytes = frame.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  zmq::context_t context;
  zmq::socket_t a{context, zmq::socket_type::pair};
  zmq::socket_t b{context, zmq::socket_type::pair};
  Message message;
  std::size_t done = 0;
};

TEST_F(SocketIo, says_EAGAIN_when_there_is_nothing) {
  EXPECT_EQ(receive_whole(a.handle(), message), EAGAIN);
  EXPECT_TRUE(message.empty());
}

TEST_F(SocketIo, reads_and_writes_all_frames) {
  a.send(zmq::buffer("one", 3), zmq::send_flags::sndmore);
  a.send(zmq::message_t{}, zmq::send_flags::sndmore);
  a.send(zmq::buffer(std::string(5000, 'x')), zmq::send_flags::none);
  ASSERT_EQ(receive_whole(b.handle(), message), 0);
  ASSERT_EQ(message.frames(), 3U);
  EXPECT_EQ(message.size(), 5003U);
  EXPECT_EQ(text(message.frame(0)), "one");
  ASSERT_EQ(send_shared(b.handle(), message, done), 0);
  EXPECT_EQ(message.size(), 5003U);  // keeps its bytes
  ASSERT_EQ(send_whole(b.handle(), message, done), 0);
  message.clear();
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(receive_whole(a.handle(), message), 0);
    EXPECT_EQ(message.frames(), 3U);
    EXPECT_EQ(message.size(), 5003U);
    message.clear();
  }
}

TEST_F(SocketIo, is_full_without_taking_anything) {
  zmq::socket_t push{context, zmq::socket_type::push};
  push.bind("inproc://nobody");
  a.send(zmq::buffer("x", 1), zmq::send_flags::none);
  ASSERT_EQ(receive_whole(b.handle(), message), 0);
  EXPECT_EQ(send_whole(push.handle(), message, done), EAGAIN);
  EXPECT_EQ(message.size(), 1U);
}

TEST_F(SocketIo, a_socket_whose_turn_it_is_not_is_EAGAIN_too) {
  zmq::socket_t rep{context, zmq::socket_type::rep};
  rep.bind("inproc://rep");
  a.send(zmq::buffer("x", 1), zmq::send_flags::none);
  ASSERT_EQ(receive_whole(b.handle(), message), 0);
  EXPECT_EQ(send_whole(rep.handle(), message, done), EAGAIN);
}

}  // namespace
}  // namespace sluice::core
