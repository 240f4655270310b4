/*
 * Runs with the library preloaded and compares all that it shows with the kernel's own answers, by
 * system calls that the library cannot see. The clock's arithmetic itself is tested by
 * test_clock_error.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include <asm/socket.h>

#include "check.h"
#include "clock_error.h"
#include "loopback.h"

#define NS_PER_S INT64_C(1000000000)
#define COARSE_NS INT64_C(10000000) /* a tick, at most */

static struct clock_error error;

static int64_t ns(struct timespec time)
{
    return time.tv_sec * NS_PER_S + time.tv_nsec;
}

static int64_t true_ns(clockid_t clock)
{
    struct timespec time;

    CHECK_EQUAL(syscall(SYS_clock_gettime, clock, &time), 0);
    return ns(time);
}

/* Checks a clock that was read between two true times; it may be resolution_ns behind. */
static void check_between(const char *what, int64_t before_ns, int64_t shown_ns, int64_t after_ns,
                          int64_t resolution_ns)
{
    int64_t least_ns = clock_error_shown_ns(&error, before_ns) - resolution_ns;
    int64_t most_ns = clock_error_shown_ns(&error, after_ns);

    if (shown_ns >= least_ns && shown_ns <= most_ns)
        return;
    fprintf(stderr, "%s shows %" PRId64 ", not between %" PRId64 " and %" PRId64 "\n", what,
            shown_ns, least_ns, most_ns);
    exit(EXIT_FAILURE);
}

TEST(shows_the_error_in_every_way_to_read_the_clock)
{
    struct timespec time_ns;
    struct timeval time_us;
    struct timezone zone = {.tz_minuteswest = 7};
    time_t seconds;

    for (int i = 0; i < 1000; i++) {
        int64_t before_ns = true_ns(CLOCK_REALTIME);
        CHECK_EQUAL(clock_gettime(CLOCK_REALTIME, &time_ns), 0);
        check_between("clock_gettime()", before_ns, ns(time_ns), true_ns(CLOCK_REALTIME), 0);

        before_ns = true_ns(CLOCK_REALTIME);
        CHECK_EQUAL(clock_gettime(CLOCK_REALTIME_COARSE, &time_ns), 0);
        check_between("the coarse clock", before_ns, ns(time_ns), true_ns(CLOCK_REALTIME),
                      COARSE_NS);

        before_ns = true_ns(CLOCK_REALTIME);
        CHECK_EQUAL(timespec_get(&time_ns, TIME_UTC), TIME_UTC);
        check_between("timespec_get()", before_ns, ns(time_ns), true_ns(CLOCK_REALTIME), 0);

        before_ns = true_ns(CLOCK_REALTIME);
        CHECK_EQUAL(gettimeofday(&time_us, (void *)&zone), 0);
        check_between("gettimeofday()", before_ns,
                      time_us.tv_sec * NS_PER_S + time_us.tv_usec * 1000, true_ns(CLOCK_REALTIME),
                      999);
        CHECK_EQUAL(zone.tz_minuteswest, 0);

        before_ns = true_ns(CLOCK_REALTIME);
        CHECK_EQUAL(time(&seconds) - seconds <= 0, 1);
        check_between("time()", before_ns, seconds * NS_PER_S, true_ns(CLOCK_REALTIME),
                      NS_PER_S - 1);
    }
}

TEST(leaves_the_monotonic_clocks_true)
{
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME,
                                       CLOCK_TAI};
    struct timespec time;

    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        int64_t before_ns = true_ns(clocks[i]);
        CHECK_EQUAL(clock_gettime(clocks[i], &time), 0);
        int64_t after_ns = true_ns(clocks[i]);
        CHECK_EQUAL(ns(time) >= before_ns && ns(time) <= after_ns, 1);
    }
}

/* The library passes the kernel's errors on. */
TEST(reports_the_kernels_errors)
{
    struct timespec time;

    CHECK_EQUAL(clock_gettime(12345, &time), -1);
    CHECK_EQUAL(errno, EINVAL);
    CHECK_EQUAL(timespec_get(&time, 0), 0);
    CHECK_EQUAL(recvmsg(-1, &(struct msghdr){0}, 0), -1);
    CHECK_EQUAL(errno, EBADF);
}

TEST(forbids_setting_the_clock)
{
    struct timex time = {.modes = ADJ_OFFSET};
    struct timex reading = {0};

    CHECK_EQUAL(clock_settime(CLOCK_REALTIME, &(struct timespec){.tv_sec = -1}), -1);
    CHECK_EQUAL(errno, EPERM);
    CHECK_EQUAL(settimeofday(&(struct timeval){.tv_sec = -1}, NULL), -1);
    CHECK_EQUAL(errno, EPERM);
    CHECK_EQUAL(adjtime(&(struct timeval){0}, NULL), -1);
    CHECK_EQUAL(errno, EPERM);
    CHECK_EQUAL(adjtimex(&time), -1);
    CHECK_EQUAL(ntp_adjtime(&time), -1);
    CHECK_EQUAL(clock_adjtime(CLOCK_REALTIME, &time), -1);
    CHECK_EQUAL(errno, EPERM);
    CHECK_EQUAL(adjtimex(&reading) >= 0, 1);
}

/* Sets the timer to expire soon, and waits for that. */
static void check_expiry(int timer, int flags)
{
    int64_t expired = 0;
    struct itimerspec soon = {.it_value.tv_nsec = 30000000};

    CHECK_EQUAL(timerfd_settime(timer, flags, &soon, NULL), 0);
    CHECK_EQUAL(read(timer, &expired, sizeof expired), sizeof expired);
    CHECK_EQUAL(expired, 1);
}

static void cancels_a_timer_once_at_the_step(const char *step)
{
    static const struct itimerspec never = {.it_value.tv_sec = INT64_C(9000000000)};
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    int other = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    int file = open(step, O_WRONLY | O_CLOEXEC);
    int64_t after_ns = INT64_C(1) << 61, expired;

    CHECK_EQUAL(timer >= 0 && other >= 0 && file >= 0, 1);
    CHECK_EQUAL(pwrite(file, &after_ns, sizeof after_ns, 0), sizeof after_ns);
    CHECK_EQUAL(timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL),
                0);
    after_ns = true_ns(CLOCK_REALTIME) - error.zero_ns + 100000000;
    CHECK_EQUAL(pwrite(file, &after_ns, sizeof after_ns, 0), sizeof after_ns);
    check_expiry(other, TFD_TIMER_CANCEL_ON_SET); /* before the step */
    CHECK_EQUAL(read(timer, &expired, sizeof expired), -1);
    CHECK_EQUAL(errno, ECANCELED);
    CHECK_EQUAL(true_ns(CLOCK_REALTIME) - error.zero_ns >= after_ns, 1);
    check_expiry(timer, 0);
    check_expiry(timer, TFD_TIMER_CANCEL_ON_SET); /* after the step */
    CHECK_EQUAL(close(timer), 0);
    CHECK_EQUAL(close(other), 0);
    CHECK_EQUAL(close(file), 0);
}

static void set(int socket, int option, int value)
{
    CHECK_EQUAL(setsockopt(socket, SOL_SOCKET, option, &value, sizeof value), 0);
}

/* Receives a datagram, or what the error queue holds, and sets its stamp of the type in ns;
   false if it has none. */
static bool receive_stamp(int socket, int type, int flags, bool many, int64_t *stamp_ns)
{
    unsigned char control[512] __attribute__((aligned(8)));
    char data[64];
    struct iovec vector = {.iov_base = data, .iov_len = sizeof data};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &vector,
                                          .msg_iovlen = 1,
                                          .msg_control = control,
                                          .msg_controllen = sizeof control}};
    struct pollfd ready = {.fd = socket, .events = flags == 0 ? POLLIN : 0};

    CHECK_EQUAL(poll(&ready, 1, 5000), 1);
    if (many)
        CHECK_EQUAL(recvmmsg(socket, &message, 1, flags, NULL), 1);
    else
        CHECK_EQUAL(recvmsg(socket, &message.msg_hdr, flags) >= 0, 1);
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&message.msg_hdr); part != NULL;
         part = CMSG_NXTHDR(&message.msg_hdr, part))
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == type) {
            int64_t words[2];
            memcpy(words, CMSG_DATA(part), sizeof words);
            *stamp_ns = words[0] * NS_PER_S + words[1] * (type == SO_TIMESTAMP_OLD ? 1000 : 1);
            return true;
        }
    return false;
}

static void check_receive_stamp(int option, int value, int type, int64_t resolution_ns)
{
    for (int many = 0; many < 2; many++) {
        struct pair pair = udp_pair();
        set(pair.receiver, option, value);
        int64_t before_ns = 0, stamp_ns = 0;
        bool stamped = false;
        /* The kernel starts to stamp arrivals with a delay. */
        for (int i = 0; i < 500 && !stamped; i++) {
            before_ns = true_ns(CLOCK_REALTIME);
            CHECK_EQUAL(send(pair.sender, "x", 1, 0), 1);
            stamped = receive_stamp(pair.receiver, type, 0, many, &stamp_ns);
            if (!stamped)
                CHECK_EQUAL(nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL), 0);
        }
        CHECK_EQUAL(stamped, true);
        check_between("the stamp of an arrival", before_ns, stamp_ns, true_ns(CLOCK_REALTIME),
                      resolution_ns);
        close_pair(pair);
    }
}

TEST(puts_stamps_of_arrival_on_the_same_scale)
{
    int software = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;

    check_receive_stamp(SO_TIMESTAMP_OLD, 1, SO_TIMESTAMP_OLD, 1999);
    check_receive_stamp(SO_TIMESTAMPNS_OLD, 1, SO_TIMESTAMPNS_OLD, 0);
    check_receive_stamp(SO_TIMESTAMPNS_NEW, 1, SO_TIMESTAMPNS_NEW, 0);
    check_receive_stamp(SO_TIMESTAMPING_OLD, software, SO_TIMESTAMPING_OLD, 0);
    check_receive_stamp(SO_TIMESTAMPING_NEW, software, SO_TIMESTAMPING_NEW, 0);
}

TEST(puts_stamps_of_departure_on_the_same_scale)
{
    for (int many = 0; many < 2; many++) {
        struct pair pair = udp_pair();
        set(pair.sender, SO_TIMESTAMPING_OLD,
            SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_TSONLY);
        int64_t before_ns = true_ns(CLOCK_REALTIME), stamp_ns = 0;
        CHECK_EQUAL(send(pair.sender, "x", 1, 0), 1);
        CHECK_EQUAL(receive_stamp(pair.sender, SO_TIMESTAMPING_OLD, MSG_ERRQUEUE, many, &stamp_ns),
                    true);
        check_between("the stamp of a departure", before_ns, stamp_ns, true_ns(CLOCK_REALTIME), 0);
        close_pair(pair);
    }
}

int main(void)
{
    const char *text = getenv("LAGBENCH_CLOCK");

    if (text == NULL || clock_error_parse(text, &error) != 0) {
        fputs("LAGBENCH_CLOCK must contain the clock of this test\n", stderr);
        return EXIT_FAILURE;
    }
    if (getenv("LAGBENCH_CLOCK_STEP") != NULL) {
        cancels_a_timer_once_at_the_step(getenv("LAGBENCH_CLOCK_STEP"));
        return EXIT_SUCCESS;
    }
    return run_tests();
}
