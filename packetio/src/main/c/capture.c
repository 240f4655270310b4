#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture_fields.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "captures are little-endian; this machine's numbers are not"
#endif

enum { SMALLEST_PAGE_BYTES = 4096, STEP_RECORDS = 1 << 20 };

/* Number of records that are writable ahead of the writer. Equals CaptureFile.AHEAD_RECORDS: Java
 * has reserved the disk blocks of so many records. */
static const int64_t AHEAD_RECORDS = INT64_C(4) << 20;

static const struct timespec GROWTH_INTERVAL = {.tv_nsec = 20000000};
static const struct timespec ROOM_INTERVAL = {.tv_nsec = 100000};

/* Bytes before the text of the header, the last two its length. */
static const char MAGIC[] = "\x93NUMPY\x01";
enum { PREFIX_BYTES = 10 };

/* Maps the pages now: the first write to a page costs a page fault. */
static void make_writable(volatile char *bytes, size_t count)
{
    for (size_t at = 0; at < count; at += SMALLEST_PAGE_BYTES)
        bytes[at] = 0;
    if (count > 0)
        bytes[count - 1] = 0;
}

static size_t bytes_of(const struct capture *capture, int64_t records)
{
    return (size_t)records * (size_t)capture->fields * sizeof *capture->records;
}

/* Makes the records up to end writable. */
static void add_writable(struct capture *capture, int64_t end)
{
    int64_t first = atomic_load(&capture->writable);

    make_writable((volatile char *)capture->records + bytes_of(capture, first),
                  bytes_of(capture, end - first));
    atomic_store_explicit(&capture->writable, end, memory_order_release);
}

static int64_t smaller(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* Returns 0 or an errno. */
static int grow(struct capture *capture)
{
    int64_t first = atomic_load(&capture->writable);
    int64_t end = smaller(first + STEP_RECORDS, capture->capacity);
    int error = posix_fallocate(capture->fd, CAPTURE_HEADER_BYTES + (off_t)bytes_of(capture, first),
                                (off_t)bytes_of(capture, end - first));

    if (error == 0)
        add_writable(capture, end);
    return error;
}

static bool must_grow(const struct capture *capture)
{
    int64_t count = *(const volatile int64_t *)&capture->count; /* may be an older count */
    int64_t writable = atomic_load(&capture->writable);

    return writable < capture->capacity && writable < count + AHEAD_RECORDS;
}

static void *grow_ahead(void *argument)
{
    struct capture *capture = argument;
    int error = 0;

    while (error == 0 && !atomic_load(&capture->closing)) {
        if (must_grow(capture))
            error = grow(capture);
        else
            (void)nanosleep(&GROWTH_INTERVAL, NULL);
        if (error == EINTR)
            error = 0;
    }
    if (error != 0)
        capture->failed(capture->path, error);
    return NULL;
}

bool capture_await_room(const struct capture *capture)
{
    if (capture->count >= capture->capacity)
        return false;
    while (capture->count >= atomic_load(&capture->writable))
        (void)nanosleep(&ROOM_INTERVAL, NULL);
    return true;
}

/* Returns whether the file is a capture with the number of fields that will be written. */
static bool has_declared_fields(const struct capture *capture)
{
    const char *header = capture->mapping;

    if (memcmp(header, MAGIC, sizeof MAGIC) != 0)
        return false;
    for (size_t i = 0; i < sizeof CAPTURE_HEADERS / sizeof CAPTURE_HEADERS[0]; i++)
        if (CAPTURE_HEADERS[i].fields == capture->fields &&
            strncmp(header + PREFIX_BYTES, CAPTURE_HEADERS[i].header,
                    strlen(CAPTURE_HEADERS[i].header)) == 0)
            return true;
    return false;
}

static int map(struct capture *capture)
{
    struct stat file;

    if (fstat(capture->fd, &file) < 0)
        return -errno;
    capture->mapping_bytes = (size_t)file.st_size;
    if (file.st_size < CAPTURE_HEADER_BYTES ||
        (capture->mapping_bytes - CAPTURE_HEADER_BYTES) % bytes_of(capture, 1) != 0)
        return -EINVAL;
    capture->mapping =
        mmap(NULL, capture->mapping_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, capture->fd, 0);
    if (capture->mapping == MAP_FAILED)
        return -errno;
    if (!has_declared_fields(capture)) {
        (void)munmap(capture->mapping, capture->mapping_bytes);
        return -EINVAL;
    }
    capture->records = (int64_t *)((char *)capture->mapping + CAPTURE_HEADER_BYTES);
    capture->capacity =
        (int64_t)((capture->mapping_bytes - CAPTURE_HEADER_BYTES) / bytes_of(capture, 1));
    add_writable(capture, smaller(AHEAD_RECORDS, capture->capacity));
    return 0;
}

static int start_growth(struct capture *capture)
{
    int error;

    if (atomic_load(&capture->writable) == capture->capacity)
        return 0;
    error = pthread_create(&capture->growth, NULL, grow_ahead, capture);
    capture->grows = error == 0;
    return -error;
}

int capture_open(struct capture *capture, const char *path, int fields,
                 void (*failed)(const char *path, int error))
{
    int result;

    *capture = (struct capture){.path = path, .fields = fields, .failed = failed};
    capture->fd = open(path, O_RDWR | O_CLOEXEC);
    if (capture->fd < 0)
        return -errno;
    result = map(capture);
    if (result < 0) {
        (void)close(capture->fd); /* nothing was written, so nothing is lost */
        return result;
    }
    result = start_growth(capture);
    if (result < 0)
        capture_close(capture);
    return result;
}

void capture_close(struct capture *capture)
{
    atomic_store(&capture->closing, true);
    if (capture->grows)
        (void)pthread_join(capture->growth, NULL);
    (void)munmap(capture->mapping, capture->mapping_bytes);
    (void)close(capture->fd); /* reports no loss of writes through a mapping */
}
