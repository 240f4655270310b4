/* Datagrams received several by a system call or one, with the clock read after the call. */
#ifndef LAGBENCH_DATAGRAMS_H
#define LAGBENCH_DATAGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batch.h"
#include "descriptor.h"

/* A received datagram. The Java side reads these in this order. */
struct datagram {
    int64_t bytes;       /* at most as many as there was room for */
    int64_t received_ns; /* just after the call that received it, CLOCK_REALTIME */
    int64_t kernel_ns;   /* the kernel's stamp, CLOCK_REALTIME; 0 if it has none */
    int64_t offset;      /* where it begins in the buffer */
};

struct datagrams {
    int64_t last_sequence; /* of the packet after which datagrams_receive_each waits for none */
    int64_t latest_ns; /* received_ns of the latest, of earlier calls as well; 0 before the first */
    struct datagram each[]; /* as many as there is room for */
};

struct reception {
    size_t stride; /* from one datagram's place to the next, and the most bytes taken of each */
    int count;     /* the most datagrams, at most MAXIMUM_BATCH */
    bool joined;   /* the kernel joins datagrams (offload.h): the buffer has room for
                      OFFLOAD_BUFFER_BYTES, and they lie one behind the other */
    bool stamped;  /* the kernel's stamps are enabled (receive_stamps.h) */
    int64_t busy_poll_ns; /* how long each system call is repeated before it sleeps */
};

/*
 * Waits for a datagram and takes by the same system call those that are there. Returns how many,
 * -errno or DESCRIPTOR_ENDED.
 */
int datagrams_receive_batch(struct descriptor *descriptor, char *buffer,
                            const struct reception *how, struct datagrams *received);

/*
 * Takes datagrams each by its own system call, which waits for it, as long as one closely follows
 * another: none after the last packet, or after one that came late. Returns how many, the -errno if
 * the first failed, or DESCRIPTOR_ENDED. The -errno of a system call after others is returned by
 * the next call.
 */
int datagrams_receive_each(struct descriptor *descriptor, char *buffer, const struct reception *how,
                           struct datagrams *received);

#endif
