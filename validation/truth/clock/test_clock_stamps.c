#include "clock_error.c"
#include "clock_stamps.c"

#include "check.h"

#define ROOM 512

/* 50 ms ahead. */
static const struct clock_error ahead = {.offset_ns = 50000000};

static unsigned char room[ROOM] __attribute__((aligned(8)));
static struct msghdr message;
static struct cmsghdr *last;

static void begin(void)
{
    memset(room, 0, sizeof room);
    message = (struct msghdr){.msg_control = room, .msg_controllen = sizeof room};
    last = NULL;
}

static struct cmsghdr *put(int level, int type, const void *data, size_t bytes)
{
    last = last == NULL ? CMSG_FIRSTHDR(&message) : CMSG_NXTHDR(&message, last);
    last->cmsg_level = level;
    last->cmsg_type = type;
    last->cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(last), data, bytes);
    return last;
}

static void rewrite(void)
{
    message.msg_controllen = (size_t)((unsigned char *)last - room) + CMSG_ALIGN(last->cmsg_len);
    clock_stamps_rewrite(&ahead, &message);
}

static int64_t word(const struct cmsghdr *control, size_t index)
{
    int64_t value;

    memcpy(&value, CMSG_DATA(control) + index * sizeof value, sizeof value);
    return value;
}

TEST(rewrites_microseconds)
{
    static const int types[] = {SO_TIMESTAMP_OLD, SO_TIMESTAMP_NEW};

    for (size_t i = 0; i < 2; i++) {
        begin();
        struct cmsghdr *stamp = put(SOL_SOCKET, types[i], &(int64_t[]){1700000000, 970000}, 16);
        rewrite();
        CHECK_EQUAL(word(stamp, 0), 1700000001);
        CHECK_EQUAL(word(stamp, 1), 20000);
    }
}

TEST(rewrites_nanoseconds)
{
    static const int types[] = {SO_TIMESTAMPNS_OLD, SO_TIMESTAMPNS_NEW};

    for (size_t i = 0; i < 2; i++) {
        begin();
        struct cmsghdr *stamp = put(SOL_SOCKET, types[i], &(int64_t[]){1700000000, 949999999}, 16);
        rewrite();
        CHECK_EQUAL(word(stamp, 0), 1700000000);
        CHECK_EQUAL(word(stamp, 1), 999999999);
    }
}

TEST(rewrites_the_kernels_stamp_and_not_the_interfaces)
{
    static const int types[] = {SO_TIMESTAMPING_OLD, SO_TIMESTAMPING_NEW};

    for (size_t i = 0; i < 2; i++) {
        begin();
        struct cmsghdr *stamp =
            put(SOL_SOCKET, types[i], &(int64_t[]){1700000000, 5, 0, 0, 123, 456}, 48);
        rewrite();
        CHECK_EQUAL(word(stamp, 0), 1700000000);
        CHECK_EQUAL(word(stamp, 1), 50000005);
        CHECK_EQUAL(word(stamp, 2), 0);
        CHECK_EQUAL(word(stamp, 3), 0);
        CHECK_EQUAL(word(stamp, 4), 123);
        CHECK_EQUAL(word(stamp, 5), 456);
    }
}

TEST(leaves_a_stamp_that_is_not_there)
{
    begin();
    struct cmsghdr *stamp =
        put(SOL_SOCKET, SO_TIMESTAMPING_OLD, &(int64_t[]){0, 0, 0, 0, 123, 456}, 48);
    struct cmsghdr *micro = put(SOL_SOCKET, SO_TIMESTAMP_OLD, &(int64_t[]){0, 0}, 16);
    rewrite();
    CHECK_EQUAL(word(stamp, 0), 0);
    CHECK_EQUAL(word(stamp, 1), 0);
    CHECK_EQUAL(word(micro, 0), 0);
    CHECK_EQUAL(word(micro, 1), 0);
}

TEST(leaves_other_messages_and_finds_the_stamp_behind_them)
{
    begin();
    struct cmsghdr *other_level = put(SOL_SOCKET + 1, SO_TIMESTAMPNS_OLD, &(int64_t[]){1, 2}, 16);
    struct cmsghdr *rights = put(SOL_SOCKET, SCM_RIGHTS, &(int[]){7}, 4);
    struct cmsghdr *stamp = put(SOL_SOCKET, SO_TIMESTAMPNS_OLD, &(int64_t[]){1700000000, 0}, 16);
    rewrite();
    CHECK_EQUAL(word(other_level, 0), 1);
    CHECK_EQUAL(word(other_level, 1), 2);
    CHECK_EQUAL(*(int *)(void *)CMSG_DATA(rights), 7);
    CHECK_EQUAL(word(stamp, 1), 50000000);
}

/* The kernel truncates a message at the end of the program's buffer. */
TEST(leaves_a_stamp_that_was_cut_off)
{
    begin();
    struct cmsghdr *stamp = put(SOL_SOCKET, SO_TIMESTAMPNS_OLD, &(int64_t[]){1700000000, 0}, 8);
    rewrite();
    CHECK_EQUAL(word(stamp, 0), 1700000000);
    CHECK_EQUAL(word(stamp, 1), 0);
}

TEST(accepts_a_message_without_control_messages)
{
    struct msghdr none = {0};

    clock_stamps_rewrite(&ahead, &none);
    CHECK_EQUAL((int64_t)none.msg_controllen, 0);
}

TEST_MAIN
