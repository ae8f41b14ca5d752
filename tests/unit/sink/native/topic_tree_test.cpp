// SPDX-License-Identifier: Apache-2.0
#include "sink/native/topic_tree.hpp"

#include "sink/native/topic_set.hpp"
#include "sink/native/zmtp/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sluice::sink;
using sluice::zmtp::as_bytes;

// The tree never looks behind a posting.
Group* const k_somebody = reinterpret_cast<Group*>(0x1000);

class TopicTreeTest : public testing::Test {
 protected:
  void add(const std::string& topic) {
    tree.insert(as_bytes(topic)).postings.push_back(k_somebody);
  }
  void remove(const std::string& topic) {
    TopicNode* node = tree.find(as_bytes(topic));
    ASSERT_NE(node, nullptr);
    node->postings.clear();
    tree.prune(*node);
  }
  std::set<std::string> match(const std::string& message) {
    std::set<std::string> found;
    tree.match(as_bytes(message), [&](const TopicNode& node) {
      EXPECT_TRUE(found.insert(TopicTree::topic_of(node)).second);
    });
    return found;
  }

  TopicTree tree;
};

using Topics = std::set<std::string>;

TEST_F(TopicTreeTest, MatchesPrefixes) {
  for (const auto& topic : {"", "a", "ab", "abc", "b", "abd"}) add(topic);
  EXPECT_EQ(match(""), Topics{""});
  EXPECT_EQ(match("abcd"), (Topics{"", "a", "ab", "abc"}));
  EXPECT_EQ(match("abx"), (Topics{"", "a", "ab"}));
  EXPECT_EQ(match("c"), Topics{""});
  remove("");
  remove("ab");
  EXPECT_EQ(match("abcd"), (Topics{"a", "abc"}));
}

TEST_F(TopicTreeTest, NodesStayWhereTheyAre) {
  add("hello");
  const TopicNode* node = tree.find(as_bytes("hello"));
  add("help");
  add("he");
  add("hello world");
  EXPECT_EQ(tree.find(as_bytes("hello")), node);
  remove("help");
  remove("he");
  EXPECT_EQ(tree.find(as_bytes("hello")), node);
  EXPECT_EQ(TopicTree::topic_of(*node), "hello");
}

TEST_F(TopicTreeTest, VeryLongTopicsAndDeepOnesNeedNoStack) {
  const std::string deep(3'000, 'x');
  for (std::size_t i = 1; i <= deep.size(); ++i) add(deep.substr(0, i));
  EXPECT_EQ(match(deep).size(), deep.size());
  for (std::size_t i = deep.size(); i > 0; i -= 2) remove(deep.substr(0, i));
  EXPECT_EQ(match(deep).size(), deep.size() / 2);
}

TEST_F(TopicTreeTest, AgreesWithASetWhateverHappens) {
  std::mt19937 random{7};
  std::set<std::string> model;
  const auto word = [&random] {
    std::string text(random() % 7, '\0');
    for (auto& c : text) c = static_cast<char>("ab\0\xFF"[random() % 4]);
    return text;
  };
  for (int step = 0; step < 20'000; ++step) {
    const std::string topic = word();
    if (model.contains(topic)) {
      remove(topic);
      model.erase(topic);
    } else {
      add(topic);
      model.insert(topic);
    }
    const std::string message = word() + word();
    Topics wanted;
    for (std::size_t i = 0; i <= message.size(); ++i) {
      if (model.contains(message.substr(0, i))) wanted.insert(message.substr(0, i));
    }
    ASSERT_EQ(match(message), wanted) << step;
  }
}

TEST(TopicSet, AgreesWithASetWhateverHappens) {
  std::mt19937 random{11};
  std::vector<TopicNode> nodes(500);
  for (const std::size_t range : {4U, 20U, 500U}) {
    TopicSet set;
    std::set<const TopicNode*> model;
    for (int step = 0; step < 20'000; ++step) {
      TopicNode& node = nodes[random() % range];
      ASSERT_EQ(set.contains(node), model.contains(&node));
      if (model.erase(&node) != 0) {
        set.erase(node);
      } else {
        set.insert(node);
        model.insert(&node);
      }
      ASSERT_EQ(set.size(), model.size());
    }
    TopicSet same;
    for (const auto* node : model) same.insert(const_cast<TopicNode&>(*node));
    EXPECT_TRUE(set.same_as(same));
    EXPECT_EQ(set.hash(), same.hash());
    std::size_t resume = 0;
    std::size_t taken = 0;
    while (TopicNode* node = set.take_any(resume)) {
      EXPECT_EQ(model.count(node), 1U);
      ++taken;
    }
    EXPECT_EQ(taken, model.size());
    EXPECT_EQ(set.size(), 0U);
    EXPECT_EQ(set.hash(), 0U);
  }
}

}  // namespace
