/*
 * UDP segmentation offload (udp(7), UDP_SEGMENT and UDP_GRO): several datagrams of one size pass
 * the kernel's stack, and a network card that can do so, as one buffer.
 */
#ifndef LAGBENCH_OFFLOAD_H
#define LAGBENCH_OFFLOAD_H

#include <stddef.h>
#include <sys/socket.h>

/* One send has at most MAXIMUM_BATCH datagrams, and as many bytes as one datagram over IPv4. */
enum { OFFLOAD_MAXIMUM_SEND_BYTES = 65507, OFFLOAD_BUFFER_BYTES = 1 << 16 };

/* Has each send cut into datagrams of so many bytes. Returns 0 or -errno; ENOPROTOOPT before Linux
 * 4.18. The send fails by EINVAL or EMSGSIZE if such a datagram needs IP fragments, by EIO if the
 * network interface computes no checksums. */
int offload_enable_send(int fd, size_t datagram_bytes);

/* Allows the kernel to join received datagrams. Returns 0 or -errno; ENOPROTOOPT before Linux 5.0.
 */
int offload_enable_receive(int fd);

/* Returns the size of the datagrams joined in a received message, or 0 if it is one datagram. */
size_t offload_datagram_bytes(struct msghdr *message);

/* Returns how many packets go by one send: as many as asked for, or as have room. */
static inline int offload_batch(int batch, size_t datagram_bytes)
{
    int most = (int)(OFFLOAD_MAXIMUM_SEND_BYTES / datagram_bytes);

    return batch < most ? batch : most < 1 ? 1 : most;
}

/* What to do about a refusal. */
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
