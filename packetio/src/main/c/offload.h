/*
 * UDP segmentation offload (udp(7), UDP_SEGMENT and UDP_GRO): the kernel and capable network cards
 * process several datagrams of one size as one buffer.
 */
#ifndef LAGBENCH_OFFLOAD_H
#define LAGBENCH_OFFLOAD_H

#include <stddef.h>
#include <sys/socket.h>

/* One send has at most MAXIMUM_BATCH datagrams, together no larger than one IPv4 datagram. */
enum { OFFLOAD_MAXIMUM_SEND_BYTES = 65507, OFFLOAD_BUFFER_BYTES = 1 << 16 };

/* Makes each send be split into datagrams of this size. Returns 0 or -errno; ENOPROTOOPT before
 * Linux 4.18. Sends fail with EINVAL or EMSGSIZE if a datagram needs IP fragments, with EIO if the
 * network interface computes no checksums. */
int offload_enable_send(int fd, size_t datagram_bytes);

/* Allows the kernel to join received datagrams. Returns 0 or -errno; ENOPROTOOPT before Linux 5.0.
 */
int offload_enable_receive(int fd);

/* Returns the size of the datagrams joined in a received message, or 0 if it is a single
 * datagram. */
size_t offload_datagram_bytes(struct msghdr *message);

/* Returns the number of packets to send at once: batch, or fewer if they would be too large. */
static inline int offload_batch(int batch, size_t datagram_bytes)
{
    int maximum = (int)(OFFLOAD_MAXIMUM_SEND_BYTES / datagram_bytes);

    return batch < maximum ? batch : maximum < 1 ? 1 : maximum;
}

/* Advice in messages when the kernel refuses UDP segmentation offload. */
#define OFFLOAD_UNAVAILABLE                                                                        \
    "This kernel has no UDP segmentation offload, which needs Linux 5.0; set udp.offload: off."
#define OFFLOAD_TOO_LARGE                                                                          \
    "The kernel refuses segmentation offload to %s of packets of %" PRId64 " bytes: with their "   \
    "IP and UDP headers they must fit the MTU of the path; choose smaller packets or set "         \
    "udp.offload: off."
#define OFFLOAD_NO_CHECKSUMS                                                                       \
    "The kernel refuses segmentation offload to %s: the network interface computes no checksums "  \
    "(ethtool -K DEVICE tx on); else set udp.offload: off."

#endif
