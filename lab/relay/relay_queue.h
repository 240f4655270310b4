/* A bounded FIFO queue of delayed frames. Not thread-safe. */
#ifndef RELAY_QUEUE_H
#define RELAY_QUEUE_H

#include <stddef.h>
#include <stdint.h>

/* The maximum size of a frame: more than an Ethernet frame of an MTU of 1500 with a VLAN tag. */
#define RELAY_FRAME_BYTES 2032

struct relay_frame {
    int64_t due_ns; /* CLOCK_MONOTONIC */
    size_t bytes;
    unsigned char data[RELAY_FRAME_BYTES];
};

struct relay_queue;

/* Returns an empty queue, or NULL without memory. The kernel allocates its pages on first use. */
struct relay_queue *relay_queue_new(size_t capacity);
void relay_queue_free(struct relay_queue *queue);

/* Returns the next free slot, which relay_queue_push() appends; NULL if the queue is full. */
struct relay_frame *relay_queue_slot(struct relay_queue *queue);
void relay_queue_push(struct relay_queue *queue);

/* Returns the oldest frame, which relay_queue_pop() removes; NULL if the queue is empty. */
const struct relay_frame *relay_queue_first(const struct relay_queue *queue);
void relay_queue_pop(struct relay_queue *queue);

#endif
