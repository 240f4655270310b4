/* Records in a file that Java created. */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static char path[] = "/tmp/lagbench-test-capture-XXXXXX";

static void make_file(size_t bytes, const char *begin)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    CHECK_EQUAL(fd >= 0, 1);
    CHECK_EQUAL(ftruncate(fd, (off_t)bytes), 0);
    CHECK_EQUAL(pwrite(fd, begin, strlen(begin) + 1, 0), (ssize_t)strlen(begin) + 1);
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

TEST(appended_records_are_in_the_file_at_once)
{
    struct capture capture;

    make_file(CAPTURE_HEADER_BYTES + 1000 * SENDER_FIELDS * 8, "\x93NUMPY\x01");
    CHECK_EQUAL(capture_open(&capture, path, SENDER_FIELDS), 0);
    CHECK_EQUAL(capture.capacity, 1000);
    capture_append_sent(&capture, -1, 5, 6, 7);
    CHECK_EQUAL(field(0, SENDER_FIELDS, 0), -1);
    capture_append_sent(&capture, 0, 10, 11, 12);
    capture_append_sent(&capture, 1, UNSCHEDULED, 21, 22);
    CHECK_EQUAL(capture.count, 2);
    for (int i = 0; i < SENDER_FIELDS; i++)
        CHECK_EQUAL(field(0, SENDER_FIELDS, i), i == 0 ? 0 : 9 + i);
    CHECK_EQUAL(field(1, SENDER_FIELDS, 1), 21);
    CHECK_EQUAL(field(2, SENDER_FIELDS, 2), 0);
    capture_close(&capture);
}

TEST(invalid_files_are_rejected)
{
    static const struct {
        size_t bytes;
        const char *begin;
    } FILES[] = {
        {CAPTURE_HEADER_BYTES + 17, "\x93NUMPY\x01"},
        {CAPTURE_HEADER_BYTES + 16, "something"},
        {10, "\x93NUMPY\x01"},
    };
    struct capture capture;

    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        make_file(FILES[i].bytes, FILES[i].begin);
        CHECK_EQUAL(capture_open(&capture, path, RECEIVER_FIELDS), -EINVAL);
    }
    CHECK_EQUAL(capture_open(&capture, "/nowhere/receiver.npy", RECEIVER_FIELDS), -ENOENT);
}

int main(void)
{
    CHECK_EQUAL(close(mkstemp(path)), 0);
    int status = run_tests();
    CHECK_EQUAL(unlink(path), 0);
    return status;
}
