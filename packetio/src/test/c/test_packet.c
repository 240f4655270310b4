/* The layout of a packet. */
#include "packet.h"

#include "check.h"

TEST(the_header_is_in_network_byte_order)
{
    static const unsigned char golden[PACKET_HEADER_BYTES] = {
        0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, /* tag */
        0x00, 0x00, 0x00, 0x01, 0xff, 0xff, 0xff, 0xfe, /* inverse of, and sequence -2 */
        0x18, 0x79, 0xa0, 0x31, 0x25, 0x9b, 0x00, 0x07, /* sent */
    };
    char packet[PACKET_HEADER_BYTES];

    packet_put_identity(packet, UINT64_C(0x0123456789abcdef), -2);
    packet_put_sent_ns(packet, INT64_C(0x1879a031259b0007));
    CHECK_EQUAL(memcmp(packet, golden, sizeof golden), 0);
    CHECK_EQUAL(packet_tag(packet), UINT64_C(0x0123456789abcdef));
    CHECK_EQUAL(packet_sequence(packet), -2);
    CHECK_EQUAL(packet_is_intact(packet), true);
    packet[15] ^= 1;
    CHECK_EQUAL(packet_is_intact(packet), false);
}

/* The first numbers of SplitMix64 from 1234567, as its authors' program prints them. */
TEST(the_payload_is_that_of_splitmix64)
{
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    struct packet_cycle cycle;
    int batch = 1;

    CHECK_EQUAL(packet_cycle_make(&cycle, sizeof published, 1234567, &batch), 0);
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        uint64_t bytes;

        memcpy(&bytes, cycle.bytes + 8 * i, sizeof bytes);
        CHECK_EQUAL(le64toh(bytes), published[i]);
    }
    packet_cycle_free(&cycle);
}

TEST(packets_cycle_in_order)
{
    struct packet_cycle cycle;
    char *first;
    int batch = 1;

    CHECK_EQUAL(packet_cycle_make(&cycle, 100003, 9, &batch), 0);
    first = packet_cycle_next(&cycle, 0, 1);
    CHECK_EQUAL(packet_cycle_next(&cycle, 1, 1) - first, 100003);
    CHECK_EQUAL(packet_cycle_next(&cycle, 2, 1) - first, 0);
    CHECK_EQUAL(packet_sequence(first), 2);
    packet_cycle_free(&cycle);
}

/* A batch that wraps around continues with the first packets' payloads. */
TEST(packets_of_a_batch_are_contiguous)
{
    enum { BYTES = PACKET_CYCLE_BYTES / 8 };
    struct packet_cycle cycle;
    char *first, *wrapped;
    int batch = 64;

    CHECK_EQUAL(packet_cycle_make(&cycle, BYTES, 9, &batch), 0);
    CHECK_EQUAL(batch, 8);
    first = packet_cycle_next(&cycle, 0, 6);
    wrapped = packet_cycle_next(&cycle, 6, 4);
    CHECK_EQUAL(wrapped - first, 6 * BYTES);
    for (int i = 0; i < 4; i++)
        CHECK_EQUAL(packet_sequence(wrapped + i * BYTES), 6 + i);
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(memcmp(wrapped + (2 + i) * BYTES + PACKET_HEADER_BYTES,
                           first + i * BYTES + PACKET_HEADER_BYTES, BYTES - PACKET_HEADER_BYTES),
                    0);
    CHECK_EQUAL(packet_cycle_next(&cycle, 10, 1) - first, 2 * BYTES);
    packet_cycle_free(&cycle);
    CHECK_EQUAL(packet_cycle_make(&cycle, 1 << 24, 9, &batch), 0);
    CHECK_EQUAL(batch, 1);
    packet_cycle_free(&cycle);
}

TEST_MAIN
