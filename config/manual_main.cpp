// SPDX-License-Identifier: Apache-2.0
// sluice-manual FILE: prints FILE with the keys between its marks made anew from the table.
#include "config/manual.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: sluice-manual README.md\n";
    return 64;
  }
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) {
    std::cerr << "sluice-manual: cannot read " << argv[1] << '\n';
    return 1;
  }
  std::cout << sluice::config::with_manual(text.str());
  return std::cout.good() ? 0 : 1;
}
