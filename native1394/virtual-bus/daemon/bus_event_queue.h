/*
 * Events on their way to an open file. A socket buffer holds a few hundred at most, so what it does
 * not take waits here, in order. A client that stops reading cannot take all memory: beyond
 * BUS_EVENT_QUEUE_LIMIT bytes a push is refused, as a kernel out of memory refuses it.
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

/*
 * Sends an event of two parts on a connected SOCK_SEQPACKET socket, or keeps it behind those that
 * wait. `second` may be NULL when 0 bytes. False when memory or the limit is reached.
 */
bool bus_event_queue_push(struct bus_event_queue *queue, int socket, const void *first,
                          size_t first_length, const void *second, size_t second_length);
/* Sends what the socket takes. */
void bus_event_queue_flush(struct bus_event_queue *queue, int socket);
bool bus_event_queue_is_empty(const struct bus_event_queue *queue);
void bus_event_queue_clear(struct bus_event_queue *queue);

#endif
