/* Frames that wait for their time, in the order they came. Of one thread. */
#ifndef RELAY_QUEUE_H
#define RELAY_QUEUE_H

#include <stddef.h>
#include <stdint.h>

/* Room for an Ethernet frame of an MTU of 1500 with a VLAN tag, and more. */
#define RELAY_FRAME_BYTES 2032

struct relay_frame {
    int64_t due_ns; /* of CLOCK_MONOTONIC */
    size_t bytes;
    unsigned char data[RELAY_FRAME_BYTES];
};

struct relay_queue;

/* A queue for so many frames; NULL without memory. Memory is taken as frames first fill it. */
struct relay_queue *relay_queue_new(size_t capacity);
void relay_queue_free(struct relay_queue *queue);

/* The frame to fill next, which relay_queue_push() appends; NULL where the queue is full. */
struct relay_frame *relay_queue_space(struct relay_queue *queue);
void relay_queue_push(struct relay_queue *queue);

/* The frame that came first, which relay_queue_pop() removes; NULL where the queue is empty. */
const struct relay_frame *relay_queue_first(const struct relay_queue *queue);
void relay_queue_pop(struct relay_queue *queue);

#endif
