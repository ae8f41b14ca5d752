// SPDX-License-Identifier: Apache-2.0
#include "app/load/ledger.hpp"

#include <gtest/gtest.h>

namespace sluice::app::load {
namespace {

TEST(LoadLedger, CountsWhatIsMissingAndWhatIsOutOfOrder) {
  Ledger ledger(true);
  for (const std::uint64_t n : {0U, 1U, 4U, 5U, 3U, 6U}) EXPECT_TRUE(ledger.take(1, n));
  EXPECT_EQ(ledger.received(), 6U);
  EXPECT_EQ(ledger.lost(), 2U);
  EXPECT_EQ(ledger.disorder(), 1U);
}

TEST(LoadLedger, KeepsStreamsApart) {
  Ledger ledger(true);
  for (std::uint64_t n = 0; n < 10; ++n) {
    ledger.take(1, n);
    ledger.take(2, n);
  }
  EXPECT_EQ(ledger.lost() + ledger.disorder(), 0U);
  EXPECT_EQ(ledger.streams(), 2U);
}

TEST(LoadLedger, WholeStreamsBeginWithTheirFirstMessage) {
  Ledger whole(true);
  whole.take(1, 7);
  EXPECT_EQ(whole.lost(), 7U);
  Ledger joined;
  joined.take(1, 7);
  EXPECT_EQ(joined.lost(), 0U);
}

TEST(LoadLedger, WhatIsMissingAtTheEndIsLost) {
  Ledger ledger(true);
  ledger.take(1, 0);
  ledger.end(1, 3);
  ledger.end(2, 5);
  ledger.end(1, 3);  // once
  EXPECT_EQ(ledger.lost(), 7U);
}

TEST(LoadLedger, APublisherThatBeginsAgainIsNotOutOfOrder) {
  Ledger ledger;
  for (const std::uint64_t n : {5U, 6U, 0U, 1U}) ledger.take(1, n);
  EXPECT_EQ(ledger.lost() + ledger.disorder(), 0U);
}

TEST(LoadLedger, TooManyStreamsAreSomebodyElses) {
  Ledger ledger;
  bool taken = true;
  for (std::uint64_t stream = 0; taken && stream < 200'000; ++stream)
    taken = ledger.take(stream, 0);
  EXPECT_FALSE(taken);
}

TEST(LoadLedger, AStreamIsTheSameWithDotsBehindItsTopic) {
  const std::string_view padded = "eur.........";
  EXPECT_EQ(stream_of("p", "eur"),
            stream_of(source_id("p"), std::as_bytes(std::span(padded.data(), padded.size()))));
  EXPECT_NE(stream_of("p", "eur"), stream_of("p", "usd"));
  EXPECT_NE(stream_of("p", "eur"), stream_of("q", "eur"));
}

}  // namespace
}  // namespace sluice::app::load
