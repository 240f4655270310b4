/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when each TCP segment of the connection that brings a run's packets reached the kernel,
 * like arrivals.bpf.c, and which packets begin segments: a protocol puts headers, and perhaps other
 * messages, before packets. Needs Linux 6.12 to read bytes that are in other pages.
 */
#define FRAMES
#include "arrivals.bpf.c"
