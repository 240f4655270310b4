/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when and why the kernel dropped UDP datagrams of a run for one port, at the tracepoint
 * kfree_skb, which it does not pass for a packet that is received.
 */
#include "kernel.h"
#include "headers.h"
#include "packet_memory.h"

char program_license[] SECTION("license") = "Dual BSD/GPL";

struct packet_state state;

struct {
    MAP_NUMBER(type, BPF_MAP_TYPE_ARRAY);
    MAP_NUMBER(map_flags, BPF_F_MMAPABLE);
    MAP_NUMBER(max_entries, 1); /* the process that loads the program chooses it */
    MAP_TYPE(key, uint32_t);
    MAP_TYPE(value, struct dropped_packet);
} packets SECTION(".maps");

enum { ADDRESS_BITS = 56, OF_KERNEL = 0xff };

static inline void append(uint32_t sequence, uint32_t bytes, uint32_t reason)
{
    uint32_t index = __sync_fetch_and_add(&state.written, 1);
    struct dropped_packet *dropped = map_element(&packets, &index);

    if (dropped == 0)
        return;
    dropped->packet.sequence = __builtin_bswap32(sequence);
    dropped->packet.bytes = bytes;
    dropped->reason = reason;
    dropped->packet.at_ns = ktime_tai_ns();
}

/*
 * Returns whether a datagram is in the receiver's network namespace. UDP replaces the address of
 * its device by other data when a socket takes it: then the socket is the receiver's, by the tag.
 */
static inline bool is_at_receiver(const struct sk_buff *packet)
{
    uint64_t device = (uint64_t)packet->dev;

    return device >> ADDRESS_BITS == OF_KERNEL ? packet->dev->nd_net.net->ns.inum == state.network
                                               : device != 0;
}

/*
 * Records a datagram of the run.
 *
 * ip: its IP header
 * ip_bytes: of this header
 * bytes: after that
 */
static inline void record(const struct sk_buff *packet, const struct udp *udp, const uint8_t *ip,
                          uint32_t ip_bytes, uint32_t bytes, uint32_t reason)
{
    const uint8_t *begin = ip + ip_bytes + sizeof *udp + packet_offset(&state, bytes - sizeof *udp);
    struct packet first;

    if (udp->destination != state.port || host16(udp->bytes) != bytes ||
        begin + sizeof first > packet->head + packet->tail ||
        read_kernel(&first, sizeof first, begin) != 0 || first.tag != state.tag ||
        !is_at_receiver(packet))
        return;
    append(first.sequence[1], bytes - sizeof *udp, reason);
}

SECTION("tp_btf/kfree_skb")
int drop(uint64_t *arguments)
{
    const struct sk_buff *packet = (struct sk_buff *)arguments[0];
    const uint8_t *ip =
        packet->network_header == 0 ? packet->data : packet->head + packet->network_header;
    union headers headers;

    if (read_kernel(&headers, sizeof headers, ip) != 0)
        return 0;
    if (headers.v4.version == VERSION_4 && headers.v4.protocol == UDP &&
        (host16(headers.v4.fragment) & FRAGMENT) == 0)
        record(packet, &headers.v4.transport.udp, ip, IP4_BYTES,
               host16(headers.v4.bytes) - IP4_BYTES, (uint32_t)arguments[2]);
    else if (headers.v4.version >> 4 == VERSION_6 && headers.v6.protocol == UDP)
        record(packet, &headers.v6.transport.udp, ip, IP6_BYTES, host16(headers.v6.bytes),
               (uint32_t)arguments[2]);
    return 0;
}
