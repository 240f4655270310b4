/* Tests how packets are counted. */
#include "accounting.h"

#include "check.h"

enum { TAG = 77, PACKETS = 5, WARM_UP = 3, LEAD_OUT = 2, ROOM = 6 };

static int64_t records[ROOM * RECEIVER_FIELDS];

static void take(struct accounting *accounting, uint64_t tag, int64_t sequence)
{
    char packet[PACKET_HEADER_BYTES] = {0};

    packet_put_identity(packet, tag, sequence);
    accounting_packet(accounting, packet, 1000 + sequence, 0);
}

/* Takes a packet whose number became that of another one of the run. */
static void take_damaged(struct accounting *accounting, int64_t sequence)
{
    char packet[PACKET_HEADER_BYTES] = {0};

    packet_put_identity(packet, TAG, sequence);
    packet[15] ^= 1;
    accounting_packet(accounting, packet, 1000 + sequence, 0);
}

int main(void)
{
    struct capture capture = {
        .records = records, .fields = RECEIVER_FIELDS, .capacity = ROOM, .writable = ROOM};
    struct accounting accounting;
    static const int64_t recorded[] = {0, 2, 1, 1, 4, 4, 2};

    CHECK_EQUAL(accounting_make(&accounting, TAG, PACKETS, WARM_UP, LEAD_OUT, &capture), 0);
    take(&accounting, TAG, -3);
    take(&accounting, TAG, -1);
    take(&accounting, TAG, -4);
    take(&accounting, TAG, -5);
    take(&accounting, TAG, -6);
    take(&accounting, TAG, PACKETS);
    take(&accounting, ~(uint64_t)TAG, 0);
    CHECK_EQUAL(capture.count, 0);
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++)
        take(&accounting, TAG, recorded[i]);
    accounting_count_foreign(&accounting);
    take_damaged(&accounting, 2);
    take(&accounting, TAG ^ 0xff, 2);

    CHECK_EQUAL(accounting.received, 7);
    CHECK_EQUAL(accounting.distinct, 4);
    CHECK_EQUAL(accounting.duplicated, 3);
    CHECK_EQUAL(accounting.reordered, 1);
    CHECK_EQUAL(accounting.foreign, 4);
    CHECK_EQUAL(accounting.damaged, 2);
    CHECK_EQUAL(accounting.unrecorded, 2);
    CHECK_EQUAL(accounting.warm_up_received, 2);
    CHECK_EQUAL(accounting.lead_out_received, 2);
    CHECK_EQUAL(accounting_is_complete(&accounting), false);
    CHECK_EQUAL(capture.count, PACKETS); /* one copy; the place of packet 3 is kept */
    take(&accounting, TAG, 3);
    CHECK_EQUAL(accounting_is_complete(&accounting), true);
    CHECK_EQUAL(capture.count, ROOM);
    for (int i = 0; i < ROOM; i++) {
        int64_t expected = i < PACKETS ? recorded[i] : 3;

        CHECK_EQUAL(records[2 * i], expected);
        CHECK_EQUAL(records[2 * i + 1], 1000 + expected);
    }
    accounting_free(&accounting);
    return EXIT_SUCCESS;
}
