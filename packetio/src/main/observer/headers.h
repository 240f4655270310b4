/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The headers of TCP segments and UDP datagrams, and the begin of lagbench's packets. */
#ifndef LAGBENCH_OBSERVER_HEADERS_H
#define LAGBENCH_OBSERVER_HEADERS_H

#include "kernel.h"

enum {
    VERSION_4 = 0x45, /* IPv4 header without options */
    VERSION_6 = 6,
    TCP = 6,
    UDP = 17,
    FRAGMENT = 0x3fff, /* at least one of these bits is set in a fragment */
    IP4_BYTES = 20,
    IP6_BYTES = 40,
};

/* A TCP header, in network order. */
struct tcp {
    uint16_t source;
    uint16_t destination;
    uint32_t sequence;
    uint32_t acknowledged;
    uint8_t words; /* size of the header, in the upper four bits */
    uint8_t flags;
    uint16_t window;
    uint32_t checksum_and_urgent;
};

/* A UDP header, in network order. */
struct udp {
    uint16_t source;
    uint16_t destination;
    uint16_t bytes; /* size of the datagram with this header */
    uint16_t checksum;
};

/* The begin of a packet, in network order. */
struct packet {
    uint64_t tag;
    uint32_t sequence[2];
};

union transport {
    struct tcp tcp;
    struct udp udp;
};

union headers {
    struct {
        uint8_t version;
        uint8_t service;
        uint16_t bytes; /* size of the packet; 0 if it exceeds 65,535 */
        uint16_t identification;
        uint16_t fragment;
        uint8_t lifetime;
        uint8_t protocol;
        uint16_t checksum;
        uint32_t source;
        uint32_t destination;
        union transport transport;
    } v4;
    struct {
        uint32_t version;
        uint16_t bytes; /* size after this header; 0 if it exceeds 65,535 */
        uint8_t protocol;
        uint8_t hops;
        uint32_t source[4];
        uint32_t destination[4];
        union transport transport;
    } v6;
};

static inline uint16_t host16(uint16_t number)
{
    return __builtin_bswap16(number);
}

#endif
