#include "srt_sender.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <time.h>

#include "clocks.h"
#include "library_sockets.h"
#include "protocol.h"
#include "srt_caller.h"
#include "srt_connection.h"
#include "srt_listener.h"

/* Less than the run's time limit for a sender that cannot send. */
static const int64_t LONGEST_REPAIR_NS = 10 * NS_PER_S;

static const int64_t BUSY_HOST_NS = NS_PER_S;

static _Atomic SRTSOCKET connection = SRT_INVALID_SOCK;

/* Waits at the sender's address for the receiver, after the command that it connects. */
static SRTSOCKET accept_receiver(const struct options *options)
{
    char command[MAXIMUM_COMMAND];
    SRTSOCKET accepted;

    if (!srt_listener_open(options, options->from_host, options->from_port))
        return SRT_INVALID_SOCK;
    print_status("listening");
    if (!read_command(command))
        return SRT_INVALID_SOCK;
    accepted = srt_listener_accept_in_time();
    if (accepted == SRT_INVALID_SOCK)
        print_status("failed The receiver at %s did not connect by SRT: %s. Does a firewall block "
                     "UDP to this host?",
                     options->host, srt_getlasterror_str());
    return accepted;
}

bool srt_sender_open(const struct options *options)
{
    SRTSOCKET socket;

    if (!library_sockets_admit(options, true, 1))
        return false;
    socket = options->listens
                 ? accept_receiver(options)
                 : srt_caller_connect(options, "receiver", options->host, options->port);
    if (socket == SRT_INVALID_SOCK || !library_sockets_are_closed_to_others())
        return false;
    atomic_store(&connection, socket);
    srt_connection_print_addresses(socket);
    return true;
}

const char *srt_sender_send(const struct message *packet, struct message *reply)
{
    (void)reply;
    return srt_sendmsg2(atomic_load_explicit(&connection, memory_order_relaxed), packet->bytes,
                        (int)packet->count, NULL) == SRT_ERROR
               ? srt_getlasterror_str()
               : NULL;
}

/* Returns how long after a packet its repair is too late: the latency, a round trip, and what a
 * busy host may take to run the library's threads. */
static int64_t repair_ns(void)
{
    SRTSOCKET socket = atomic_load(&connection);
    SRT_TRACEBSTATS counters;
    int latency_ms;
    int bytes = sizeof latency_ms;
    int64_t ns;

    if (srt_getsockflag(socket, SRTO_PEERLATENCY, &latency_ms, &bytes) == SRT_ERROR ||
        srt_bistats(socket, &counters, 0, 0) == SRT_ERROR)
        return 0; /* the connection has ended */
    ns = ((int64_t)latency_ms + (int64_t)counters.msRTT) * 1000000 + BUSY_HOST_NS;
    return ns < LONGEST_REPAIR_NS ? ns : LONGEST_REPAIR_NS;
}

/* Waits until the receiver has acknowledged all packets that are not given up, or the connection
 * has ended. The library has no event for it. It repairs the last packet only if a later one
 * arrives, so that its loss ends the wait once its repair would be too late. */
static void await_delivery(void)
{
    static const struct timespec CHECK_INTERVAL = {.tv_nsec = 1000000};
    int64_t patience_ns = repair_ns();
    int64_t changed_ns = monotonic_ns();
    size_t before = SIZE_MAX;
    size_t packets, bytes;

    while (srt_getsndbuffer(atomic_load(&connection), &packets, &bytes) != SRT_ERROR &&
           packets > 0) {
        int64_t now_ns = monotonic_ns();

        if (packets != before)
            changed_ns = now_ns;
        else if (now_ns - changed_ns > patience_ns)
            return;
        before = packets;
        (void)nanosleep(&CHECK_INTERVAL, NULL);
    }
}

void srt_sender_report(void)
{
    SRT_TRACEBSTATS counters;

    await_delivery();
    library_sockets_print_errors();
    if (srt_bistats(atomic_load(&connection), &counters, 0, 0) == SRT_ERROR)
        return; /* the connection has ended */
    print_status("metadata srtPacketsSent %" PRId64, counters.pktSentUniqueTotal);
    print_status("metadata srtPacketsRetransmitted %d", counters.pktRetransTotal);
    print_status("metadata srtPacketsNotSent %d", counters.pktSndDropTotal);
    print_status("metadata srtPacketsRedundant %d", counters.pktSndFilterExtraTotal);
    print_status("metadata srtBytesSent %" PRIu64, counters.byteSentTotal);
}

void srt_sender_interrupt(void)
{
    srt_listener_close();
    srt_connection_close(&connection);
}
