#include "relay_queue.h"

#include <stdlib.h>

struct relay_queue {
    size_t capacity;
    size_t first;
    size_t count;
    struct relay_frame frames[];
};

struct relay_queue *relay_queue_new(size_t capacity)
{
    if (capacity > (SIZE_MAX - sizeof(struct relay_queue)) / sizeof(struct relay_frame))
        return NULL;
    struct relay_queue *queue = malloc(sizeof *queue + capacity * sizeof queue->frames[0]);
    if (queue == NULL)
        return NULL;
    queue->capacity = capacity;
    queue->first = 0;
    queue->count = 0;
    return queue;
}

void relay_queue_free(struct relay_queue *queue)
{
    free(queue);
}

struct relay_frame *relay_queue_slot(struct relay_queue *queue)
{
    if (queue->count == queue->capacity)
        return NULL;
    return &queue->frames[(queue->first + queue->count) % queue->capacity];
}

void relay_queue_push(struct relay_queue *queue)
{
    queue->count++;
}

const struct relay_frame *relay_queue_first(const struct relay_queue *queue)
{
    return queue->count == 0 ? NULL : &queue->frames[queue->first];
}

void relay_queue_pop(struct relay_queue *queue)
{
    queue->first = (queue->first + 1) % queue->capacity;
    queue->count--;
    if (queue->count == 0)
        queue->first = 0; /* the first slots are used again, so that a short queue stays in the
                             cache */
}
