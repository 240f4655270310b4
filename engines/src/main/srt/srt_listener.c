#include "srt_listener.h"

#include <srt/access_control.h>
#include <stdatomic.h>
#include <string.h>

#include "address.h"
#include "protocol.h"
#include "srt_connection.h"

enum { BACKLOG = 16 };

static struct {
    char tag[OPTIONS_TAG_CHARACTERS + 1];
    _Atomic SRTSOCKET socket;
    int events; /* an epoll of the library, which has events only from its first moment on */
    _Atomic int64_t refused; /* connections without the run's tag, and all after the peer's */
    _Atomic bool has_peer;
} listener = {.socket = SRT_INVALID_SOCK};

/* Called by a thread of the library. The passphrase identifies an encrypted peer later, and the
 * library keeps the memory of each connection that fails by it. */
static int accept_peer(void *of, SRTSOCKET asking, int version, const struct sockaddr *peer,
                       const char *stream_id)
{
    (void)of;
    (void)version;
    (void)peer;
    if (!atomic_load(&listener.has_peer) &&
        (srt_connection_is_encrypted() || strcmp(stream_id, listener.tag) == 0))
        return 0;
    atomic_fetch_add(&listener.refused, 1);
    (void)srt_setrejectreason(asking, SRT_REJX_FORBIDDEN);
    return -1;
}

static bool is_watched(SRTSOCKET socket)
{
    const int incoming = SRT_EPOLL_IN;

    listener.events = srt_epoll_create();
    return listener.events != SRT_ERROR &&
           srt_epoll_add_usock(listener.events, socket, &incoming) != SRT_ERROR;
}

static bool listen_at(SRTSOCKET socket, const char *host, const char *port)
{
    struct address address;

    return address_read(&address, host, port) == 0 &&
           srt_bind(socket, (const struct sockaddr *)&address.bytes, (int)address.length) !=
               SRT_ERROR &&
           srt_listen_callback(socket, accept_peer, NULL) != SRT_ERROR && is_watched(socket) &&
           srt_listen(socket, BACKLOG) != SRT_ERROR;
}

bool srt_listener_open(const struct options *options, const char *host, const char *port)
{
    SRTSOCKET socket = srt_connection_open(options);

    options_tag_text(options, listener.tag);
    if (socket == SRT_INVALID_SOCK) {
        print_status("failed Cannot open an SRT socket: %s.", srt_getlasterror_str());
        return false;
    }
    if (!listen_at(socket, host, port)) {
        print_status("failed Cannot listen for SRT connections on %s: %s. Is it an address of this "
                     "machine?",
                     host, srt_getlasterror_str());
        return false;
    }
    atomic_store(&listener.socket, socket);
    return srt_connection_print_port(socket);
}

SRTSOCKET srt_listener_accept(void)
{
    SRTSOCKET socket = atomic_load(&listener.socket);
    SRTSOCKET peer = socket == SRT_INVALID_SOCK ? SRT_INVALID_SOCK : srt_accept(socket, NULL, NULL);

    atomic_store(&listener.has_peer, peer != SRT_INVALID_SOCK);
    return peer;
}

SRTSOCKET srt_listener_accept_in_time(void)
{
    SRTSOCKET ready;
    int count = 1;

    return srt_epoll_wait(listener.events, &ready, &count, NULL, NULL, srt_connection_timeout_ms(),
                          NULL, NULL, NULL, NULL) == SRT_ERROR
               ? SRT_INVALID_SOCK
               : srt_listener_accept();
}

int64_t srt_listener_refused(void)
{
    return atomic_load(&listener.refused);
}

void srt_listener_close(void)
{
    srt_connection_close(&listener.socket);
}
