// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <fstream>
#include <string>

namespace sluice::test {
namespace {

// What the whole process, libzmq included, calls by these names has to be this program's own.
TEST(Interposer, EveryNameIsExportedByTheProgram) {
  Dl_info own{};
  ASSERT_NE(::dladdr(::dlsym(RTLD_DEFAULT, "sluice_interposer_v1"), &own), 0);
  std::ifstream list{SLUICE_INTERPOSED_NAMES};
  int names = 0;
  for (std::string line; std::getline(list, line);) {
    const auto from = line.find_first_not_of(" {};");
    if (from == std::string::npos) {
      continue;
    }
    const std::string name = line.substr(from, line.find(';') - from);
    Dl_info info{};
    void* const address = ::dlsym(RTLD_DEFAULT, name.c_str());
    ASSERT_NE(address, nullptr) << name;
    ASSERT_NE(::dladdr(address, &info), 0) << name;
    EXPECT_EQ(info.dli_fbase, own.dli_fbase) << name << " is " << info.dli_fname << "'s";
    ++names;
  }
  EXPECT_GT(names, 60);
}

}  // namespace
}  // namespace sluice::test
