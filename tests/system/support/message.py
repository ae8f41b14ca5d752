# SPDX-License-Identifier: Apache-2.0
"""A numbered message: topic, source (4 bytes), number (8 bytes), send time (8 bytes), filling."""
import struct

TAIL = struct.Struct("<IQQ")

