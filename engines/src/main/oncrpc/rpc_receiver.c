#include "rpc_receiver.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "acceptor.h"
#include "address.h"
#include "clocks.h"
#include "descriptor.h"
#include "protocol.h"
#include "rpc_messages.h"
#include "source_filter.h"

enum { BACKLOG = 64 };

/* libtirpc passes nothing of the caller's to a dispatch function. */
static struct {
    const struct options *options;
    struct message *buffer;
    int listening;
    _Atomic int fd; /* the sender's connection; -1 before and after it */
    _Atomic bool ended;
} receiver = {.listening = -1, .fd = -1};

/* libtirpc ends the connection if a reply cannot be sent; the sender's call then fails. */
static void answer(SVCXPRT *transport, struct rpc_packet *packet, int64_t received_ns)
{
    int64_t replied_ns = realtime_ns();

    if (packet->count >= PACKET_HEADER_BYTES)
        packet_put_sent_ns(packet->bytes, replied_ns);
    (void)svc_sendreply(transport, (xdrproc_t)rpc_xdr_packet, packet);
    message_arrived(receiver.buffer, received_ns, replied_ns);
}

static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    struct rpc_packet packet = {receiver.buffer->bytes, 0, (u_int)receiver.options->packet_bytes};
    int64_t received_ns;

    if (request->rq_proc == NULLPROC) {
        (void)svc_sendreply(transport, (xdrproc_t)rpc_xdr_nothing, NULL);
        return;
    }
    if (request->rq_proc != RPC_PROCEDURE_COUNT && request->rq_proc != RPC_PROCEDURE_ANSWER) {
        svcerr_noproc(transport);
        return;
    }
    if (!svc_getargs(transport, (xdrproc_t)rpc_xdr_packet, (caddr_t)&packet)) {
        accounting_count_foreign(message_accounting());
        svcerr_decode(transport);
        return;
    }
    received_ns = realtime_ns();
    receiver.buffer->count = packet.count;
    if (request->rq_proc == RPC_PROCEDURE_ANSWER) {
        answer(transport, &packet, received_ns);
    } else {
        message_arrived(receiver.buffer, received_ns, 0);
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

const char *rpc_receiver_receive(struct message *buffer)
{
    int fd = acceptor_accept(receiver.listening, message_accounting(), &receiver.ended);
    int error = fd;

    receiver.buffer = buffer;
    if (fd >= 0) {
        (void)close(receiver.listening);
        error = serve(fd);
    }
    return error < 0 && error != DESCRIPTOR_ENDED ? strerror(-error) : NULL;
}

/* Replies with the addresses and the buffer of the sender's connection, if there is one. */
void rpc_receiver_report(void)
{
    int fd = atomic_load(&receiver.fd);
    int granted = fd < 0 ? -1 : address_buffer_bytes(fd, SO_RCVBUF);

    if (granted >= 0) {
        print_status("metadata receiveBufferBytes %d", granted);
        (void)print_address("remoteAddress", fd, true); /* fails if the sender has ended */
    }
}

void rpc_receiver_interrupt(void)
{
    int fd;

    atomic_store(&receiver.ended, true);
    fd = atomic_load(&receiver.fd);
    if (fd >= 0)
        (void)shutdown(fd, SHUT_RDWR); /* ends the call in progress */
}

/* Keeps other hosts than the sender's from connecting, if the kernel permits it; the acceptor keeps
 * connections without the tag from the library. Returns 0 or -errno. */
static int admit(const struct options *options, int fd)
{
    struct source_filter filter = {.count = 0};
    int error = options->admit == NULL ? -EINVAL : source_filter_read(&filter, options->admit);

    return error != 0 ? error : source_filter_attach(&filter, fd);
}

/* Returns the socket or -errno. */
static int open_socket(const struct options *options)
{
    struct address address;
    int fd = address_socket(&address, options, SO_RCVBUF, options->receive_buffer);
    int error;

    if (fd < 0)
        return fd;
    error = admit(options, fd);
    if (error != 0)
        return error;
    if (bind(fd, (const struct sockaddr *)&address.bytes, address.length) < 0 ||
        listen(fd, BACKLOG) < 0)
        return -errno;
    return fd;
}

bool rpc_receiver_open(const struct options *options)
{
    int error;

    receiver.options = options;
    receiver.listening = open_socket(options);
    if (receiver.listening < 0) {
        print_status("failed Cannot listen for TCP connections on %s: %s. Is it an address of this "
                     "machine?",
                     options->host, strerror(-receiver.listening));
        return false;
    }
    error = print_address("localAddress", receiver.listening, false);
    if (error == 0)
        error = print_port(receiver.listening);
    if (error != 0)
        print_status("failed Receiving cannot start: %s.", strerror(-error));
    return error == 0;
}
