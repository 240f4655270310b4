// GET_CYCLE_TIMER and GET_CYCLE_TIMER2: ioctl_get_cycle_timer(), ioctl_get_cycle_timer2() in
// core-cdev.c.
#include "requests.h"

enum { TICKS_PER_CYCLE = 3072, CYCLES_PER_SECOND = 8000, WRAP_SECONDS = 128 };
static const int64_t TICKS_PER_SECOND = TICKS_PER_CYCLE * CYCLES_PER_SECOND; // 24.576 MHz

static int64_t ticks(uint32_t timer)
{
    uint32_t seconds = timer >> 25, cycle = timer >> 12 & 0x1fff, offset = timer & 0xfff;
    REQUIRE(cycle < CYCLES_PER_SECOND && offset < TICKS_PER_CYCLE);
    return ((int64_t)seconds * CYCLES_PER_SECOND + cycle) * TICKS_PER_CYCLE + offset;
}

static int64_t ticks_between(int64_t from, int64_t to)
{
    return (to - from + WRAP_SECONDS * TICKS_PER_SECOND) % (WRAP_SECONDS * TICKS_PER_SECOND);
}

struct reading {
    int64_t ns, ticks;
};

static struct reading read_timer(int fd, int32_t clock)
{
    struct fw_cdev_get_cycle_timer2 timer = {.clk_id = clock};
    REQUIRE(ioctl(fd, FW_CDEV_IOC_GET_CYCLE_TIMER2, &timer) == 0);
    return (struct reading){timer.tv_sec * INT64_C(1000000000) + timer.tv_nsec,
                            ticks(timer.cycle_timer)};
}

TEST(only_three_clocks_are_supported)
{
    int fd = open_device(nodes.a).fd;
    for (int32_t clock = -1; clock < 12; clock++) {
        struct fw_cdev_get_cycle_timer2 timer = {.clk_id = clock};
        bool known =
            clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW;
        if (known)
            CHECK_OK(ioctl(fd, FW_CDEV_IOC_GET_CYCLE_TIMER2, &timer));
        else
            CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_GET_CYCLE_TIMER2, &timer), EINVAL);
    }
}

TEST(the_system_time_is_of_the_requested_clock)
{
    int fd = open_device(nodes.a).fd;
    static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW};
    for (int i = 0; i < 3; i++) {
        int64_t before = clock_ns(clocks[i]);
        struct reading reading = read_timer(fd, clocks[i]);
        int64_t after = clock_ns(clocks[i]);
        CHECK(reading.ns >= before && reading.ns <= after);
    }
    int64_t before = clock_ns(CLOCK_REALTIME) / 1000;
    struct fw_cdev_get_cycle_timer timer;
    CHECK_OK(ioctl(fd, FW_CDEV_IOC_GET_CYCLE_TIMER, &timer));
    int64_t after = clock_ns(CLOCK_REALTIME) / 1000;
    CHECK((int64_t)timer.local_time >= before && (int64_t)timer.local_time <= after);
}

TEST(the_timer_never_goes_back)
{
    int fd = open_device(nodes.a).fd;
    int64_t last = read_timer(fd, CLOCK_MONOTONIC_RAW).ticks;
    for (int i = 0; i < 20000; i++) {
        struct fw_cdev_get_cycle_timer timer;
        REQUIRE(ioctl(fd, FW_CDEV_IOC_GET_CYCLE_TIMER, &timer) == 0);
        int64_t now = ticks(timer.cycle_timer);
        if (ticks_between(last, now) > TICKS_PER_SECOND) {
            failures++;
            fprintf(stderr, "%s:%d: from %lld to %lld ticks\n", __FILE__, __LINE__, (long long)last,
                    (long long)now);
            return;
        }
        last = now;
    }
}

// A preemption may delay both ends of the second, but not the relation of ticks and stamp, which
// are read together. A controller's crystal may deviate by 100 ppm; another 100 ppm are for the
// time between the two readings.
TEST(it_runs_at_24_576_mhz)
{
    int fd = open_device(nodes.a).fd;
    double best = 1;
    for (int attempt = 0; attempt < 3 && best > 2e-4; attempt++) {
        struct reading first = read_timer(fd, CLOCK_MONOTONIC_RAW);
        poll(NULL, 0, 1000);
        struct reading second = read_timer(fd, CLOCK_MONOTONIC_RAW);
        double expected = (double)(second.ns - first.ns) * 24.576e6 / 1e9;
        double error = (double)ticks_between(first.ticks, second.ticks) / expected - 1;
        if (error < 0)
            error = -error;
        if (error < best)
            best = error;
    }
    CHECK(best <= 2e-4);
}

// Returns whether a timer was read between two readings of another. The slack is for the
// transmission of cycle starts and the adjustment to them.
static bool is_between(int64_t timer, int64_t before, int64_t after)
{
    const int64_t slack = 64;
    return ticks_between(before, timer + slack) <= ticks_between(before, after) + 2 * slack;
}

// The cycle master's cycle starts synchronize the nodes' timers.
TEST(both_nodes_timers_agree)
{
    int a = open_device(nodes.a).fd, b = open_device(nodes.b).fd;
    for (int i = 0; i < 1000; i++) {
        int64_t before = read_timer(a, CLOCK_MONOTONIC_RAW).ticks;
        int64_t between = read_timer(b, CLOCK_MONOTONIC_RAW).ticks;
        REQUIRE(is_between(between, before, read_timer(a, CLOCK_MONOTONIC_RAW).ticks));
    }
}

TEST(every_file_and_the_register_show_the_same_timer)
{
    struct device device = open_device(nodes.b_from_a);
    int64_t before = read_timer(device.fd, CLOCK_MONOTONIC_RAW).ticks;
    int64_t between = ticks(READ_QUADLET(&device, CSR_BASE + 0x200)); // the other node's CYCLE_TIME
    CHECK(is_between(between, before, read_timer(device.fd, CLOCK_MONOTONIC_RAW).ticks));
}

TEST_MAIN
