#include "srt_receiver.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "clocks.h"
#include "library_sockets.h"
#include "protocol.h"
#include "srt_caller.h"
#include "srt_connection.h"
#include "srt_copies.h"
#include "srt_listener.h"

static const struct options *receiver_options;
static _Atomic SRTSOCKET connection = SRT_INVALID_SOCK;

/* Connects to a sender that listens. */
static bool connect_to_sender(const struct options *options)
{
    SRTSOCKET socket =
        srt_caller_connect(options, "sender", options->sender_host, options->sender_port);

    if (socket == SRT_INVALID_SOCK)
        return false;
    atomic_store(&connection, socket);
    srt_connection_print_addresses(socket);
    return srt_connection_print_port(socket);
}

bool srt_receiver_open(const struct options *options)
{
    receiver_options = options;
    return library_sockets_admit(options, false, 1) &&
           (options->sender_host == NULL ? srt_listener_open(options, options->host, options->port)
                                         : connect_to_sender(options)) &&
           library_sockets_are_closed_to_others();
}

/* Ends with the connection, whose loss the sender's next call reports. */
static void receive_all(SRTSOCKET from, struct message *buffer)
{
    int maximum = (int)receiver_options->packet_bytes;

    for (;;) {
        int count = srt_recvmsg2(from, buffer->bytes, maximum, NULL);

        if (count <= 0)
            return;
        buffer->count = (size_t)count;
        message_arrived(buffer, realtime_ns(), 0);
    }
}

const char *srt_receiver_receive(struct message *buffer)
{
    SRTSOCKET from = atomic_load(&connection);

    if (from == SRT_INVALID_SOCK) {
        from = srt_listener_accept();
        if (from == SRT_INVALID_SOCK)
            return srt_getlasterror_str();
        atomic_store(&connection, from);
        srt_connection_print_addresses(from);
    }
    receive_all(from, buffer);
    return NULL;
}

void srt_receiver_report(void)
{
    SRTSOCKET from = atomic_load(&connection);
    SRT_TRACEBSTATS counters;
    int latency_ms;
    int bytes = sizeof latency_ms;

    print_status("metadata srtConnectionsRefused %" PRId64, srt_listener_refused());
    if (srt_getsockflag(from, SRTO_RCVLATENCY, &latency_ms, &bytes) != SRT_ERROR)
        print_status("metadata srtLatencyMs %d", latency_ms);
    if (srt_bistats(from, &counters, 0, 0) == SRT_ERROR)
        return; /* no sender has connected, or its connection has ended */
    print_status("metadata srtPacketsReceived %" PRId64, counters.pktRecvUniqueTotal);
    print_status("metadata srtPacketsLost %d", counters.pktRcvLossTotal);
    print_status("metadata srtPacketsGivenUp %d", counters.pktRcvDropTotal);
    print_status("metadata srtPacketsRepaired %d",
                 counters.pktRcvLossTotal - counters.pktRcvDropTotal);
    print_status("metadata srtPacketsRebuilt %d", counters.pktRcvFilterSupplyTotal);
    print_status("metadata srtPacketsNeedless %" PRId64, srt_copies_needless());
}

void srt_receiver_interrupt(void)
{
    srt_listener_close();
    srt_connection_close(&connection);
}
