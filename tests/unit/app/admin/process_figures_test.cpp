// SPDX-License-Identifier: Apache-2.0
#include "app/admin/process_figures.hpp"

#include <gtest/gtest.h>
#include <zmq.hpp>

#include <ctime>

namespace sluice::app {
namespace {

TEST(ProcessFigures, ArePlausible) {
  const ProcessFigures figures = read_process_figures();
  EXPECT_GT(figures.cpu_seconds, 0);
  EXPECT_NEAR(figures.start_time, static_cast<double>(std::time(nullptr)), 3600);
  EXPECT_GT(figures.resident_bytes, 1U << 20U);
  EXPECT_GT(figures.virtual_bytes, figures.resident_bytes);
  EXPECT_GE(figures.open_descriptors, 3U);
  EXPECT_GE(figures.most_descriptors, figures.open_descriptors);
  EXPECT_GE(figures.threads, 1U);
}

TEST(ProcessFigures, DescriptorsAndThreadsFollow) {
  const ProcessFigures before = read_process_figures();
  zmq::context_t context;
  zmq::socket_t socket(context, zmq::socket_type::pub);
  const ProcessFigures after = read_process_figures();
  EXPECT_GT(after.open_descriptors, before.open_descriptors);
  EXPECT_GE(after.threads, before.threads + 2);
  EXPECT_GE(after.io_cpu_seconds, 0);
}

}  // namespace
}  // namespace sluice::app
