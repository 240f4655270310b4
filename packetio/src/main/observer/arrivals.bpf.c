/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when each TCP segment with data or each UDP datagram of a run, for one port, reached the
 * kernel: at netif_rx, which devices without NAPI call (loopback, veth), at
 * napi_gro_receive_entry, before GRO joins segments, or at netif_receive_skb_entry, where programs
 * put packets into TUN and TAP devices.
 */
#define IS_LEAVING 0
#include "packets.h"

char program_license[] SECTION("license") = "Dual BSD/GPL";

static inline int arrive(const struct sk_buff *packet)
{
    struct ip_packet all = {packet, packet->dev, packet->data, packet->len,
                            packet->len - packet->data_len};

    return record_packet(&all);
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

/* A bridge passes on what one of its ports has received. */
static inline bool is_bridge(const struct net_device *device)
{
    static const char NAME[] = "bridge";
    char kind[sizeof NAME];

    if (read_kernel(kind, sizeof kind, device->rtnl_link_ops->kind) != 0)
        return 0;
#pragma unroll
    for (uint32_t i = 0; i < sizeof NAME; i++)
        if (kind[i] != NAME[i])
            return 0;
    return 1;
}

SECTION("tp_btf/netif_receive_skb_entry")
int arrive_directly(uint64_t *arguments)
{
    const struct sk_buff *packet = (struct sk_buff *)arguments[0];

    return is_bridge(packet->dev) ? 0 : arrive(packet);
}

#ifndef FRAMES
/* A socket of an established connection has a segment, but has not yet taken what is in it. */
SECTION("tp_btf/tcp_probe")
int place(uint64_t *arguments)
{
    const struct sock *socket = (struct sock *)arguments[0];
    const struct tcp_sock *connection = (struct tcp_sock *)socket;
    const struct sk_buff *packet = (struct sk_buff *)arguments[1];
    union headers headers;
    const struct tcp *tcp = &headers.v4.transport.tcp;
    uint32_t address;

    if (state.is_placed ||
        read_kernel(&headers, sizeof headers, packet->head + packet->network_header) != 0)
        return 0;
    address = headers.v4.source;
    if (headers.v4.version >> 4 == VERSION_6) {
        tcp = &headers.v6.transport.tcp;
        address = headers.v6.source[3];
    } else if (headers.v4.version != VERSION_4) {
        return 0;
    }
    if (tcp->destination != state.port ||
        socket->__sk_common.skc_net.net->ns.inum != state.network || !is_from_sender(tcp, address))
        return 0;
    read_kernel(&state.sequence, sizeof state.sequence, &connection->rcv_nxt);
    read_kernel(&state.offset, sizeof state.offset, &connection->bytes_received);
    state.is_placed = 1;
    return 0;
}
#endif
