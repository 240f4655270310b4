/* Datagrams sent and received several a call (sendmmsg(2), recvmmsg(2)), or one, with the clock's
 * readings around it. */
#ifndef LAGBENCH_DATAGRAMS_H
#define LAGBENCH_DATAGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_stamps.h"
#include "descriptor.h"

/* org.lagbench.packetio.socket.ReceiveBatch has the same. */
enum { MOST_DATAGRAMS = 64 };

/* What is told of a datagram that was received. */
struct datagram {
    int64_t bytes;       /* no more than there was room for */
    int64_t received_ns; /* just after the call that received it, CLOCK_REALTIME */
    int64_t kernel_ns;   /* the kernel's stamp of its coming, CLOCK_REALTIME; 0 if it has none */
};

/* What is told of those that were received, and what must be known for that. */
struct datagrams {
    int64_t last_sequence; /* of the packet after which none is waited for */
    int64_t latest_ns; /* received_ns of the latest, of earlier calls as well; 0 before the first */
    struct datagram each[]; /* as many as there is room for */
};

/*
 * Sends packets of one size, which lie one behind the other, over a connected socket, each by a
 * call of its own with its own stamps; waits while the send buffer is full. Returns how many the
 * kernel took. If a call fails, none follows it: failure gets its -errno, which the kernel does not
 * tell again, else 0.
 */
int datagrams_send_each(int fd, char *packets, size_t packet_bytes, int count,
                        struct send_stamps *stamps, int *failure);

/*
 * The same by one call, which all of them, no more than MOST_DATAGRAMS, have the stamps of. Returns
 * how many the kernel took, 1 or more, or -errno if it did not take the first.
 */
int datagrams_send_together(int fd, char *packets, size_t packet_bytes, int count,
                            struct send_stamps *stamps);

/* How datagrams are received. */
struct reception {
    size_t stride; /* each is put as many bytes behind the one before, and cut off after as many */
    int count;     /* how many at the most, MOST_DATAGRAMS or fewer */
    bool stamped; /* whether the kernel's stamps were enabled (stamped_receive.h) and are looked for
                   */
    int64_t busy_poll_ns; /* how long each system call's wait goes on without sleeping */
};

/*
 * Receives by one system call all datagrams that are there, and if there is none waits until there
 * is one. Returns how many, 1 or more, or -errno. If the descriptor was ended, what is told is not
 * to be used: nothing, or an empty datagram.
 */
int datagrams_receive_together(const struct descriptor *descriptor, char *packets,
                               const struct reception *how, struct datagrams *told);

/*
 * Receives datagrams, each by a system call of its own that waits for it, for as long as one
 * follows closely upon another: none is waited for after the last packet, or after one that came
 * late. Returns how many. If a call fails or the descriptor is ended, none follows it: failure gets
 * the -errno, else 0.
 */
int datagrams_receive_each(const struct descriptor *descriptor, char *packets,
                           const struct reception *how, struct datagrams *told, int *failure);

#endif
