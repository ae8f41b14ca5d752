// SPDX-License-Identifier: Apache-2.0
#include "app/program.hpp"

#include <string>
#include <vector>

int main(int argc, char** argv) {
  return static_cast<int>(sluice::app::run_program({argv + (argc > 0 ? 1 : 0), argv + argc}));
}
