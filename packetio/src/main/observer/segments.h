/*
 * The arrivals of the TCP segments for one port, recorded by a BPF program at the kernel's
 * tracepoints of received packets (segments.bpf.c). Needs Linux 6.1 or later with BTF, and CAP_BPF
 * and CAP_PERFMON. The program is removed when the process ends, however it ends. Not thread-safe.
 */
#ifndef LAGBENCH_SEGMENTS_H
#define LAGBENCH_SEGMENTS_H

#include <stdint.h>

struct segments;

/* The layout of TcpSegments.read. */
struct segment_arrival {
    int64_t arrived_ns; /* CLOCK_REALTIME; 0 if the segment is not known */
    int64_t sequence;   /* of its first byte, modulo 2 to the 32 */
    int64_t bytes;
};

/*
 * Loads the program, which records nothing yet.
 *
 * capacity: the number of segments for which to take memory, 16 bytes each
 * Returns 0, with the record to be closed in opened; or -errno: -EPERM without the capabilities,
 * -ENOENT if the kernel has no BTF, another one if it refuses the program.
 */
int segments_open(uint32_t capacity, struct segments **opened);

/* Starts to record segments for a port of this network namespace. Returns 0 or -errno. */
int segments_start(struct segments *segments, uint16_t port);

/* Ends the recording. */
void segments_stop(struct segments *segments);

/* Copies segments from a number on, in the order of arrival. Returns how many, at most capacity. */
int segments_read(const struct segments *segments, int64_t from, struct segment_arrival *arrivals,
                  int capacity);

/* Returns the number of segments without space, and of packets that the kernel did not pass. */
int64_t segments_lost(const struct segments *segments);

/* Returns the number of segments with data from another sender than the first. */
int64_t segments_foreign(const struct segments *segments);

void segments_close(struct segments *segments);

#endif
