// SPDX-License-Identifier: Apache-2.0
#include "config/refused.hpp"

#include "config/text.hpp"

#include <algorithm>
#include <array>

namespace sluice::config {
namespace {

constexpr auto k_refused = std::to_array<Refused>({
    {"verbose verboser xpub_verbose xpub_verboser", "verbose subscriptions",
     "every topic travels to the sources once, with the first subscriber, and back with the last"},
    {"exact exact_match", "exact matching",
     "topics match by prefix, as in ZeroMQ; let topics end in a separator"},
    {"manual xpub_manual filter hook hooks rewrite", "subscription filters",
     "subscriptions are passed on as they come"},
    {"last_value lvc cache welcome welcome_msg xpub_welcome_msg", "last-value caching",
     "a subscriber gets what is published after its subscription"},
    {"conflate", "conflate", "it breaks messages of several frames and loses subscribers"},
    {"persist persistence store spool journal", "persistence",
     "messages are held in memory only, up to the marks"},
    {"tls tls_cert tls_key https", "TLS", "put a TLS proxy before the port"},
    {"curve curve_server curve_secret curve_secret_key curve_public curve_public_key "
     "curve_public_file curve_server_key curve_allow",
     "keys in the configuration",
     "they stand in files: curve_secret_file, curve_server_key_file, curve_allow_file"},
});

}  // namespace

std::span<const Refused> refused() noexcept {
  return k_refused;
}

std::string refused_text(std::string_view key) {
  for (const Refused& entry : k_refused) {
    const auto words = split(entry.words, ' ');
    if (std::find(words.begin(), words.end(), key) == words.end()) continue;
    return std::string(key) + ": Sluice does not do " + std::string(entry.what) + ": " +
           std::string(entry.why);
  }
  return {};
}

}  // namespace sluice::config
