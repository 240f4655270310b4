/* Receiving with the kernel's stamp */
#include "stamped_receive.c"

#include "check.h"
#include "loopback.h"

static void what_comes_has_the_stamp_of_its_coming(struct pair pair)
{
    char bytes[16];
    struct receive_stamps stamps;
    int64_t begin, end;

    CHECK_EQUAL(stamped_receive_enable(pair.receiver), 0);
    do { /* the kernel begins to stamp a moment after the first socket wants it to */
        begin = realtime_ns();
        must((int)send(pair.sender, "packet", 6, 0), "send");
        CHECK_EQUAL(stamped_receive(pair.receiver, bytes, sizeof bytes, &stamps), 6);
        end = realtime_ns();
    } while (stamps.kernel_ns == 0);
    CHECK_EQUAL(memcmp(bytes, "packet", 6), 0);
    CHECK_EQUAL(begin <= stamps.kernel_ns && stamps.kernel_ns <= stamps.received_ns &&
                    stamps.received_ns <= end,
                1);
    close_pair(pair);
}

static void unless_enabled_there_is_no_stamp(void)
{
    struct pair pair = udp_pair();
    char bytes[16];
    struct receive_stamps stamps = {.kernel_ns = 1};

    must((int)send(pair.sender, "packet", 6, 0), "send");
    CHECK_EQUAL(stamped_receive(pair.receiver, bytes, sizeof bytes, &stamps), 6);
    CHECK_EQUAL(stamps.kernel_ns, 0);
    close_pair(pair);
}

static void what_is_no_socket_is_refused(void)
{
    struct receive_stamps stamps;
    char bytes[16];

    CHECK_EQUAL(stamped_receive_enable(-1), -EBADF);
    CHECK_EQUAL(stamped_receive(-1, bytes, sizeof bytes, &stamps), -EBADF);
}

int main(void)
{
    what_comes_has_the_stamp_of_its_coming(udp_pair());
    what_comes_has_the_stamp_of_its_coming(tcp_pair());
    unless_enabled_there_is_no_stamp();
    what_is_no_socket_is_refused();
    return EXIT_SUCCESS;
}
