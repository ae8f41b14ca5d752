// SPDX-License-Identifier: Apache-2.0
#include "config/keyfile.hpp"

#include "loading.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace sluice::config {
namespace {

const std::string k_one = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";
const std::string k_two = "#D#cQghfmvE$}i?fZT=fv^{C.wp$eeBbVHvqPfNs";  // may begin with #

class KeyFileTest : public testing::Test {
 protected:
  std::string file(const std::string& text, unsigned mode = 0600) {
    const auto path = scratch.write("key", text);
    std::filesystem::permissions(path, static_cast<std::filesystem::perms>(mode));
    return path.string();
  }
  template <typename Read>
  static std::string why(Read read) {
    try {
      static_cast<void>(read());
    } catch (const BadKeyFile& bad) {
      return bad.what();
    }
    return "fine";
  }

  sluice::test::ScratchDirectory scratch;
};

TEST_F(KeyFileTest, OneKey) {
  EXPECT_EQ(read_secret_key(file(k_one)), k_one);
  EXPECT_EQ(read_public_key(file("# mine\n\n  " + k_two + " alice\r\n", 0644)), k_two);
}

TEST_F(KeyFileTest, AListMayBeEmptyAndIsInNoOrder) {
  EXPECT_TRUE(read_key_list(file("#\n# nobody\n")).empty());
  EXPECT_EQ(read_key_list(file(k_one + "\n" + k_two + "\n")),
            read_key_list(file(k_two + "\n" + k_one)));
}

TEST_F(KeyFileTest, SaysWhatIsWrongAndNotWhatIsInIt) {
  EXPECT_NE(why([&] { return read_secret_key(file(k_one, 0604)); }).find("others"),
            std::string::npos);
  EXPECT_NE(why([&] { return read_secret_key(file(k_one, 0620)); }).find("chmod"),
            std::string::npos);
  EXPECT_EQ(why([&] { return read_secret_key(file(k_one, 0640)); }), "fine");
  EXPECT_NE(why([&] { return read_public_key(file("")); }).find("0 keys"), std::string::npos);
  EXPECT_NE(why([&] { return read_public_key(file(k_one + "\n" + k_two)); }).find("2 keys"),
            std::string::npos);
  EXPECT_NE(why([&] { return read_public_key("/no/such/file"); }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(why([&] { return read_public_key("/tmp"); }), "fine");
  const std::string bad = why([&] { return read_public_key(file("\n" + k_one + "x\n")); });
  EXPECT_NE(bad.find("line 2"), std::string::npos) << bad;
  EXPECT_EQ(bad.find(k_one), std::string::npos);
}

TEST_F(KeyFileTest, SectionsGetTheirKeys) {
  const std::string path = file(k_one);
  const LoadedConfig config = test::loaded(
      "[source f]\nbind = ipc:///f\n[sink k]\nbind = tcp://127.0.0.1:*\ncurve_secret_file = " +
      path + "\ncurve_allow_file = " + path + "\n");
  EXPECT_EQ(config.routes.at(0).sinks.at(0).curve.secret_key, k_one);
  EXPECT_EQ(config.routes.at(0).sinks.at(0).curve.zap_domain, "sink.k");
  EXPECT_EQ(config.routes.at(0).sources.at(0).curve, CurveOptions{});
  ASSERT_EQ(config.curve.size(), 1U);
  EXPECT_EQ(config.curve.at("sink.k").allowed, std::vector<std::string>{k_one});
  for (const KeyFile& read : config.key_files) EXPECT_EQ(read.section, "sink.k");
}

TEST_F(KeyFileTest, OtherKeysInTheSameFilesAreADifference) {
  const std::string path = file(k_one);
  const std::string text =
      "[source f]\nbind = ipc:///f\n[sink k]\nbind = tcp://127.0.0.1:*\n"
      "curve_secret_file = " +
      path + "\ncurve_allow_file = " + path + "\n";
  const LoadedConfig before = test::loaded(text);
  EXPECT_TRUE(diff(before, test::loaded(text)).empty());
  static_cast<void>(file(k_two));
  const auto changes = diff(before, test::loaded(text));
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].to_string(),
            "t.ini:5: sink.k.curve_secret_file: (former keys) -> (new keys)");
  EXPECT_EQ(changes[0].effect, Effect::recreate);
  EXPECT_EQ(changes[1].effect, Effect::live);
}

}  // namespace
}  // namespace sluice::config
