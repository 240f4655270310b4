#include "stream.h"

#include <errno.h>
#include <sys/socket.h>

#include "clocks.h"
#include "receive_stamps.h"

/* Returns the number of bytes, or -1 with errno. */
static ssize_t receive_stamped(int fd, char *bytes, size_t capacity, struct stream_stamps *stamps)
{
    struct received_message message;
    ssize_t got = receive_message(fd, bytes, capacity, 0, &message);

    stamps->received_ns = realtime_ns();
    if (got >= 0)
        stamps->kernel_ns = receive_stamps_read(&message.header);
    return got;
}

static ssize_t receive_plain(int fd, char *bytes, size_t capacity, struct stream_stamps *stamps)
{
    ssize_t got = recv(fd, bytes, capacity, 0);

    *stamps = (struct stream_stamps){.received_ns = realtime_ns()};
    return got;
}

int stream_receive(struct descriptor *descriptor, char *bytes, size_t capacity, bool stamped,
                   struct stream_stamps *stamps)
{
    ssize_t got;

    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    do
        got = stamped ? receive_stamped(descriptor->fd, bytes, capacity, stamps)
                      : receive_plain(descriptor->fd, bytes, capacity, stamps);
    while (got < 0 && errno == EINTR && !descriptor_is_ended(descriptor));
    return descriptor_end_call(descriptor, got < 0 ? -errno : (int)got);
}
