/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when each TCP segment with data for one port reached the kernel: at netif_rx, which
 * devices without NAPI call (loopback, veth, tun), or at napi_gro_receive_entry, before GRO joins
 * segments. They run for each packet of the host: what is for another port returns after one copy
 * of its headers.
 */
#include "kernel.h"
#include "segments_record.h"

char program_license[] SECTION("license") = "Dual BSD/GPL";

struct segments_state state;

struct {
    MAP_NUMBER(type, BPF_MAP_TYPE_ARRAY);
    MAP_NUMBER(map_flags, BPF_F_MMAPABLE);
    MAP_NUMBER(max_entries, 1); /* the process that loads the program chooses it */
    MAP_TYPE(key, uint32_t);
    MAP_TYPE(value, struct segment);
} segments SECTION(".maps");

enum {
    VERSION_4 = 0x45, /* without options */
    VERSION_6 = 6,
    TCP = 6,
    IP4_BYTES = 20,
    IP6_BYTES = 40,
    PORT_BITS = 16,
};

/* A TCP header, in network order. */
struct tcp {
    uint16_t source;
    uint16_t destination;
    uint32_t sequence;
    uint32_t acknowledged;
    uint8_t words; /* of the header, in the upper four bits */
    uint8_t flags;
    uint16_t window;
    uint32_t checksum_and_urgent;
};

union headers {
    struct {
        uint8_t version;
        uint8_t service;
        uint16_t bytes; /* of the packet; 0 if they do not fit */
        uint16_t identification;
        uint16_t fragment;
        uint8_t lifetime;
        uint8_t protocol;
        uint16_t checksum;
        uint32_t source;
        uint32_t destination;
        struct tcp tcp;
    } v4;
    struct {
        uint32_t version;
        uint16_t bytes; /* after this header; 0 if they do not fit */
        uint8_t protocol;
        uint8_t hops;
        uint32_t source[4];
        uint32_t destination[4];
        struct tcp tcp;
    } v6;
};

static inline uint16_t host16(uint16_t number)
{
    return __builtin_bswap16(number);
}

static inline void record(struct sk_buff *packet, const struct tcp *tcp, uint32_t address,
                          uint32_t packet_bytes, uint32_t ip_bytes)
{
    uint32_t header_bytes = ip_bytes + (tcp->words >> 4) * 4;
    uint64_t sender = (uint64_t)address << PORT_BITS | tcp->source;
    struct segment *segment;
    uint32_t index;

    if (tcp->destination != state.port || packet_bytes <= header_bytes ||
        packet->len - packet->data_len < ip_bytes + sizeof *tcp ||
        packet->dev->nd_net.net->ns.inum != state.network)
        return;
    if (state.sender != sender && __sync_val_compare_and_swap(&state.sender, 0, sender) != 0) {
        __sync_fetch_and_add(&state.foreign, 1);
        return;
    }
    index = __sync_fetch_and_add(&state.written, 1);
    segment = map_element(&segments, &index);
    if (segment == 0)
        return;
    segment->sequence = __builtin_bswap32(tcp->sequence);
    segment->bytes = packet_bytes - header_bytes;
    segment->arrived_ns = ktime_tai_ns();
}

static inline int arrive(struct sk_buff *packet)
{
    union headers headers;

    if (read_kernel(&headers, sizeof headers, packet->data) != 0)
        return 0;
    if (headers.v4.version == VERSION_4 && headers.v4.protocol == TCP)
        record(packet, &headers.v4.tcp, headers.v4.source,
               headers.v4.bytes == 0 ? packet->len : host16(headers.v4.bytes), IP4_BYTES);
    else if (headers.v4.version >> 4 == VERSION_6 && headers.v6.protocol == TCP)
        record(packet, &headers.v6.tcp, headers.v6.source[3],
               headers.v6.bytes == 0 ? packet->len : host16(headers.v6.bytes) + IP6_BYTES,
               IP6_BYTES);
    return 0;
}

SECTION("tp_btf/netif_rx")
int arrive_without_napi(uint64_t *arguments)
{
    return arrive((struct sk_buff *)arguments[0]);
}

SECTION("tp_btf/napi_gro_receive_entry")
int arrive_with_napi(uint64_t *arguments)
{
    return arrive((struct sk_buff *)arguments[0]);
}
