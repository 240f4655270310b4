/*
 * A filter of a socket: the kernel drops what other hosts send, before a program that receives
 * could parse it. Any user may set it on an own socket, of UDP or TCP over IPv4 or IPv6.
 */
#ifndef LAGBENCH_SOURCE_FILTER_H
#define LAGBENCH_SOURCE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

enum { SOURCE_FILTER_HOSTS = 4 };

struct source_filter {
    struct {
        uint32_t words[4];
        int count; /* of words: 1 of an IPv4 address, 4 of an IPv6 address */
    } hosts[SOURCE_FILTER_HOSTS];
    int count;
    uint16_t first_port, last_port; /* of the hosts; 0 for any */
};

/* Reads the hosts: numeric addresses, with commas between them. Returns 0, or -EINVAL if one is
 * invalid or there are none or too many. */
int source_filter_read(struct source_filter *filter, const char *hosts);

/*
 * Sets the filter, which cannot be changed afterwards. A socket that is not bound yet has received
 * nothing before; the connections that a listening socket accepts have the filter, too. Recent
 * kernels let only CAP_NET_ADMIN filter TCP: without it this does nothing for TCP, so that the host
 * or the tag of each accepted connection is checked as well. Returns 0 or -errno.
 */
int source_filter_attach(const struct source_filter *filter, int fd);

/* Returns whether a socket has a filter. */
bool source_filter_is_attached(int fd);

#endif
