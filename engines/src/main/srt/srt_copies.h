/*
 * Copies of data packets that arrive although the packet has already arrived: recvmsg(2) of this
 * program, which the dynamic linker gives to libsrt in place of that of libc. libsrt counts a first
 * copy that comes after it has given the packet up like a copy of a delivered one.
 */
#ifndef LAGBENCH_SRT_COPIES_H
#define LAGBENCH_SRT_COPIES_H

#include <stdint.h>

/* The number of packets among which copies are found: no buffer of the library may hold more. */
enum { SRT_COPIES_PACKETS = 1 << 20 };

/* Returns the number of copies so far. Any thread may call it. */
int64_t srt_copies_needless(void);

#endif
