#include "rpc_sender.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>

#include "address.h"
#include "packet.h"
#include "protocol.h"
#include "rpc_messages.h"

/* How long a call may take; the run's stall timeout ends it earlier. */
static const struct timeval CALL_TIMEOUT = {.tv_sec = 60};

static struct {
    const struct options *options;
    struct address address;
    int fd;
    CLIENT *client;
    _Atomic bool stopped;
} sender = {.fd = -1};

static enum clnt_stat call(const struct message *packet, struct message *reply)
{
    struct rpc_packet sent = {packet->bytes, (u_int)packet->count, (u_int)packet->count};
    struct rpc_packet result = {reply->bytes, 0, (u_int)packet->count};
    enum clnt_stat status;

    if (!sender.options->answered)
        return clnt_call(sender.client, RPC_PROCEDURE_COUNT, (xdrproc_t)rpc_xdr_packet, &sent,
                         (xdrproc_t)rpc_xdr_nothing, NULL, CALL_TIMEOUT);
    status = clnt_call(sender.client, RPC_PROCEDURE_ANSWER, (xdrproc_t)rpc_xdr_packet, &sent,
                       (xdrproc_t)rpc_xdr_packet, &result, CALL_TIMEOUT);
    reply->count = result.count;
    return status;
}

const char *rpc_sender_send(const struct message *packet, struct message *reply)
{
    enum clnt_stat status = call(packet, reply);

    return status == RPC_SUCCESS ? NULL : clnt_sperrno(status);
}

int rpc_sender_socket(void)
{
    return sender.fd;
}

void rpc_sender_interrupt(void)
{
    atomic_store(&sender.stopped, true);
    (void)shutdown(sender.fd, SHUT_RDWR); /* ends the call in progress */
}

/* Returns 0 or -errno. */
static int print_socket(void)
{
    int granted = address_buffer_bytes(sender.fd, SO_SNDBUF);

    if (granted < 0)
        return granted;
    print_status("metadata sendBufferBytes %d", granted);
    print_status("metadata noDelay %s", sender.options->no_delay ? "true" : "false");
    return print_address("localAddress", sender.fd, false);
}

/* Opens the connection, whose first bytes are the run's tag. Returns 0 or -errno. */
static int open_connection(const struct options *options)
{
    int no_delay = options->no_delay;
    char tag[PACKET_TAG_BYTES];
    int error;

    sender.fd = address_socket(&sender.address, options, SO_SNDBUF, options->send_buffer);
    if (sender.fd < 0)
        return sender.fd;
    if (setsockopt(sender.fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay) < 0)
        return -errno;
    error = address_connect(sender.fd, &sender.address, &sender.stopped);
    if (error != 0)
        return error;
    packet_put(tag, 0, options->tag);
    return send(sender.fd, tag, sizeof tag, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Opens the connection, over which the receiver must answer a call without a packet. */
bool rpc_sender_open(const struct options *options)
{
    struct netbuf peer = {.maxlen = sizeof sender.address.bytes, .buf = &sender.address.bytes};
    enum clnt_stat status;
    int error;

    sender.options = options;
    error = open_connection(options);
    if (error != 0) {
        print_status(
            "failed Cannot connect to the receiver's TCP data port %s: %s. Does a firewall block "
            "it?",
            options->peer, strerror(-error));
        return false;
    }
    peer.len = sender.address.length;
    sender.client = clnt_vc_create(sender.fd, &peer, rpc_program(options->tag),
                                   rpc_version(options->tag), 0, 0);
    status = sender.client == NULL
                 ? rpc_createerr.cf_stat
                 : clnt_call(sender.client, NULLPROC, (xdrproc_t)rpc_xdr_nothing, NULL,
                             (xdrproc_t)rpc_xdr_nothing, NULL, CALL_TIMEOUT);
    if (status != RPC_SUCCESS) {
        print_status("failed The receiver %s answers no calls: %s.", options->peer,
                     clnt_sperrno(status));
        return false;
    }
    error = print_socket();
    if (error != 0)
        print_status("failed Sending cannot start: %s.", strerror(-error));
    return error == 0;
}
