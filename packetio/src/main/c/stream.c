#include "stream.h"

#include <errno.h>
#include <sys/socket.h>

#include "clocks.h"
#include "packet_layout.h"

int stream_send(int fd, char *packet, size_t packet_bytes, size_t bytes_ahead,
                struct send_stamps *stamps)
{
    size_t at = bytes_ahead;

    while (at < packet_bytes) {
        ssize_t taken;

        if (at == bytes_ahead) {
            stamps->sent_ns = realtime_ns();
            packet_put_sent_ns(packet, stamps->sent_ns);
        }
        taken = send(fd, packet + at, packet_bytes - at, MSG_NOSIGNAL);
        if (taken >= 0)
            at += (size_t)taken;
        else if (errno != EINTR)
            return -errno;
    }
    stamps->returned_ns = realtime_ns();
    return 0;
}

int stream_send_each(int fd, char *packets, size_t packet_bytes, int count, size_t bytes_ahead,
                     struct send_stamps *stamps, int *failure)
{
    for (int sent = 0; sent < count; sent++) {
        *failure = stream_send(fd, packets + (size_t)sent * packet_bytes, packet_bytes, bytes_ahead,
                               &stamps[sent]);
        if (*failure != 0)
            return sent;
        bytes_ahead = 0;
    }
    *failure = 0;
    return count;
}

ssize_t stream_receive(int fd, char *bytes, size_t room, struct receive_stamps *stamps)
{
    ssize_t got;

    do
        got = recv(fd, bytes, room, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return -errno;
    *stamps = (struct receive_stamps){.received_ns = realtime_ns()};
    return got;
}
