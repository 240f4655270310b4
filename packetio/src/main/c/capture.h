/*
 * Records of a capture (org.lagbench.core.capture). Java has created the file with its header and
 * space for all records. The file keeps all records written before the process was killed.
 */
#ifndef LAGBENCH_CAPTURE_H
#define LAGBENCH_CAPTURE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CAPTURE_HEADER_BYTES = 256,
    SENDER_FIELDS = 4,
    RECEIVER_FIELDS = 2,
    REPLY_FIELDS = 3,
    BYTES_FIELDS = 3
};

/* The scheduled_ns of a packet without a schedule; the capture gets its sent stamp instead. */
#define UNSCHEDULED INT64_MIN

struct capture {
    int64_t *records; /* numbers are little-endian, in the file and on this machine */
    int64_t capacity;
    int64_t count;
    _Atomic int64_t writable; /* records that have disk blocks and mapped pages */
    void *mapping;
    size_t mapping_bytes;
    const char *path;
    int fields;
    int fd;
    bool grows;           /* whether the thread runs that makes more records writable */
    _Atomic bool closing; /* ends that thread */
    pthread_t growth;
    void (*failed)(const char *path, int error);
};

/*
 * Maps the file, and the pages of the first records. If there are more, a thread makes them
 * writable ahead of the writer; it calls failed with an errno if it cannot. The path must remain
 * valid. Returns 0 or -errno; -EINVAL if the file's size does not fit records with this number of
 * fields.
 */
int capture_open(struct capture *capture, const char *path, int fields,
                 void (*failed)(const char *path, int error));

void capture_close(struct capture *capture);

/* Waits until the next record is writable. Returns false if the capture is full. */
bool capture_await_room(const struct capture *capture);

/* Returns whether another record fits; waits if the disk is slower than the writer. */
static inline bool capture_has_room(const struct capture *capture)
{
    return capture->count < atomic_load_explicit(&capture->writable, memory_order_acquire) ||
           capture_await_room(capture);
}

/* Writes the field that marks a record as complete, in order with the other stores. */
static inline void capture_put_ordered(int64_t *field, int64_t value)
{
    atomic_thread_fence(memory_order_release);
    *(volatile int64_t *)field = value;
    atomic_thread_fence(memory_order_release);
}

/* Returns a mask: all ones for a recorded packet, 0 for an unrecorded one (negative sequence). */
static inline int64_t capture_mask(int64_t sequence)
{
    return sequence < 0 ? 0 : -1;
}

/*
 * Appends seq, scheduled_ns, sent_ns, returned_ns, unless the capture is full. An unrecorded packet
 * leaves zeros where the next record will be.
 */
static inline void capture_append_sent(struct capture *capture, int64_t sequence,
                                       int64_t scheduled_ns, int64_t sent_ns, int64_t returned_ns)
{
    int64_t *record = capture->records + capture->count * SENDER_FIELDS;
    int64_t mask = capture_mask(sequence);

    if (!capture_has_room(capture))
        return;
    capture_put_ordered(&record[2], 0);
    record[0] = sequence & mask;
    record[1] = (scheduled_ns == UNSCHEDULED ? sent_ns : scheduled_ns) & mask;
    record[3] = returned_ns & mask;
    capture_put_ordered(&record[2], sent_ns & mask);
    if (sequence >= 0)
        capture->count++;
}

/* Writes seq, received_ns and, if the capture has the field, replied_ns to the next record, or
 * zeros if the packet is unrecorded. The capture must have room. */
static inline void capture_put_received(struct capture *capture, int64_t sequence,
                                        int64_t received_ns, int64_t replied_ns)
{
    int64_t *record = capture->records + capture->count * capture->fields;
    int64_t mask = capture_mask(sequence);

    capture_put_ordered(&record[1], 0);
    record[0] = sequence & mask;
    if (capture->fields == REPLY_FIELDS)
        record[2] = replied_ns & mask;
    capture_put_ordered(&record[1], received_ns & mask);
}

/* Appends transfer, bytes, received_ns, unless the capture is full. A negative transfer is that of
 * the warm-up, and leaves zeros where the next record will be. Returns whether it fitted. */
static inline bool capture_append_bytes(struct capture *capture, int64_t transfer, int64_t bytes,
                                        int64_t received_ns)
{
    int64_t *record = capture->records + capture->count * BYTES_FIELDS;
    int64_t mask = capture_mask(transfer);

    if (!capture_has_room(capture))
        return false;
    capture_put_ordered(&record[2], 0);
    record[0] = transfer & mask;
    record[1] = bytes & mask;
    capture_put_ordered(&record[2], received_ns & mask);
    if (transfer >= 0)
        capture->count++;
    return true;
}

#endif
