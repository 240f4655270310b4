/* TCP segments that begin with a header and a packet leave and arrive at the loopback interface. */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "can_record.h"
#include "check.h"
#include "clocks.h"
#include "frames_program.h"
#include "loopback.h"

enum { FRAMES = 64, HEADER_BYTES = 14, FRAME_BYTES = 114, LARGE_BYTES = 40000, CAPACITY = 512 };

static const uint64_t TAG = 0x1122334455667788;

static uint16_t port_of(int fd)
{
    struct sockaddr_in6 address;
    socklen_t length = sizeof address;

    must(getsockname(fd, (struct sockaddr *)&address, &length), "getsockname");
    return ntohs(address.sin6_port);
}

/* Opens a record; NULL if this kernel cannot read what is in other pages. */
static struct packet_record *open_record(enum packet_record_kind kind, int fd)
{
    struct packet_record *frames;

    if (!can_record())
        return NULL;
    if (packet_record_open(kind, CAPACITY, &frames) != 0) {
        printf("skipped: this kernel does not record frames\n");
        return NULL;
    }
    CHECK_EQUAL(packet_record_start_tagged(frames, port_of(fd), TAG, HEADER_BYTES), 0);
    return frames;
}

/* Sends a frame, and receives it. */
static void move(struct pair pair, uint64_t tag, int64_t packet, size_t bytes)
{
    static char frame[LARGE_BYTES];
    uint64_t begin[] = {htobe64(tag), htobe64((uint64_t)packet)};

    memcpy(frame + HEADER_BYTES, begin, sizeof begin);
    CHECK_EQUAL(send(pair.sender, frame, bytes, 0), bytes);
    CHECK_EQUAL(recv(pair.receiver, frame, bytes, MSG_WAITALL), bytes);
}

/* Finds a packet in the record. Returns its index there, which is after that of its segment. */
static int find(const struct packet_stamp *stamps, int count, int64_t packet)
{
    for (int i = 1; i < count; i++)
        if (stamps[i].bytes == 0 && (int32_t)stamps[i].sequence == packet)
            return i;
    CHECK(!"the packet is missing");
    return 0;
}

static void check_segments(enum packet_record_kind kind)
{
    struct pair pair = tcp_pair();
    struct packet_record *frames = open_record(kind, pair.receiver);
    struct packet_stamp stamps[CAPACITY];
    int64_t sent_ns[FRAMES], received_ns[FRAMES];
    int count;

    if (frames == NULL)
        return;
    move(pair, TAG + 1, 5, FRAME_BYTES); /* before it is known that this is the sender */
    for (int i = 0; i < FRAMES; i++) {
        sent_ns[i] = realtime_ns();
        move(pair, TAG, i - 3, i % 8 == 7 ? LARGE_BYTES : FRAME_BYTES);
        received_ns[i] = realtime_ns();
        move(pair, TAG + 1, i, 17); /* another message, too short for a packet */
    }
    packet_record_stop(frames);
    CHECK_EQUAL(packet_record_lost(frames), 0);
    count = packet_record_read(frames, 0, stamps, CAPACITY);
    CHECK(count >= 3 * FRAMES);
    CHECK(count <= CAPACITY);
    for (int i = 0; i < FRAMES; i++) {
        int at = find(stamps, count, i - 3);

        CHECK(stamps[at].at_ns >= sent_ns[i]);
        CHECK(stamps[at].at_ns <= received_ns[i]);
        CHECK_EQUAL(stamps[at].at_ns, stamps[at - 1].at_ns);
        CHECK(stamps[at - 1].bytes > 0);
    }
    packet_record_close(frames);
    close_pair(pair);
}

TEST(segments_arrive_with_the_packets_that_they_begin_with)
{
    check_segments(FRAMES_ARRIVED);
}

TEST(segments_leave_with_the_packets_that_they_begin_with)
{
    check_segments(FRAMES_LEFT);
}

static void check_other_connections(enum packet_record_kind kind)
{
    struct pair pair = tcp_pair();
    struct packet_record *frames = open_record(kind, pair.receiver);
    struct packet_stamp stamps[CAPACITY];

    if (frames == NULL)
        return;
    for (int i = 0; i < FRAMES; i++)
        move(pair, TAG + 1, i, FRAME_BYTES);
    packet_record_stop(frames);
    CHECK_EQUAL(packet_record_read(frames, 0, stamps, CAPACITY), 0);
    packet_record_close(frames);
    close_pair(pair);
}

TEST(other_connections_to_the_port_are_not_recorded)
{
    check_other_connections(FRAMES_ARRIVED);
    check_other_connections(FRAMES_LEFT);
}

/* As Linux 6.1, which does not know a function that the program calls. */
TEST(a_kernel_without_a_function_is_not_one_without_btf)
{
    static const char NAME[] = "bpf_dynptr_from_skb";
    static char data[sizeof FRAMES_DATA];
    struct frames_skeleton skeleton = {.maps.packets.max_entries = 1};
    struct kernel_text text = FRAMES_TEXT;
    char *name;

    if (!can_record())
        return;
    memcpy(data, text.data, text.data_bytes);
    while ((name = memmem(data, text.data_bytes, NAME, sizeof NAME)) != NULL)
        *name = 'x';
    text.data = data;
    CHECK_EQUAL(kernel_program_load(&skeleton.begin, sizeof skeleton, &text), -EOPNOTSUPP);
}

TEST_MAIN
