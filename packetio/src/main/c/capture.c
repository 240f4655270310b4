#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "captures are little-endian; this machine's numbers are not"
#endif

enum { SMALLEST_PAGE_BYTES = 4096 };

static const char MAGIC[] = "\x93NUMPY\x01";

/* Maps the pages now: the first write to a page costs a page fault. */
static void make_writable(volatile char *bytes, size_t count)
{
    for (size_t at = 0; at < count; at += SMALLEST_PAGE_BYTES)
        bytes[at] = 0;
    if (count > 0)
        bytes[count - 1] = 0;
}

static int map(struct capture *capture, int fd, int fields)
{
    size_t record_bytes = (size_t)fields * sizeof *capture->records;
    struct stat file;

    if (fstat(fd, &file) < 0)
        return -errno;
    capture->mapping_bytes = (size_t)file.st_size;
    if (file.st_size < CAPTURE_HEADER_BYTES ||
        (capture->mapping_bytes - CAPTURE_HEADER_BYTES) % record_bytes != 0)
        return -EINVAL;
    capture->mapping =
        mmap(NULL, capture->mapping_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (capture->mapping == MAP_FAILED)
        return -errno;
    if (memcmp(capture->mapping, MAGIC, sizeof MAGIC) != 0) {
        capture_close(capture);
        return -EINVAL;
    }
    capture->records = (int64_t *)((char *)capture->mapping + CAPTURE_HEADER_BYTES);
    capture->capacity = (int64_t)((capture->mapping_bytes - CAPTURE_HEADER_BYTES) / record_bytes);
    capture->count = 0;
    make_writable((volatile char *)capture->records, capture->mapping_bytes - CAPTURE_HEADER_BYTES);
    return 0;
}

int capture_open(struct capture *capture, const char *path, int fields)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    int result;

    if (fd < 0)
        return -errno;
    result = map(capture, fd, fields);
    if (close(fd) < 0 && result == 0) {
        result = -errno;
        capture_close(capture);
    }
    return result;
}

void capture_close(struct capture *capture)
{
    (void)munmap(capture->mapping, capture->mapping_bytes); /* fails only for an invalid mapping */
}
