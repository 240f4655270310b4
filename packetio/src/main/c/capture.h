/*
 * Records of a capture (org.lagbench.core.capture). Java has created the file with its header and
 * space for all records. The file keeps all records written before the process was killed.
 */
#ifndef LAGBENCH_CAPTURE_H
#define LAGBENCH_CAPTURE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CAPTURE_HEADER_BYTES = 256, SENDER_FIELDS = 4, RECEIVER_FIELDS = 2 };

/* A scheduled_ns that records the sent stamp instead: nothing was scheduled. */
#define UNSCHEDULED INT64_MIN

struct capture {
    int64_t *records; /* little-endian in the file, as this machine's numbers are */
    int64_t capacity;
    int64_t count;
    void *mapping;
    size_t mapping_bytes;
};

/* Maps the file and its pages. Returns 0 or -errno; -EINVAL if its size does not fit records of so
 * many fields. */
int capture_open(struct capture *capture, const char *path, int fields);

void capture_close(struct capture *capture);

/* Writes the field that marks a record as complete, in order with the other stores. */
static inline void capture_put_ordered(int64_t *field, int64_t value)
{
    atomic_thread_fence(memory_order_release);
    *(volatile int64_t *)field = value;
    atomic_thread_fence(memory_order_release);
}

/*
 * Appends seq, scheduled_ns, sent_ns, returned_ns; the capture must not be full. The record of a
 * warm-up packet (negative sequence) is overwritten by the next.
 */
static inline void capture_append_sent(struct capture *capture, int64_t sequence,
                                       int64_t scheduled_ns, int64_t sent_ns, int64_t returned_ns)
{
    int64_t *record = capture->records + capture->count * SENDER_FIELDS;

    capture_put_ordered(&record[2], 0);
    record[0] = sequence;
    record[1] = scheduled_ns == UNSCHEDULED ? sent_ns : scheduled_ns;
    record[3] = returned_ns;
    capture_put_ordered(&record[2], sent_ns);
    if (sequence >= 0)
        capture->count++;
}

/* Writes seq, received_ns to the next record, which is overwritten if it is a warm-up packet's. */
static inline void capture_put_received(struct capture *capture, int64_t sequence,
                                        int64_t received_ns)
{
    int64_t *record = capture->records + capture->count * RECEIVER_FIELDS;

    capture_put_ordered(&record[1], 0);
    record[0] = sequence;
    capture_put_ordered(&record[1], received_ns);
}

#endif
