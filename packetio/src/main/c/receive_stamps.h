/* Messages received with the kernel's stamps, which it takes when the driver delivers the packet
 * (SO_TIMESTAMPING). */
#ifndef LAGBENCH_RECEIVE_STAMPS_H
#define LAGBENCH_RECEIVE_STAMPS_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Enables stamps of all data received from now on. Returns 0 or -errno. */
int receive_stamps_enable(int fd);

enum { RECEIVED_CONTROL_BYTES = 256 };

/* A received message with its control messages. */
struct received_message {
    struct msghdr header;
    struct iovec part;
    _Alignas(struct cmsghdr) char control[RECEIVED_CONTROL_BYTES];
};

/* Receives a message by recvmsg(2). Returns the number of bytes, or -1 with errno. */
static inline ssize_t receive_message(int fd, void *bytes, size_t capacity, int flags,
                                      struct received_message *message)
{
    message->part = (struct iovec){bytes, capacity};
    message->header = (struct msghdr){.msg_iov = &message->part,
                                      .msg_iovlen = 1,
                                      .msg_control = message->control,
                                      .msg_controllen = sizeof message->control};
    return recvmsg(fd, &message->header, flags);
}

/* Returns the stamp in a received message's control data, CLOCK_REALTIME in ns; 0 if there is none.
 * For TCP it is the stamp of the last segment read. */
int64_t receive_stamps_read(struct msghdr *message);

#endif
