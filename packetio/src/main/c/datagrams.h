/* Receives datagrams, by one system call for each or for several, with the clock read after the
 * call. */
#ifndef LAGBENCH_DATAGRAMS_H
#define LAGBENCH_DATAGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batch.h"
#include "descriptor.h"

/* A received datagram. The Java side reads the fields in this order. */
struct datagram {
    int64_t bytes;       /* the datagram's size, at most the stride */
    int64_t received_ns; /* CLOCK_REALTIME just after the call that received it */
    int64_t kernel_ns;   /* the kernel's stamp, CLOCK_REALTIME; 0 if it has none */
    int64_t offset;      /* offset in the buffer */
};

struct datagrams {
    int64_t last_sequence; /* the run's last packet, after which datagrams_receive_each does not
                              wait for another */
    int64_t latest_ns;     /* the latest received_ns, including earlier calls; 0 before the first */
    struct datagram each[]; /* one element for each datagram for which the buffer has space */
};

struct receive_mode {
    size_t stride;        /* distance of datagrams in the buffer, and maximum size of each */
    int count;            /* maximum number of datagrams, at most MAXIMUM_BATCH */
    bool joined;          /* whether the kernel joins datagrams (offload.h): then the buffer has
                             OFFLOAD_BUFFER_BYTES, and the datagrams are contiguous */
    bool stamped;         /* whether kernel stamps are enabled (receive_stamps.h) */
    int64_t busy_poll_ns; /* how long each system call is repeated before it sleeps */
};

/* Waits for a datagram and receives the available ones by the same system call. Returns the number
 * of datagrams, -errno or DESCRIPTOR_ENDED. */
int datagrams_receive_batch(struct descriptor *descriptor, char *buffer,
                            const struct receive_mode *mode, struct datagrams *received);

/*
 * Receives each datagram by its own blocking system call, as long as one closely follows another;
 * stops after the last packet or a late one. Returns the number of datagrams, -errno if the first
 * call failed, or DESCRIPTOR_ENDED. If a later system call fails, the next call returns its -errno.
 */
int datagrams_receive_each(struct descriptor *descriptor, char *buffer,
                           const struct receive_mode *mode, struct datagrams *received);

#endif
