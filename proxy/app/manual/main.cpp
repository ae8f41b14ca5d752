// SPDX-License-Identifier: Apache-2.0
// sluice-pages FOLDER BENCH-HELP: writes the man pages and the bash completion. BENCH-HELP is a
// file with what `sluice-bench --help` prints; `-` leaves its page out.
#include "app/manual/pages.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

namespace {

bool write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text << std::flush;
  if (!out) std::cerr << "sluice-pages: cannot write " << file << '\n';
  return out.good();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sluice::app::manual;
  if (argc != 3) {
    std::cerr << "usage: sluice-pages FOLDER BENCH-HELP\n";
    return 64;
  }
  const std::filesystem::path folder(argv[1]);
  bool good = write(folder / "sluice.1", command_page()) &&
              write(folder / "sluice.conf.5", settings_page()) &&
              write(folder / "sluice.bash", bash_completion());
  if (std::string(argv[2]) != "-") {
    std::ifstream file(argv[2]);
    std::stringstream help;
    help << file.rdbuf();
    good = good && file.good() && write(folder / "sluice-bench.1", bench_page(help.str()));
  }
  return good ? 0 : 1;
}
