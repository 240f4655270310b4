/*
 * The packets of a run that arrived for one port, that the kernel dropped on their way there, or
 * that left for it, recorded by a BPF program at the kernel's tracepoints of received, dropped or
 * sent packets (packets.bpf.c, frames.bpf.c, drops.bpf.c). Needs Linux 6.1 or later with BTF, for
 * frames 6.12, and CAP_BPF and CAP_PERFMON. The program is removed when the process ends, however
 * it ends. Not thread-safe.
 */
#ifndef LAGBENCH_PACKET_RECORD_H
#define LAGBENCH_PACKET_RECORD_H

#include <stdbool.h>
#include <stdint.h>

struct packet_record;

/* The codes of LinuxPacketRecord.Kind. */
enum packet_record_kind {
    PACKETS_ARRIVED,
    PACKETS_DROPPED,
    PACKETS_LEFT,
    FRAMES_ARRIVED,
    FRAMES_LEFT
};

/* The layout of LinuxPacketRecord.read. */
struct packet_stamp {
    int64_t at_ns;    /* CLOCK_REALTIME; 0 if the segment or datagram is not known */
    int64_t sequence; /* number of a segment's first byte or a datagram's first packet, 32 bits */
    int64_t bytes;    /* bytes of data; 0 for the packet that the segment before begins with */
    int64_t reason;   /* of a dropped datagram: an enum skb_drop_reason of this kernel */
};

/*
 * Loads the program, which records nothing yet.
 *
 * capacity: the number of packets for which to take memory, 16 bytes each, 24 if dropped
 * Returns 0, with the record to be closed in opened; or -errno: -EPERM without the capabilities,
 * -ENOENT if the kernel has no BTF, another one if it refuses the program.
 */
int packet_record_open(enum packet_record_kind kind, uint32_t capacity,
                       struct packet_record **opened);

/*
 * Starts to record the segments that arrive for a port of this network namespace, or leave for a
 * port of any host. Where they leave, packet_record_place is known if the connection begins now.
 *
 * has_begun: whether a stream that arrives may have begun; then packet_record_place is known from
 * the next segment on
 * Returns 0 or -errno.
 */
int packet_record_start_stream(struct packet_record *record, uint16_t port, bool has_begun);

/*
 * Starts to record the datagrams whose first packet has a tag, or the connection with frames of
 * such packets, for a port of this network namespace, or of any host if they leave.
 *
 * tag: 0 to record all datagrams, with any 32 bits in place of the number of the first packet
 * header_bytes: of a datagram's or frame's data, before its first packet
 * Returns 0 or -errno.
 */
int packet_record_start_tagged(struct packet_record *record, uint16_t port, uint64_t tag,
                               int32_t header_bytes);

/*
 * Starts to record the datagrams whose last bytes are a packet with a tag, after a header of any
 * size, for a port of this network namespace, or of any host if they leave.
 *
 * packet_bytes: the packet's size
 * Returns 0 or -errno.
 */
int packet_record_start_last(struct packet_record *record, uint16_t port, uint64_t tag,
                             int32_t packet_bytes);

/* Ends the recording. */
void packet_record_stop(struct packet_record *record);

/* Copies stamps from a number on, in the order of time. Returns how many, at most capacity. */
int packet_record_read(const struct packet_record *record, int64_t from,
                       struct packet_stamp *stamps, int capacity);

/* Returns the number of packets without space, and of those that the kernel did not pass. */
int64_t packet_record_lost(const struct packet_record *record);

/* Returns the number of segments with data from another sender than the first. */
int64_t packet_record_foreign(const struct packet_record *record);

/* A place in a stream. The layout of LinuxPacketRecord.place. */
struct stream_place {
    int64_t sequence; /* number of a byte, 32 bits */
    int64_t offset;   /* bytes of the stream before it */
};

/* Returns whether a place in the sender's stream is known, and stores it. */
bool packet_record_place(const struct packet_record *record, struct stream_place *place);

void packet_record_close(struct packet_record *record);

#endif
