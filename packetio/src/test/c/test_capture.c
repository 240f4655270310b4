/* Records in a file that Java created. */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char path[] = "/tmp/lagbench-test-capture-XXXXXX";

#define PREFIX "\x93NUMPY\x01\0\xf6\0{'descr': [('seq', '<i8'), "
#define SENT PREFIX "('scheduled_ns', '<i8'), ('sent_ns', '<i8'), ('returned_ns', '<i8')" SUFFIX
#define RECEIVED PREFIX "('received_ns', '<i8')" SUFFIX
#define OTHER_TYPE PREFIX "('received_ns', '<f8')" SUFFIX
#define OTHER_FIELD PREFIX "('arrived_ns', '<i8')" SUFFIX
#define SUFFIX "], 'fortran_order': False, 'shape': (9,), }"

static void make_file(size_t bytes, const char *begin, size_t begin_bytes)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    CHECK_EQUAL(fd >= 0, 1);
    CHECK_EQUAL(pwrite(fd, begin, begin_bytes, 0), (ssize_t)begin_bytes);
    CHECK_EQUAL(ftruncate(fd, (off_t)bytes), 0);
    CHECK_EQUAL(close(fd), 0);
}

static int64_t field(int record, int fields, int index)
{
    int64_t value;
    int fd = open(path, O_RDONLY);

    CHECK_EQUAL(
        pread(fd, &value, sizeof value, CAPTURE_HEADER_BYTES + (record * fields + index) * 8), 8);
    CHECK_EQUAL(close(fd), 0);
    return value;
}

static void must_not_fail(const char *failed_path, int error)
{
    fprintf(stderr, "%s: %s\n", failed_path, strerror(error));
    abort();
}

TEST(appended_records_are_in_the_file_at_once)
{
    struct capture capture;

    make_file(CAPTURE_HEADER_BYTES + 1000 * SENDER_FIELDS * 8, SENT, sizeof SENT);
    CHECK_EQUAL(capture_open(&capture, path, SENDER_FIELDS, must_not_fail), 0);
    CHECK_EQUAL(capture.capacity, 1000);
    capture_append_sent(&capture, -1, 5, 6, 7);
    for (int i = 0; i < SENDER_FIELDS; i++) /* an unrecorded packet leaves no stamp */
        CHECK_EQUAL(field(0, SENDER_FIELDS, i), 0);
    capture_append_sent(&capture, 0, 10, 11, 12);
    capture_append_sent(&capture, 1, UNSCHEDULED, 21, 22);
    CHECK_EQUAL(capture.count, 2);
    for (int i = 0; i < SENDER_FIELDS; i++)
        CHECK_EQUAL(field(0, SENDER_FIELDS, i), i == 0 ? 0 : 9 + i);
    CHECK_EQUAL(field(1, SENDER_FIELDS, 1), 21);
    CHECK_EQUAL(field(2, SENDER_FIELDS, 2), 0);
    capture_close(&capture);
}

static int64_t blocks_kib(void)
{
    struct stat file;

    CHECK_EQUAL(stat(path, &file), 0);
    return file.st_blocks / 2;
}

TEST(long_captures_grow_ahead_of_the_writer)
{
    static const int64_t RECORDS = INT64_C(100) << 20;
    static const int64_t AHEAD = INT64_C(4) << 20;
    struct capture capture;

    make_file((size_t)(CAPTURE_HEADER_BYTES + RECORDS * RECEIVER_FIELDS * 8), RECEIVED,
              sizeof RECEIVED);
    CHECK_EQUAL(capture_open(&capture, path, RECEIVER_FIELDS, must_not_fail), 0);
    CHECK_EQUAL(capture.capacity, RECORDS);
    for (int64_t i = 0; i < AHEAD + 3; i++) {
        CHECK_EQUAL(capture_has_room(&capture), true);
        capture_put_received(&capture, i, i + 1, 0);
        capture.count++;
    }
    CHECK_EQUAL(field((int)AHEAD + 2, RECEIVER_FIELDS, 0), AHEAD + 2);
    CHECK_EQUAL(blocks_kib() * 1024 < 4 * AHEAD * RECEIVER_FIELDS * 8, true);
    capture_close(&capture);
}

TEST(invalid_files_are_rejected)
{
    static const struct {
        size_t bytes;
        const char *begin;
        size_t begin_bytes;
    } FILES[] = {
        {CAPTURE_HEADER_BYTES + 17, RECEIVED, sizeof RECEIVED},
        {CAPTURE_HEADER_BYTES + 16, "something", 10},
        {10, RECEIVED, sizeof RECEIVED},
        {CAPTURE_HEADER_BYTES + 32, SENT, sizeof SENT},
        {CAPTURE_HEADER_BYTES + 16, OTHER_TYPE, sizeof OTHER_TYPE},
        {CAPTURE_HEADER_BYTES + 16, OTHER_FIELD, sizeof OTHER_FIELD},
    };
    struct capture capture;

    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        make_file(FILES[i].bytes, FILES[i].begin, FILES[i].begin_bytes);
        CHECK_EQUAL(capture_open(&capture, path, RECEIVER_FIELDS, must_not_fail), -EINVAL);
    }
    CHECK_EQUAL(capture_open(&capture, "/nowhere/receiver.npy", RECEIVER_FIELDS, must_not_fail),
                -ENOENT);
}

int main(void)
{
    CHECK_EQUAL(close(mkstemp(path)), 0);
    int status = run_tests();
    CHECK_EQUAL(unlink(path), 0);
    return status;
}
