/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when each TCP segment with data or each UDP datagram of a run, for one port, left for the
 * driver of its device, or reached the kernel. The programs run for each packet of the host: what
 * is for another port returns after one copy of its headers. frames.bpf.c defines FRAMES.
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

enum { PORT_BITS = 16, SYN = 2 };

/* An IP packet. */
struct ip_packet {
    const struct sk_buff *memory;
    const struct net_device *device;
    const uint8_t *begin;
    uint32_t offset;       /* of this begin in the memory's data */
    uint32_t bytes;        /* from there on */
    uint32_t linear_bytes; /* of these, in the first page */
    bool is_leaving;
};

static inline void write(uint32_t index, uint32_t sequence, uint32_t bytes, uint64_t at_ns)
{
    struct recorded_packet *packet = map_element(&packets, &index);

    if (packet == 0)
        return;
    packet->sequence = __builtin_bswap32(sequence);
    packet->bytes = bytes;
    packet->at_ns = at_ns;
}

/* Returns whether a packet that leaves was the last one too: then it passes its next device. */
static inline bool is_passing(const struct ip_packet *packet, uint32_t sequence, uint32_t bytes)
{
    uint64_t last = (uint64_t)sequence << 32 | bytes;
    bool is_last = packet->is_leaving && state.last == last;

    if (packet->is_leaving)
        state.last = last;
    return is_last;
}

static inline void append(const struct ip_packet *packet, uint32_t sequence, uint32_t bytes)
{
    if (!is_passing(packet, sequence, bytes))
        write(__sync_fetch_and_add(&state.written, 1), sequence, bytes, ktime_tai_ns());
}

static inline uint64_t sender_of(const struct tcp *tcp, uint32_t address)
{
    return (uint64_t)address << PORT_BITS | tcp->source;
}

/* Returns whether a segment is from the sender of the first one. */
static inline bool is_from_sender(const struct tcp *tcp, uint32_t address)
{
    uint64_t sender = sender_of(tcp, address);

    return state.sender == sender || __sync_val_compare_and_swap(&state.sender, 0, sender) == 0;
}

/* Places the stream, which is of the last connection that began before the first data. */
static inline void begin_stream(const struct tcp *tcp, uint32_t address)
{
    if (state.written != 0)
        return;
    state.sender = sender_of(tcp, address);
    state.sequence = __builtin_bswap32(tcp->sequence) + 1;
    state.is_placed = 1;
}

#ifdef FRAMES
/*
 * Records a segment with data of the connection that has the run's packets, and which packet it
 * begins with.
 *
 * ip_bytes: of its IP header
 * bytes: after that
 */
static inline void record_segment(const struct ip_packet *packet, const struct tcp *tcp,
                                  uint32_t address, uint32_t ip_bytes, uint32_t bytes)
{
    uint32_t header_bytes = (tcp->words >> 4) * 4;
    uint32_t at = packet->offset + ip_bytes + header_bytes + state.header_bytes;
    struct bpf_dynptr all;
    struct packet begin;
    uint64_t at_ns = ktime_tai_ns();
    bool is_begin = bpf_dynptr_from_skb((void *)packet->memory, 0, &all) == 0 &&
                    read_dynptr(&begin, sizeof begin, &all, at, 0) == 0 && begin.tag == state.tag;
    uint32_t index;

    if (bytes <= header_bytes || (state.sender == 0 && !is_begin) ||
        !is_from_sender(tcp, address) || is_passing(packet, tcp->sequence, bytes - header_bytes))
        return;
    index = __sync_fetch_and_add(&state.written, is_begin ? 2 : 1);
    write(index, tcp->sequence, bytes - header_bytes, at_ns);
    if (is_begin)
        write(index + 1, begin.sequence[1], 0, at_ns);
}
#else
static inline void record_segment(const struct ip_packet *packet, const struct tcp *tcp,
                                  uint32_t address, uint32_t ip_bytes, uint32_t bytes)
{
    uint32_t header_bytes = (tcp->words >> 4) * 4;

    (void)ip_bytes;
    if (packet->is_leaving && (tcp->flags & SYN) != 0)
        begin_stream(tcp, address);
    else if (bytes <= header_bytes)
        return;
    else if (is_from_sender(tcp, address))
        append(packet, tcp->sequence, bytes - header_bytes);
    else
        __sync_fetch_and_add(&state.foreign, 1);
}
#endif

/*
 * Records a datagram of the run, or any one if it has no tag, unless the begin of its packet is in
 * another page: the kernel puts it there if it sends more than about 16 KB, or several datagrams at
 * once, to this host.
 *
 * data: its bytes after the UDP header, of which data_bytes are in the first page
 */
static inline void record_datagram(const struct ip_packet *packet, const struct udp *udp,
                                   uint32_t bytes, const uint8_t *data, int32_t data_bytes)
{
    int32_t offset = packet_offset(&state, bytes - sizeof *udp);
    struct packet first;

    if (host16(udp->bytes) != bytes || data_bytes < offset + (int32_t)sizeof first ||
        read_kernel(&first, sizeof first, data + offset) != 0 ||
        (state.tag != 0 && first.tag != state.tag))
        return;
    append(packet, first.sequence[1], bytes - sizeof *udp);
}

/*
 * Records a packet for the port.
 *
 * address: of its sender
 * ip_bytes: of its IP header
 * bytes: after that
 */
static inline void record(const struct ip_packet *packet, const union transport *header,
                          uint32_t address, uint32_t ip_bytes, uint32_t bytes)
{
    int32_t linear_bytes = (int32_t)(packet->linear_bytes - ip_bytes);

    if (header->tcp.destination != state.port ||
        packet->device->nd_net.net->ns.inum != state.network)
        return;
    if (state.protocol == UDP)
        record_datagram(packet, &header->udp, bytes, packet->begin + ip_bytes + sizeof header->udp,
                        linear_bytes - (int32_t)sizeof header->udp);
    else if (linear_bytes >= (int32_t)sizeof header->tcp)
        record_segment(packet, &header->tcp, address, ip_bytes, bytes);
}

static inline int record_packet(const struct ip_packet *packet)
{
    union headers headers;

    if (read_kernel(&headers, sizeof headers, packet->begin) != 0)
        return 0;
    if (headers.v4.version == VERSION_4 && headers.v4.protocol == state.protocol &&
        (host16(headers.v4.fragment) & FRAGMENT) == 0)
        record(packet, &headers.v4.transport, headers.v4.source, IP4_BYTES,
               (headers.v4.bytes == 0 ? packet->bytes : host16(headers.v4.bytes)) - IP4_BYTES);
    else if (headers.v4.version >> 4 == VERSION_6 && headers.v6.protocol == state.protocol)
        record(packet, &headers.v6.transport, headers.v6.source[3], IP6_BYTES,
               headers.v6.bytes == 0 ? packet->bytes - IP6_BYTES : host16(headers.v6.bytes));
    return 0;
}

/*
 * After the queueing discipline. A packet that passes several devices of the host, such as a VLAN
 * and its card, is recorded again only if it waits for the second.
 */
SECTION("tp_btf/net_dev_start_xmit")
int leave(uint64_t *arguments)
{
    const struct sk_buff *packet = (struct sk_buff *)arguments[0];
    uint8_t *begin = packet->head + packet->network_header;
    uint32_t offset = begin - packet->data;
    uint32_t bytes = packet->len - offset;
    struct ip_packet all = {packet, packet->dev, begin, offset, bytes, bytes - packet->data_len, 1};

    return record_packet(&all);
}

static inline int arrive(const struct sk_buff *packet)
{
    struct ip_packet all = {
        packet, packet->dev, packet->data, 0, packet->len, packet->len - packet->data_len, 0};

    return record_packet(&all);
}

/* By devices without NAPI (loopback, veth). */
SECTION("tp_btf/netif_rx")
int arrive_without_napi(uint64_t *arguments)
{
    return arrive((struct sk_buff *)arguments[0]);
}

/* Before GRO joins segments. */
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

/* Where programs put packets into TUN and TAP devices. */
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
