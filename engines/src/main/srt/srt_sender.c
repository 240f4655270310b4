#include "srt_sender.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <time.h>

#include "address.h"
#include "clocks.h"
#include "library_sockets.h"
#include "protocol.h"
#include "srt_connection.h"

/* Less than the run's time limit for a sender that cannot send. */
static const int64_t LONGEST_REPAIR_NS = 10 * NS_PER_S;

static const int64_t BUSY_HOST_NS = NS_PER_S;

static _Atomic SRTSOCKET connection = SRT_INVALID_SOCK;

bool srt_sender_open(const struct options *options)
{
    struct address address;
    char tag[OPTIONS_TAG_CHARACTERS + 1];
    SRTSOCKET socket;

    options_tag_text(options, tag);
    if (!library_sockets_admit(options, true, 1))
        return false;
    socket = srt_connection_open(options);
    if (socket == SRT_INVALID_SOCK ||
        (!srt_connection_is_encrypted() &&
         srt_setsockflag(socket, SRTO_STREAMID, tag, OPTIONS_TAG_CHARACTERS) == SRT_ERROR)) {
        print_status("failed Cannot open an SRT socket: %s.", srt_getlasterror_str());
        return false;
    }
    if (address_read(&address, options->host, options->port) != 0) {
        print_status("failed %s is not a numeric address.", options->host);
        return false;
    }
    if (srt_connect(socket, (const struct sockaddr *)&address.bytes, (int)address.length) ==
        SRT_ERROR) {
        bool is_rejected = srt_getlasterror(NULL) == SRT_ECONNREJ;

        print_status(
            "failed Cannot connect to the receiver's SRT port %s: %s. Does a firewall block UDP "
            "to it?",
            options->peer,
            is_rejected ? srt_rejectreason_str(srt_getrejectreason(socket))
                        : srt_getlasterror_str());
        return false;
    }
    if (!library_sockets_are_closed_to_others())
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
    SRTSOCKET open = atomic_exchange(&connection, SRT_INVALID_SOCK);

    if (open != SRT_INVALID_SOCK)
        (void)srt_close(open);
}
