// SPDX-License-Identifier: Apache-2.0
#include "receiver/zmtp_words.hpp"

namespace sluice::bench {

std::string zmtp_greeting() {
  std::string bytes(k_zmtp_greeting_size, '\0');
  bytes[0] = '\xff';
  bytes[8] = 1;  // as libzmq writes it; older peers read it as a length
  bytes[9] = '\x7f';
  bytes[10] = 3;
  bytes.replace(12, 4, "NULL");
  return bytes;
}

std::string zmtp_ready() {
  using namespace std::string_literals;
  return "\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03SUB"s;
}

std::string zmtp_subscription(std::string_view topic) {
  std::string frame;
  frame += '\0';
  frame += static_cast<char>(topic.size() + 1);
  frame += '\1';
  frame += topic;
  return frame;
}

}  // namespace sluice::bench
