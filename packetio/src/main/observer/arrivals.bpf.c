/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when each TCP segment with data or each UDP datagram of a run, for one port, reached the
 * kernel: at netif_rx, which devices without NAPI call (loopback, veth), at
 * napi_gro_receive_entry, before GRO joins segments, or at netif_receive_skb_entry, where programs
 * put packets into TUN and TAP devices. They run for each packet of the host: what is for another
 * port returns after one copy of its headers.
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
    MAP_TYPE(value, struct recorded_packet);
} packets SECTION(".maps");

enum { PORT_BITS = 16 };

static inline void append(uint32_t sequence, uint32_t bytes)
{
    uint32_t index = __sync_fetch_and_add(&state.written, 1);
    struct recorded_packet *packet = map_element(&packets, &index);

    if (packet == 0)
        return;
    packet->sequence = __builtin_bswap32(sequence);
    packet->bytes = bytes;
    packet->at_ns = ktime_tai_ns();
}

/* Returns whether a segment is from the sender of the first one. */
static inline bool is_from_sender(const struct tcp *tcp, uint32_t address)
{
    uint64_t sender = (uint64_t)address << PORT_BITS | tcp->source;

    return state.sender == sender || __sync_val_compare_and_swap(&state.sender, 0, sender) == 0;
}

static inline void record_segment(const struct tcp *tcp, uint32_t address, uint32_t bytes)
{
    uint32_t header_bytes = (tcp->words >> 4) * 4;

    if (bytes <= header_bytes)
        return;
    if (is_from_sender(tcp, address))
        append(tcp->sequence, bytes - header_bytes);
    else
        __sync_fetch_and_add(&state.foreign, 1);
}

/*
 * Records a datagram of the run, unless the begin of its packet is in another page: the kernel puts
 * it there if it sends more than about 16 KB, or several datagrams at once, to this host.
 *
 * data: its bytes after the UDP header, of which data_bytes are in the first page
 */
static inline void record_datagram(const struct udp *udp, uint32_t bytes, const uint8_t *data,
                                   int32_t data_bytes)
{
    struct packet packet;

    if (host16(udp->bytes) != bytes || data_bytes < (int32_t)(state.header_bytes + sizeof packet) ||
        read_kernel(&packet, sizeof packet, data + state.header_bytes) != 0 ||
        packet.tag != state.tag)
        return;
    append(packet.sequence[1], bytes - sizeof *udp);
}

/*
 * Records a packet for the port.
 *
 * address: of its sender
 * ip_bytes: of its IP header
 * bytes: after that
 */
static inline void record(const struct sk_buff *packet, const union transport *header,
                          uint32_t address, uint32_t ip_bytes, uint32_t bytes)
{
    int32_t linear_bytes = (int32_t)(packet->len - packet->data_len - ip_bytes);

    if (header->tcp.destination != state.port || packet->dev->nd_net.net->ns.inum != state.network)
        return;
    if (state.protocol == UDP)
        record_datagram(&header->udp, bytes, packet->data + ip_bytes + sizeof header->udp,
                        linear_bytes - (int32_t)sizeof header->udp);
    else if (linear_bytes >= (int32_t)sizeof header->tcp)
        record_segment(&header->tcp, address, bytes);
}

static inline int arrive(const struct sk_buff *packet)
{
    union headers headers;

    if (read_kernel(&headers, sizeof headers, packet->data) != 0)
        return 0;
    if (headers.v4.version == VERSION_4 && headers.v4.protocol == state.protocol &&
        (host16(headers.v4.fragment) & FRAGMENT) == 0)
        record(packet, &headers.v4.transport, headers.v4.source, IP4_BYTES,
               (headers.v4.bytes == 0 ? packet->len : host16(headers.v4.bytes)) - IP4_BYTES);
    else if (headers.v4.version >> 4 == VERSION_6 && headers.v6.protocol == state.protocol)
        record(packet, &headers.v6.transport, headers.v6.source[3], IP6_BYTES,
               headers.v6.bytes == 0 ? packet->len - IP6_BYTES : host16(headers.v6.bytes));
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
