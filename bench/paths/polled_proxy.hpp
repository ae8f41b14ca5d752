// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::bench {

/// A proxy as libzmq's was up to 4.3.1 on its public calls: before every `burst` messages it polls
/// all sockets for input and for output. 1 is what 4.3.1 does (the subject of the measurements of
/// 2019), 1000 is near to 4.3.4. Any command on the REP socket `control` is answered by an empty
/// frame; TERMINATE makes it return.
void polled_proxy(void* front, void* back, void* control, std::uint32_t burst);

}  // namespace sluice::bench
