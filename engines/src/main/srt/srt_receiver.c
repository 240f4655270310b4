#include "srt_receiver.h"

#include <inttypes.h>
#include <srt/access_control.h>
#include <stdatomic.h>
#include <string.h>

#include "address.h"
#include "clocks.h"
#include "library_sockets.h"
#include "protocol.h"
#include "srt_connection.h"
#include "srt_copies.h"

enum { BACKLOG = 16 };

static struct {
    const struct options *options;
    char tag[OPTIONS_TAG_CHARACTERS + 1];
    _Atomic SRTSOCKET listening;
    _Atomic SRTSOCKET connection;
    _Atomic int64_t refused; /* connections without the run's tag */
} receiver = {.listening = SRT_INVALID_SOCK, .connection = SRT_INVALID_SOCK};

/* Called by a thread of the library. The passphrase has already identified an encrypted sender. */
static int accept_sender(void *of, SRTSOCKET asking, int version, const struct sockaddr *peer,
                         const char *stream_id)
{
    (void)of;
    (void)version;
    (void)peer;
    if (srt_connection_is_encrypted() || strcmp(stream_id, receiver.tag) == 0)
        return 0;
    atomic_fetch_add(&receiver.refused, 1);
    (void)srt_setrejectreason(asking, SRT_REJX_FORBIDDEN);
    return -1;
}

static bool listen_at(SRTSOCKET socket, const struct options *options)
{
    struct address address;

    return address_read(&address, options->host, options->port) == 0 &&
           srt_bind(socket, (const struct sockaddr *)&address.bytes, (int)address.length) !=
               SRT_ERROR &&
           srt_listen_callback(socket, accept_sender, NULL) != SRT_ERROR &&
           srt_listen(socket, BACKLOG) != SRT_ERROR;
}

bool srt_receiver_open(const struct options *options)
{
    struct sockaddr_storage bound;
    int bound_bytes = sizeof bound;
    SRTSOCKET socket;

    receiver.options = options;
    options_tag_text(options, receiver.tag);
    if (!library_sockets_admit(options, false, 1))
        return false;
    socket = srt_connection_open(options);
    if (socket == SRT_INVALID_SOCK) {
        print_status("failed Cannot open an SRT socket: %s.", srt_getlasterror_str());
        return false;
    }
    if (!listen_at(socket, options) ||
        srt_getsockname(socket, (struct sockaddr *)&bound, &bound_bytes) == SRT_ERROR) {
        print_status("failed Cannot listen for SRT connections on %s: %s. Is it an address of this "
                     "machine?",
                     options->host, srt_getlasterror_str());
        return false;
    }
    atomic_store(&receiver.listening, socket);
    return library_sockets_are_closed_to_others() &&
           print_socket_port((struct sockaddr *)&bound, (socklen_t)bound_bytes) == 0;
}

/* Ends with the connection, whose loss the sender's next call reports. */
static void receive_all(SRTSOCKET connection, struct message *buffer)
{
    int maximum = (int)receiver.options->packet_bytes;

    for (;;) {
        int count = srt_recvmsg2(connection, buffer->bytes, maximum, NULL);

        if (count <= 0)
            return;
        buffer->count = (size_t)count;
        message_arrived(buffer, realtime_ns(), 0);
    }
}

const char *srt_receiver_receive(struct message *buffer)
{
    SRTSOCKET listening = atomic_load(&receiver.listening);
    SRTSOCKET connection =
        listening == SRT_INVALID_SOCK ? SRT_INVALID_SOCK : srt_accept(listening, NULL, NULL);

    if (connection == SRT_INVALID_SOCK)
        return srt_getlasterror_str();
    atomic_store(&receiver.connection, connection);
    srt_connection_print_addresses(connection);
    receive_all(connection, buffer);
    return NULL;
}

void srt_receiver_report(void)
{
    SRTSOCKET connection = atomic_load(&receiver.connection);
    SRT_TRACEBSTATS counters;
    int latency_ms;
    int bytes = sizeof latency_ms;

    print_status("metadata srtConnectionsRefused %" PRId64, atomic_load(&receiver.refused));
    if (srt_getsockflag(connection, SRTO_RCVLATENCY, &latency_ms, &bytes) != SRT_ERROR)
        print_status("metadata srtLatencyMs %d", latency_ms);
    if (srt_bistats(connection, &counters, 0, 0) == SRT_ERROR)
        return; /* no sender has connected, or its connection has ended */
    print_status("metadata srtPacketsReceived %" PRId64, counters.pktRecvUniqueTotal);
    print_status("metadata srtPacketsLost %d", counters.pktRcvLossTotal);
    print_status("metadata srtPacketsGivenUp %d", counters.pktRcvDropTotal);
    print_status("metadata srtPacketsRepaired %d",
                 counters.pktRcvLossTotal - counters.pktRcvDropTotal);
    print_status("metadata srtPacketsRebuilt %d", counters.pktRcvFilterSupplyTotal);
    print_status("metadata srtPacketsNeedless %" PRId64, srt_copies_needless());
}

static void end(_Atomic SRTSOCKET *socket)
{
    SRTSOCKET open = atomic_exchange(socket, SRT_INVALID_SOCK);

    if (open != SRT_INVALID_SOCK)
        (void)srt_close(open);
}

void srt_receiver_interrupt(void)
{
    end(&receiver.listening);
    end(&receiver.connection);
}
