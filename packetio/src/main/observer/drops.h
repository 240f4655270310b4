/*
 * The UDP datagrams of a run that the kernel dropped on their way to a port, with its reasons,
 * recorded by a BPF program at its tracepoint of dropped packets (drops.bpf.c). Needs Linux 6.1 or
 * later with BTF, and CAP_BPF and CAP_PERFMON. The program is removed when the process ends,
 * however it ends. Not thread-safe.
 */
#ifndef LAGBENCH_DROPS_H
#define LAGBENCH_DROPS_H

#include <stdint.h>

struct drops;

/* The layout of LinuxDrops.read. */
struct drop_stamp {
    int64_t dropped_ns; /* CLOCK_REALTIME; 0 if the datagram is not known */
    int64_t sequence;   /* number of its first packet, 32 bits */
    int64_t bytes;      /* bytes of data */
    int64_t reason;     /* an enum skb_drop_reason of this kernel */
};

/*
 * Loads the program, which records nothing yet.
 *
 * capacity: the number of drops for which to take memory, 24 bytes each
 * Returns 0, with the record to be closed in opened; or -errno: -EPERM without the capabilities,
 * -ENOENT if the kernel has no BTF, another one if it refuses the program.
 */
int drops_open(uint32_t capacity, struct drops **opened);

/*
 * Starts to record the datagrams whose first packet has a tag, for a port of this network
 * namespace.
 *
 * header_bytes: of a datagram's data, before its first packet
 * Returns 0 or -errno.
 */
int drops_start(struct drops *drops, uint16_t port, uint64_t tag, uint32_t header_bytes);

/* Ends the recording. */
void drops_stop(struct drops *drops);

/* Copies stamps from a number on, in the order of the drops. Returns how many, at most capacity. */
int drops_read(const struct drops *drops, int64_t from, struct drop_stamp *stamps, int capacity);

/* Returns the number of drops without space, and of dropped packets that the kernel did not pass.
 */
int64_t drops_lost(const struct drops *drops);

void drops_close(struct drops *drops);

#endif
