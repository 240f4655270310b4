/*
 * The arrivals of the TCP segments or the UDP datagrams of a run for one port, recorded by a BPF
 * program at the kernel's tracepoints of received packets (arrivals.bpf.c). Needs Linux 6.1 or
 * later with BTF, and CAP_BPF and CAP_PERFMON. The program is removed when the process ends,
 * however it ends. Not thread-safe.
 */
#ifndef LAGBENCH_ARRIVALS_H
#define LAGBENCH_ARRIVALS_H

#include <stdint.h>

struct arrivals;

/* The layout of LinuxArrivals.read. */
struct arrival_stamp {
    int64_t arrived_ns; /* CLOCK_REALTIME; 0 if the segment or datagram is not known */
    int64_t sequence;   /* number of a segment's first byte or a datagram's first packet, 32 bits */
    int64_t bytes;      /* bytes of data */
};

/*
 * Loads the program, which records nothing yet.
 *
 * capacity: the number of arrivals for which to take memory, 16 bytes each
 * Returns 0, with the record to be closed in opened; or -errno: -EPERM without the capabilities,
 * -ENOENT if the kernel has no BTF, another one if it refuses the program.
 */
int arrivals_open(uint32_t capacity, struct arrivals **opened);

/* Starts to record segments for a port of this network namespace. Returns 0 or -errno. */
int arrivals_start_stream(struct arrivals *arrivals, uint16_t port);

/*
 * Starts to record the datagrams whose first packet has a tag, for a port of this network
 * namespace.
 *
 * header_bytes: of a datagram's data, before its first packet
 * Returns 0 or -errno.
 */
int arrivals_start_datagrams(struct arrivals *arrivals, uint16_t port, uint64_t tag,
                             uint32_t header_bytes);

/* Ends the recording. */
void arrivals_stop(struct arrivals *arrivals);

/* Copies stamps from a number on, in the order of arrival. Returns how many, at most capacity. */
int arrivals_read(const struct arrivals *arrivals, int64_t from, struct arrival_stamp *stamps,
                  int capacity);

/* Returns the number of arrivals without space, and of packets that the kernel did not pass. */
int64_t arrivals_lost(const struct arrivals *arrivals);

/* Returns the number of segments with data from another sender than the first. */
int64_t arrivals_foreign(const struct arrivals *arrivals);

void arrivals_close(struct arrivals *arrivals);

#endif
