#include "srt_sender.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <time.h>

#include "address.h"
#include "protocol.h"
#include "srt_connection.h"

static _Atomic SRTSOCKET connection = SRT_INVALID_SOCK;

bool srt_sender_open(const struct options *options)
{
    struct address address;
    char tag[OPTIONS_TAG_CHARACTERS + 1];
    SRTSOCKET socket;

    options_tag_text(options, tag);
    socket = srt_connection_open(options);
    if (socket == SRT_INVALID_SOCK ||
        (!srt_connection_is_encrypted() &&
         srt_setsockflag(socket, SRTO_STREAMID, tag, OPTIONS_TAG_CHARACTERS) == SRT_ERROR)) {
        reply("failed Cannot open an SRT socket: %s.", srt_getlasterror_str());
        return false;
    }
    if (address_read(&address, options->host, options->port) != 0) {
        reply("failed %s is not a numeric address.", options->host);
        return false;
    }
    if (srt_connect(socket, (const struct sockaddr *)&address.bytes, (int)address.length) ==
        SRT_ERROR) {
        bool is_rejected = srt_getlasterror(NULL) == SRT_ECONNREJ;

        reply("failed Cannot connect to the receiver's SRT port %s: %s. Does a firewall block UDP "
              "to it?",
              options->peer,
              is_rejected ? srt_rejectreason_str(srt_getrejectreason(socket))
                          : srt_getlasterror_str());
        return false;
    }
    atomic_store(&connection, socket);
    srt_connection_reply_addresses(socket);
    return true;
}

const char *srt_sender_send(const struct message *packet, struct message *reply_message)
{
    (void)reply_message;
    return srt_sendmsg2(atomic_load_explicit(&connection, memory_order_relaxed), packet->bytes,
                        (int)packet->count, NULL) == SRT_ERROR
               ? srt_getlasterror_str()
               : NULL;
}

/* Waits until the library has sent, and the receiver acknowledged, all packets that are not given
 * up, or the connection has ended. The library has no event for it. */
static void await_delivery(void)
{
    static const struct timespec CHECK_INTERVAL = {.tv_nsec = 1000000};
    size_t packets, bytes;

    while (srt_getsndbuffer(atomic_load(&connection), &packets, &bytes) != SRT_ERROR && packets > 0)
        (void)nanosleep(&CHECK_INTERVAL, NULL);
}

void srt_sender_report(void)
{
    SRT_TRACEBSTATS counters;

    await_delivery();
    if (srt_bistats(atomic_load(&connection), &counters, 0, 0) == SRT_ERROR)
        return; /* the connection has ended */
    reply("metadata srtPacketsSent %" PRId64, counters.pktSentUniqueTotal);
    reply("metadata srtPacketsRetransmitted %d", counters.pktRetransTotal);
    reply("metadata srtPacketsNotSent %d", counters.pktSndDropTotal);
    reply("metadata srtPacketsRedundant %d", counters.pktSndFilterExtraTotal);
    reply("metadata srtBytesSent %" PRIu64, counters.byteSentTotal);
}

void srt_sender_interrupt(void)
{
    SRTSOCKET open = atomic_exchange(&connection, SRT_INVALID_SOCK);

    if (open != SRT_INVALID_SOCK)
        (void)srt_close(open);
}
