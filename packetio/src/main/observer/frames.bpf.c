/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when each TCP segment of the connection with a run's packets left or arrived, like
 * packets.bpf.c, and which packets begin segments: a protocol puts headers, and perhaps other
 * messages, before packets. Needs Linux 6.12 to read bytes that are in other pages.
 */
#define FRAMES
#include "packets.bpf.c"
