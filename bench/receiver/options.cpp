// SPDX-License-Identifier: Apache-2.0
#include "receiver/options.hpp"

#include <stdexcept>

namespace sluice::bench {

std::vector<std::string> to_arguments(const ReceiverOptions& options) {
  std::vector<std::string> words{
      "kind=" + options.kind,
      "sources=" + std::to_string(options.sources),
      "subscribers=" + std::to_string(options.subscribers),
      "idle=" + std::to_string(options.idle),
      "idle_topics=" + std::to_string(options.idle_topics),
      "rounds=" + std::to_string(static_cast<int>(options.rounds)),
  };
  for (const auto& endpoint : options.endpoints) words.push_back("endpoint=" + endpoint);
  return words;
}

ReceiverOptions parse_arguments(const std::vector<std::string>& words) {
  ReceiverOptions options;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("not key=value: " + word);
    const auto key = word.substr(0, equals);
    const auto value = word.substr(equals + 1);
    if (key == "kind") {
      options.kind = value;
    } else if (key == "sources") {
      options.sources = std::stoul(value);
    } else if (key == "subscribers") {
      options.subscribers = std::stoul(value);
    } else if (key == "idle") {
      options.idle = std::stoul(value);
    } else if (key == "idle_topics") {
      options.idle_topics = std::stoul(value);
    } else if (key == "rounds") {
      const auto number = std::stoul(value);
      if (number > 2) throw std::invalid_argument("unknown: " + word);
      options.rounds = static_cast<ReceiverOptions::Rounds>(number);
    } else if (key == "endpoint") {
      options.endpoints.push_back(value);
    } else {
      throw std::invalid_argument("unknown: " + word);
    }
  }
  return options;
}

std::string idle_topic(std::size_t index) {
  return "idle." + std::to_string(index) + ".none";
}

}  // namespace sluice::bench
