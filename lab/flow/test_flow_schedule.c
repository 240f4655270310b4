#include "flow_schedule.c"

#include "check.h"

int main(void)
{
    /* 6 Mbit/s in packets of 1000 bytes: 750 packets per second from second 6 to second 8. */
    struct flow_schedule rival = {6000000, 1000, 6 * NS_PER_S, 8 * NS_PER_S};
    struct flow_schedule day = {INT64_C(100000000000), 65507, 0, 86400 * NS_PER_S};

    CHECK_EQUAL(flow_schedule_due_ns(&rival, 0), 6 * NS_PER_S);
    CHECK_EQUAL(flow_schedule_due_ns(&rival, 3), 6 * NS_PER_S + 4000000);
    CHECK_EQUAL(flow_schedule_due_ns(&rival, 1499), 6 * NS_PER_S + INT64_C(1998666666));
    CHECK_EQUAL(flow_schedule_due_ns(&rival, 1500), -1);
    CHECK_EQUAL(flow_schedule_due_ns(&rival, 750), 7 * NS_PER_S);
    int64_t last = (86400 * day.rate_bits_per_s - 1) / (day.packet_bytes * 8);
    CHECK_EQUAL(flow_schedule_due_ns(&day, last) < day.stop_ns, 1);
    CHECK_EQUAL(flow_schedule_due_ns(&day, last + 1), -1);
    return EXIT_SUCCESS;
}
