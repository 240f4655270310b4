/*
 * Events for an open file. A socket buffer holds a few hundred at most; the others are queued here.
 * The queue has at most BUS_EVENT_QUEUE_LIMIT bytes: a further push is refused, as by a kernel out
 * of memory.
 */
#ifndef LAGBENCH_BUS_EVENT_QUEUE_H
#define LAGBENCH_BUS_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#define BUS_EVENT_QUEUE_LIMIT ((size_t)16 << 20)

struct bus_event;

struct bus_event_queue {
    struct bus_event *first;
    struct bus_event *last;
    size_t bytes;
};

/* Sends an event of two parts on a connected SOCK_SEQPACKET socket, or queues it. `second` may be
 * NULL if it has 0 bytes. Returns false if memory or the limit is exhausted. */
bool bus_event_queue_push(struct bus_event_queue *queue, int socket, const void *first,
                          size_t first_length, const void *second, size_t second_length);
/* Sends as many events as the socket accepts. */
void bus_event_queue_flush(struct bus_event_queue *queue, int socket);
bool bus_event_queue_is_empty(const struct bus_event_queue *queue);
void bus_event_queue_clear(struct bus_event_queue *queue);

#endif
