#include "rpc_receiver.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acceptor.h"
#include "accounting.h"
#include "address.h"
#include "capture_failure.h"
#include "clocks.h"
#include "completion.h"
#include "descriptor.h"
#include "protocol.h"
#include "replies.h"
#include "rpc_messages.h"
#include "worker.h"

enum { BACKLOG = 64 };

struct rpc_receiver {
    const struct options *options;
    struct capture capture;
    struct accounting accounting;
    struct rpc_packet packet;
    struct worker worker;
    int listening;
    _Atomic int fd; /* the sender's connection; -1 before and after it */
    _Atomic bool ended;
};

/* libtirpc passes nothing of the caller's to a dispatch function. */
static struct rpc_receiver receiver;

static void count(int64_t received_ns, int64_t replied_ns)
{
    struct accounting *accounting = &receiver.accounting;

    if (receiver.packet.count != (u_int)receiver.options->packet_bytes)
        accounting_count_foreign(accounting);
    else if (receiver.options->packet_bytes < PACKET_HEADER_BYTES)
        accounting_next_packet(accounting, received_ns, replied_ns);
    else
        accounting_packet(accounting, receiver.packet.bytes, received_ns, replied_ns);
}

/* libtirpc ends the connection if a reply cannot be sent; the sender's call then fails. */
static void answer(SVCXPRT *transport, int64_t received_ns)
{
    int64_t replied_ns = realtime_ns();

    if (receiver.packet.count >= PACKET_HEADER_BYTES)
        packet_put_sent_ns(receiver.packet.bytes, replied_ns);
    (void)svc_sendreply(transport, (xdrproc_t)rpc_xdr_packet, &receiver.packet);
    count(received_ns, replied_ns);
}

static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    int64_t received_ns;

    if (request->rq_proc == NULLPROC) {
        (void)svc_sendreply(transport, (xdrproc_t)rpc_xdr_nothing, NULL);
        return;
    }
    if (request->rq_proc != RPC_PROCEDURE_COUNT && request->rq_proc != RPC_PROCEDURE_ANSWER) {
        svcerr_noproc(transport);
        return;
    }
    receiver.packet.count = 0;
    if (!svc_getargs(transport, (xdrproc_t)rpc_xdr_packet, (caddr_t)&receiver.packet)) {
        accounting_count_foreign(&receiver.accounting);
        svcerr_decode(transport);
        return;
    }
    received_ns = realtime_ns();
    if (request->rq_proc == RPC_PROCEDURE_ANSWER) {
        answer(transport, received_ns);
    } else {
        count(received_ns, 0);
        (void)svc_sendreply(transport, (xdrproc_t)rpc_xdr_nothing, NULL);
    }
}

/* Returns 0 or -errno. */
static int serve(int fd)
{
    const struct options *options = receiver.options;
    int no_delay = options->no_delay;
    SVCXPRT *transport;

    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay) < 0)
        return -errno;
    transport = svc_fd_create(fd, 0, 0);
    if (transport == NULL ||
        !svc_register(transport, rpc_program(options->tag), rpc_version(options->tag), dispatch, 0))
        return -ENOMEM;
    atomic_store(&receiver.fd, fd);
    while (!atomic_load(&receiver.ended)) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};

        if (poll(&waiting, 1, -1) < 0) {
            if (errno != EINTR)
                return -errno;
            continue;
        }
        svc_getreq_common(fd);
        if (fcntl(fd, F_GETFD) < 0)
            break; /* the sender has ended the connection, and libtirpc has closed it */
    }
    atomic_store(&receiver.fd, -1);
    return 0;
}

static void receive_all(void *of)
{
    int fd = acceptor_accept(receiver.listening, &receiver.accounting, &receiver.ended);
    int error = fd;

    (void)of;
    if (fd >= 0) {
        (void)close(receiver.listening);
        error = serve(fd);
    }
    if (error < 0 && error != DESCRIPTOR_ENDED)
        reply("failed Receiving calls on %s failed: %s.", receiver.options->host, strerror(-error));
}

/* Replies with the addresses and the buffer of the sender's connection, if there is one. */
static void reply_connection(void)
{
    int fd = atomic_load(&receiver.fd);
    int granted = fd < 0 ? -1 : address_buffer_bytes(fd, SO_RCVBUF);

    if (granted >= 0) {
        reply("metadata receiveBufferBytes %d", granted);
        (void)reply_address("remoteAddress", fd, true); /* fails if the sender has ended */
    }
}

static void ignore_progress(void *of)
{
    (void)of;
}

static void handle_commands(void)
{
    char command[MAXIMUM_COMMAND];
    int64_t quiet_ms;

    while (read_command(command)) {
        if (strcmp(command, "counts") == 0) {
            reply_counts(&receiver.accounting);
        } else if (sscanf(command, "drain %" SCNd64, &quiet_ms) == 1) {
            if (!completion_await(&receiver.accounting, &receiver.worker, quiet_ms, ignore_progress,
                                  NULL))
                continue;
            reply_connection();
            reply("drained");
        } else {
            reply("failed Unknown command: %s", command);
        }
    }
}

/* Returns the socket or -errno. */
static int open_socket(const struct options *options)
{
    struct address address;
    int fd = address_socket(&address, options, SO_RCVBUF, options->receive_buffer);

    if (fd < 0)
        return fd;
    if (bind(fd, (const struct sockaddr *)&address.bytes, address.length) < 0 ||
        listen(fd, BACKLOG) < 0)
        return -errno;
    return fd;
}

/* Returns whether the receiver is ready; if not, the reason was replied. */
static bool start(void)
{
    const struct options *options = receiver.options;
    size_t bytes = (size_t)options->packet_bytes;
    int error = capture_failure_catch_faults(options->capture);

    if (error == 0)
        error = capture_open(&receiver.capture, options->capture,
                             options->answered ? ANSWER_FIELDS : RECEIVER_FIELDS, capture_failed);
    if (error != 0) {
        reply("failed The capture %s cannot be written: %s.", options->capture, strerror(-error));
        return false;
    }
    receiver.listening = open_socket(options);
    if (receiver.listening < 0) {
        reply("failed Cannot listen for TCP connections on %s: %s. Is it an address of this "
              "machine?",
              options->host, strerror(-receiver.listening));
        return false;
    }
    receiver.packet = (struct rpc_packet){malloc(bytes), 0, (u_int)bytes};
    error = receiver.packet.bytes == NULL
                ? -ENOMEM
                : accounting_make(&receiver.accounting, options->tag, options->packets,
                                  options->warm_up_packets, options->lead_out_packets,
                                  &receiver.capture);
    if (error == 0)
        error = worker_make(&receiver.worker, receive_all, NULL, &receiver.ended);
    if (error == 0)
        error = reply_address("localAddress", receiver.listening, false);
    if (error == 0)
        error = reply_port(receiver.listening);
    if (error != 0)
        reply("failed Receiving cannot start: %s.", strerror(-error));
    return error == 0;
}

int rpc_receiver_main(const struct options *options)
{
    int fd;

    receiver.options = options;
    atomic_store(&receiver.fd, -1);
    if (!start())
        return EXIT_FAILURE;
    reply("metadata sharedStamps false");
    worker_begin(&receiver.worker);
    reply("ready %d", receiver.worker.tid);
    handle_commands();
    atomic_store(&receiver.ended, true);
    fd = atomic_load(&receiver.fd);
    if (fd >= 0)
        (void)shutdown(fd, SHUT_RDWR); /* ends the call in progress */
    worker_stop(&receiver.worker);
    return EXIT_SUCCESS;
}
