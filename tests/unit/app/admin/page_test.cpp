// SPDX-License-Identifier: Apache-2.0
#include "app/admin/page.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace sluice::app {
namespace {

std::string policy_of(const HttpResponse& response) {
  for (const auto& [name, value] : response.headers) {
    if (name == "Content-Security-Policy") return value;
  }
  return {};
}

TEST(Page, EachAnswerHasANonceOfItsOwn) {
  const HttpResponse one = page_response();
  const HttpResponse two = page_response();
  EXPECT_NE(policy_of(one), policy_of(two));
  std::smatch match;
  const std::string policy = policy_of(one);
  ASSERT_TRUE(std::regex_search(policy, match, std::regex("script-src 'nonce-([0-9a-f]{32})'")));
  EXPECT_NE(one.body.find("<script nonce=\"" + match[1].str() + "\">"), std::string::npos);
  EXPECT_NE(one.body.find("<style nonce=\"" + match[1].str() + "\">"), std::string::npos);
  EXPECT_EQ(one.body.find("@NONCE@"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
}

TEST(Page, NamesNoOutsideAddress) {
  std::string text(page_text());
  for (const char* allowed : {"http://www.w3.org/2000/svg"}) {
    for (std::size_t at = text.find(allowed); at != std::string::npos; at = text.find(allowed)) {
      text.erase(at, std::string(allowed).size());
    }
  }
  EXPECT_EQ(text.find("http:"), std::string::npos);
  EXPECT_EQ(text.find("https:"), std::string::npos);
  EXPECT_EQ(text.find("//cdn"), std::string::npos);
  EXPECT_FALSE(std::regex_search(text, std::regex(" (style|on[a-z]+)=\""))) << "inline";
}

}  // namespace
}  // namespace sluice::app
