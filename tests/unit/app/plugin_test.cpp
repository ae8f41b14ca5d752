// SPDX-License-Identifier: Apache-2.0
#include "app/feed/plugin_thread.hpp"
#include "support/deadline.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>
#include <zmq.hpp>

#include <fstream>
#include <stdexcept>

namespace sluice::app {
namespace {

std::string reason(const std::string& path) {
  try {
    static_cast<void>(PluginLibrary::open(path));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "loaded";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PluginLibrary, SaysWhyItCannotBeUsed) {
  EXPECT_EQ(reason(EXAMPLE_PLUGIN), "loaded");
  EXPECT_TRUE(holds(reason("/nonexistent/plugin.so"), "/nonexistent/plugin.so"));
  EXPECT_TRUE(holds(reason(WRONG_ABI_PLUGIN), "ABI version 2, this program has 1"));
  EXPECT_TRUE(holds(reason(NO_RUN_PLUGIN), "does not export sluice_source_run"));
  const test::ScratchDirectory scratch;
  const auto text = scratch.write("text.so", "not a library");
  EXPECT_TRUE(holds(reason(text), "text.so"));
}

TEST(PluginThread, TheExamplePublishesAndStops) {
  zmq::context_t context;
  zmq::socket_t frontend(context, zmq::socket_type::xsub);
  frontend.set(zmq::sockopt::linger, 0);
  frontend.set(zmq::sockopt::rcvtimeo, static_cast<int>(test::patience().count()));
  frontend.bind("inproc://feed");
  frontend.send(zmq::str_buffer("\x01"), zmq::send_flags::none);
  Log log({});
  PluginThread plugin(context.handle(), {"mine", "market", EXAMPLE_PLUGIN, "interval_ms=1"},
                      PluginLibrary::open(EXAMPLE_PLUGIN), "inproc://feed", log);
  zmq::message_t message;
  ASSERT_TRUE(frontend.recv(message));
  EXPECT_EQ(message.to_string().substr(0, 6), "clock ");
  plugin.request_stop();
  plugin.join();
}

TEST(PluginThread, EndsWithTheContext) {
  zmq::context_t context;
  zmq::socket_t frontend(context, zmq::socket_type::xsub);
  frontend.bind("inproc://feed");
  Log log({});
  PluginThread plugin(context.handle(), {"mine", "market", EXAMPLE_PLUGIN, "interval_ms=100000"},
                      PluginLibrary::open(EXAMPLE_PLUGIN), "inproc://feed", log);
  context.shutdown();
  plugin.join();
}

}  // namespace
}  // namespace sluice::app
