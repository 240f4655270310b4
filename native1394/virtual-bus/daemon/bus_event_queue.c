#include "bus_event_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "bus_message.h"

struct bus_event {
    struct bus_event *next;
    size_t length;
    unsigned char bytes[];
};

/* Returns true if the event is sent, or the peer has closed, which the event loop will see. */
static bool event_send(int socket, const void *first, size_t first_length, const void *second,
                       size_t second_length)
{
    const int none[BUS_MESSAGE_FDS] = {-1, -1};
    return bus_message_send(socket, first, first_length, second, second_length, MSG_DONTWAIT,
                            none) ||
           (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS);
}

bool bus_event_queue_push(struct bus_event_queue *queue, int socket, const void *first,
                          size_t first_length, const void *second, size_t second_length)
{
    if (queue->first == NULL && event_send(socket, first, first_length, second, second_length))
        return true;
    size_t length = first_length + second_length;
    if (queue->bytes + length > BUS_EVENT_QUEUE_LIMIT)
        return false;
    struct bus_event *event = malloc(sizeof *event + length);
    if (event == NULL)
        return false;
    event->next = NULL;
    event->length = length;
    memcpy(event->bytes, first, first_length);
    if (second_length > 0)
        memcpy(event->bytes + first_length, second, second_length);
    if (queue->last != NULL)
        queue->last->next = event;
    else
        queue->first = event;
    queue->last = event;
    queue->bytes += length;
    return true;
}

static void event_queue_drop_first(struct bus_event_queue *queue)
{
    struct bus_event *event = queue->first;
    queue->first = event->next;
    if (queue->first == NULL)
        queue->last = NULL;
    queue->bytes -= event->length;
    free(event);
}

void bus_event_queue_flush(struct bus_event_queue *queue, int socket)
{
    while (queue->first != NULL &&
           event_send(socket, queue->first->bytes, queue->first->length, NULL, 0))
        event_queue_drop_first(queue);
}

bool bus_event_queue_is_empty(const struct bus_event_queue *queue)
{
    return queue->first == NULL;
}

void bus_event_queue_clear(struct bus_event_queue *queue)
{
    while (queue->first != NULL)
        event_queue_drop_first(queue);
}
