#include "transfers.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clocks.h"
#include "protocol.h"
#include "stream.h"

int transfers_make(struct transfers *transfers, const struct options *options,
                   struct descriptor *descriptor, struct transfer_sender sender)
{
    *transfers = (struct transfers){.options = options, .descriptor = descriptor, .sender = sender};
    return state_poller_make(&transfers->poller);
}

static int connect_sender(struct transfers *transfers)
{
    int error;

    if (transfers->descriptor->fd >= 0)
        return 0;
    transfers->start_ns = realtime_ns();
    error = transfers->sender.connect(transfers->sender.of);
    transfers->connected_ns = realtime_ns();
    return error;
}

/* Returns the number of bytes, 0 at the end of the connection, -errno or DESCRIPTOR_ENDED. */
static int receive(struct transfers *transfers, size_t bytes, int64_t *received_ns)
{
    char reply[REPLY_BYTES];
    struct stream_stamps stamps;
    int got = stream_receive(transfers->descriptor, reply, bytes, false, &stamps);

    *received_ns = stamps.received_ns;
    return got;
}

static int await_reply(struct transfers *transfers, int64_t *answered_ns)
{
    for (int got = 0; got < REPLY_BYTES;) {
        int more = receive(transfers, (size_t)(REPLY_BYTES - got), answered_ns);

        if (more <= 0)
            return more == 0 ? -ECONNRESET : more;
        got += more;
    }
    return 0;
}

/* Ends the connection, and waits until the receiver has read everything and ended it too. */
static int finish(struct transfers *transfers)
{
    int fd = transfers->descriptor->fd;
    int64_t received_ns;
    int error, got;

    if (fd < 0)
        return 0;
    error = transfers->sender.report(transfers->sender.of);
    if (error == 0 && shutdown(fd, SHUT_WR) < 0)
        error = -errno;
    if (error != 0)
        return error;
    do
        got = receive(transfers, REPLY_BYTES, &received_ns);
    while (got > 0);
    transfers->descriptor->fd = -1;
    (void)close(fd); /* nothing is lost: the receiver has ended the connection */
    return got;
}

static int send_one(struct transfers *transfers, int64_t first)
{
    int64_t pieces = transfers->options->transfer_pieces;
    int64_t transfer = first / pieces;
    int64_t answered_ns;
    int error = connect_sender(transfers);

    if (error != 0)
        return error;
    state_poller_begin(&transfers->poller, transfer, transfers->descriptor->fd);
    error = transfers->sender.send(transfers->sender.of, first, first + pieces);
    if (error == 0)
        error = await_reply(transfers, &answered_ns);
    state_poller_end(&transfers->poller);
    if (error != 0)
        return error;
    print_status("transfer %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, transfer,
                 transfers->start_ns, transfers->connected_ns, answered_ns);
    transfers->start_ns = transfers->connected_ns = -1;
    return transfers->options->keeps_connection ? 0 : finish(transfers);
}

int transfers_send(struct transfers *transfers, int64_t first, int64_t end)
{
    int error = 0;

    if (first < 0) {
        error = connect_sender(transfers);
        if (error == 0)
            error = transfers->sender.send(transfers->sender.of, first, end);
    } else {
        error = finish(transfers); /* the first connection, if there was no warm-up */
        for (int64_t from = first; from < end && error == 0;
             from += transfers->options->transfer_pieces)
            error = send_one(transfers, from);
    }
    return error == 0 ? finish(transfers) : error;
}
