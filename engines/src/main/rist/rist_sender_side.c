#include "rist_sender_side.h"

#include <librist/librist.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "library_sockets.h"
#include "packet.h"
#include "protocol.h"
#include "rist_connection.h"

enum { CONNECT_TIMEOUT_S = 5, OPENING_PACKETS = 4, OPENING_BYTES = PACKET_TAG_BYTES };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_connected;
    struct rist_ctx *context;
    _Atomic bool ended;
} sender = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void note_status(void *of, struct rist_peer *peer, enum rist_connection_status status)
{
    (void)of;
    (void)peer;
    (void)pthread_mutex_lock(&sender.lock);
    sender.is_connected = status == RIST_CONNECTION_ESTABLISHED || status == RIST_CLIENT_CONNECTED;
    (void)pthread_cond_broadcast(&sender.changed);
    (void)pthread_mutex_unlock(&sender.lock);
}

static bool await_connection(void)
{
    struct timespec end;
    bool is_connected;

    (void)clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += CONNECT_TIMEOUT_S;
    (void)pthread_mutex_lock(&sender.lock);
    while (!sender.is_connected && pthread_cond_timedwait(&sender.changed, &sender.lock, &end) == 0)
        continue;
    is_connected = sender.is_connected;
    (void)pthread_mutex_unlock(&sender.lock);
    return is_connected;
}

static bool start(const struct options *options)
{
    return rist_sender_create(&sender.context, rist_connection_profile(), 0,
                              rist_connection_logging()) == 0 &&
           rist_connection_status_callback_set(sender.context, note_status, NULL) == 0 &&
           rist_connection_count(sender.context) &&
           rist_connection_add_peer(sender.context, options, options->port, false) &&
           rist_start(sender.context) == 0;
}

static bool write_block(const void *bytes, size_t count)
{
    struct rist_data_block block = {.payload = bytes, .payload_len = count};

    return rist_sender_data_write(sender.context, &block) >= 0;
}

bool rist_sender_open(const struct options *options)
{
    char opening[OPENING_BYTES];

    if (!rist_connection_admit(options, true))
        return false;
    if (!start(options)) {
        print_status("failed Cannot open RIST to the receiver %s.", options->peer);
        return false;
    }
    if (!library_sockets_are_closed_to_others())
        return false;
    if (!await_connection()) {
        print_status(
            "failed The receiver's RIST port %s does not answer within %d s. Does a firewall "
            "block UDP to it?",
            options->peer, CONNECT_TIMEOUT_S);
        return false;
    }
    /* The first packet of a flow may never be delivered, or has to prove the tag. */
    packet_put(opening, 0, options->tag);
    for (int i = 0; i < OPENING_PACKETS; i++)
        (void)write_block(opening, sizeof opening);
    return true;
}

const char *rist_sender_send(const struct message *packet, struct message *reply)
{
    (void)reply;
    return write_block(packet->bytes, packet->count) ? NULL : "librist accepts no more packets";
}

/* The receiver requests no packet again that is older than its buffer. */
void rist_sender_report(void)
{
    struct timespec buffer = {rist_connection_buffer_ms() / 1000,
                              rist_connection_buffer_ms() % 1000 * 1000000L};

    (void)nanosleep(&buffer, NULL);
    if (!atomic_load(&sender.ended))
        rist_connection_await_counts();
    rist_connection_print_counts(true);
    library_sockets_print_errors();
}

void rist_sender_interrupt(void)
{
    atomic_store(&sender.ended, true);
}
