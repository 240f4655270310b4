/* What is counted as what. */
#include "arrivals.c"

#include "check.h"

enum { TAG = 77, PACKETS = 5, WARM_UP = 3, ROOM = 6 };

static int64_t records[ROOM * RECEIVER_FIELDS];

static void take(struct arrivals *arrivals, uint64_t tag, int64_t sequence)
{
    char packet[PACKET_HEADER_BYTES] = {0};

    packet_put_identity(packet, tag, sequence);
    arrivals_packet(arrivals, packet, 1000 + sequence);
}

int main(void)
{
    struct capture capture = {.records = records, .capacity = ROOM};
    struct arrivals arrivals;
    static const int64_t recorded[] = {0, 2, 1, 1, 4, 4, 2};

    CHECK_EQUAL(arrivals_make(&arrivals, TAG, PACKETS, WARM_UP, &capture), 0);
    take(&arrivals, TAG, -3);
    take(&arrivals, TAG, -1);
    take(&arrivals, TAG, -4);
    take(&arrivals, TAG, PACKETS);
    take(&arrivals, TAG + 1, 0);
    CHECK_EQUAL(capture.count, 0);
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++)
        take(&arrivals, TAG, recorded[i]);
    arrivals_count_foreign(&arrivals);

    CHECK_EQUAL(arrivals.received, 7);
    CHECK_EQUAL(arrivals.distinct, 4);
    CHECK_EQUAL(arrivals.duplicated, 3);
    CHECK_EQUAL(arrivals.reordered, 1);
    CHECK_EQUAL(arrivals.foreign, 4);
    CHECK_EQUAL(arrivals.unrecorded, 1);
    CHECK_EQUAL(arrivals.warm_up_received, 2);
    CHECK_EQUAL(arrivals_complete(&arrivals), false);
    CHECK_EQUAL(capture.count, ROOM);
    for (int i = 0; i < ROOM; i++) {
        CHECK_EQUAL(records[2 * i], recorded[i]);
        CHECK_EQUAL(records[2 * i + 1], 1000 + recorded[i]);
    }
    take(&arrivals, TAG, 3);
    CHECK_EQUAL(arrivals_complete(&arrivals), true);
    arrivals_free(&arrivals);
    return EXIT_SUCCESS;
}
