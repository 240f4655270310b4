/* What the engine does differently over TCP and over UDP: a table each, tcp_wire.c and udp_wire.c.
 */
#ifndef LAGBENCH_WIRE_H
#define LAGBENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "address.h"
#include "batch.h"
#include "descriptor.h"
#include "options.h"

struct receive_loop;

struct wire_sender {
    /* Prepares and connects the socket; has_sent says that an earlier connection of this sender
     * has begun the run. Returns how many bytes of the first packet were sent, or -errno. */
    int (*open)(struct descriptor *socket, const struct address *receiver,
                const struct options *options, bool has_sent);

    /* Sends several packets by one system call (batch.h). */
    int (*send)(struct descriptor *descriptor, const struct batch *batch,
                struct send_stamps *stamps);

    /* Replies with the socket's metadata. Returns 0 or -errno. */
    int (*statistics)(int fd, const struct options *options);

    /* Reply with the reason for an errno. */
    void (*open_failed)(const struct options *options, int error);
    void (*send_failed)(const struct options *options, int error);
};

struct wire_receiver {
    /* Binds the socket, and reaches out to the sender if the options name it. Returns 0 or -errno.
     */
    int (*open)(int fd, const struct address *address, const struct options *options);

    /* Waits on the listening socket for the connection of the sender. Returns 0, -errno or
     * DESCRIPTOR_ENDED. NULL if there are no connections. */
    int (*accept)(struct receive_loop *loop);

    /* Receives once, as receive_loop_once. */
    int (*receive)(struct receive_loop *loop);

    /* Returns the space in the buffer for a datagram or, of a stream, for a read. */
    size_t (*stride)(size_t packet_bytes);

    void (*open_failed)(const struct options *options, int error);
};

struct wire {
    const char *receiving; /* the end of messages: "over TCP" */
    int socket_type;       /* the type in socket(2) */
    int reuse;             /* the option of a socket that binds a port in use: of UDP by the socket
                              at which the receiver's first packet arrived, of TCP by connections
                              that have ended */
    bool loses_packets;    /* packets can be lost, and each has its own error and stamp */
    struct wire_sender sender;
    struct wire_receiver receiver;
};

extern const struct wire tcp_wire, udp_wire;

static inline const struct wire *wire_of(const struct options *options)
{
    return options->is_stream ? &tcp_wire : &udp_wire;
}

#endif
