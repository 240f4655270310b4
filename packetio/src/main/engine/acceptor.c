#include "acceptor.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clocks.h"
#include "descriptor.h"
#include "protocol.h"

enum { MAXIMUM_PENDING = 64 };
#define TIMEOUT_NS (5 * NS_PER_S)
#define NO_DEADLINE INT64_MAX
#define RECEIVER_TIMEOUT_NS (10 * NS_PER_S)

/* A connection that has not yet sent a tag. */
struct candidate {
    int fd;
    size_t count;
    char first_bytes[PACKET_TAG_BYTES];
    int64_t connected_ns;
};

struct acceptor {
    int listening;
    struct accounting *accounting;
    int64_t deadline_ns;
    struct candidate pending[MAXIMUM_PENDING]; /* oldest first */
    int count;
};

static int set_blocking(int fd, int blocks)
{
    int non_blocking = !blocks;

    return ioctl(fd, FIONBIO, &non_blocking) < 0 ? -errno : 0;
}

static void remove_candidate(struct acceptor *acceptor, int index)
{
    acceptor->count--;
    for (int i = index; i < acceptor->count; i++)
        acceptor->pending[i] = acceptor->pending[i + 1];
}

static void reject(struct acceptor *acceptor, int index)
{
    (void)close(acceptor->pending[index].fd); /* errors of foreign connections are ignored */
    remove_candidate(acceptor, index);
    accounting_count_foreign(acceptor->accounting);
}

/* Returns the connection if it is the sender's, else -1. */
static int examine(struct acceptor *acceptor, int index)
{
    struct candidate *candidate = &acceptor->pending[index];
    ssize_t got = recv(candidate->fd, candidate->first_bytes + candidate->count,
                       sizeof candidate->first_bytes - candidate->count, 0);
    int fd = candidate->fd;

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return -1;
    candidate->count += got > 0 ? (size_t)got : 0;
    if (candidate->count == sizeof candidate->first_bytes &&
        packet_tag(candidate->first_bytes) == acceptor->accounting->tag) {
        remove_candidate(acceptor, index);
        return fd;
    }
    if (got <= 0 || candidate->count == sizeof candidate->first_bytes)
        reject(acceptor, index);
    return -1;
}

/*
 * Accepts waiting connections, at most MAXIMUM_PENDING at a time. A new connection replaces the
 * oldest, so that idle connections do not keep the sender out. Returns the sender's connection if
 * it is the oldest, -EAGAIN if not, or another -errno.
 */
static int accept_new(struct acceptor *acceptor)
{
    for (int i = 0; i < MAXIMUM_PENDING; i++) {
        int fd = accept4(acceptor->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd < 0) {
            if (errno == ECONNABORTED)
                continue;
            return errno == EINTR ? -EAGAIN : -errno;
        }
        if (acceptor->count == MAXIMUM_PENDING) {
            int sender = examine(acceptor, 0);

            if (sender >= 0) {
                (void)close(fd);
                return sender;
            }
            if (acceptor->count == MAXIMUM_PENDING)
                reject(acceptor, 0);
        }
        acceptor->pending[acceptor->count++] =
            (struct candidate){.fd = fd, .connected_ns = monotonic_ns()};
    }
    return -EAGAIN;
}

static int timeout_ms(const struct acceptor *acceptor)
{
    int64_t until_ns = acceptor->deadline_ns;
    int64_t left_ns;

    if (acceptor->count > 0 && acceptor->pending[0].connected_ns + TIMEOUT_NS < until_ns)
        until_ns = acceptor->pending[0].connected_ns + TIMEOUT_NS;
    if (until_ns == NO_DEADLINE)
        return -1;
    left_ns = until_ns - monotonic_ns();
    return left_ns <= 0 ? 0 : (int)(left_ns / NS_PER_MS) + 1;
}

/* Returns the sender's connection, -EAGAIN if it has not connected yet, or another -errno. */
static int await_sender(struct acceptor *acceptor)
{
    struct pollfd waiting[MAXIMUM_PENDING + 1];
    int count = acceptor->count;
    int result;

    waiting[MAXIMUM_PENDING] = (struct pollfd){.fd = acceptor->listening, .events = POLLIN};
    for (int i = 0; i < MAXIMUM_PENDING; i++)
        waiting[i] =
            (struct pollfd){.fd = i < count ? acceptor->pending[i].fd : -1, .events = POLLIN};
    if (poll(waiting, MAXIMUM_PENDING + 1, timeout_ms(acceptor)) < 0)
        return errno == EINTR ? -EAGAIN : -errno;
    for (int i = count - 1; i >= 0; i--) {
        int fd = waiting[i].revents == 0 ? -1 : examine(acceptor, i);

        if (fd >= 0)
            return fd;
    }
    result = accept_new(acceptor);
    while (acceptor->count > 0 && monotonic_ns() - acceptor->pending[0].connected_ns >= TIMEOUT_NS)
        reject(acceptor, 0);
    return result;
}

/* Returns as acceptor_accept, or -ETIMEDOUT after deadline_ns of monotonic_ns. */
static int accept_until(int listening, struct accounting *accounting, int64_t deadline_ns,
                        const _Atomic bool *ended)
{
    struct acceptor acceptor = {
        .listening = listening, .accounting = accounting, .deadline_ns = deadline_ns};
    int result = set_blocking(listening, 0);

    if (result != 0)
        return result;
    do {
        result = atomic_load(ended) ? DESCRIPTOR_ENDED : await_sender(&acceptor);
    } while (result == -EAGAIN && monotonic_ns() < deadline_ns);
    if (result == -EAGAIN)
        result = -ETIMEDOUT;
    while (acceptor.count > 0)
        reject(&acceptor, acceptor.count - 1);
    if (result >= 0) {
        int error = set_blocking(result, 1);

        if (error != 0) {
            (void)close(result);
            return error;
        }
    }
    return result;
}

int acceptor_accept(int listening, struct accounting *accounting, const _Atomic bool *ended)
{
    return accept_until(listening, accounting, NO_DEADLINE, ended);
}

/* Returns whether two addresses have the same host. */
static bool is_same_host(const struct address *one, const struct address *other)
{
    char hosts[2][NI_MAXHOST];
    const struct address *addresses[] = {one, other};

    for (int i = 0; i < 2; i++)
        if (getnameinfo((const struct sockaddr *)&addresses[i]->bytes, addresses[i]->length,
                        hosts[i], NI_MAXHOST, NULL, 0, NI_NUMERICHOST) != 0)
            return false;
    return strcmp(hosts[0], hosts[1]) == 0;
}

int acceptor_accept_receiver(int listening, const struct options *options,
                             const struct address *receiver, const _Atomic bool *ended)
{
    struct accounting strangers = {.tag = options->tag};
    struct address connected = {.length = sizeof connected.bytes};
    char command[MAXIMUM_COMMAND];
    int error = listen(listening, MAXIMUM_PENDING) < 0 ? -errno : print_port(listening);
    int fd;

    if (error != 0)
        return error;
    print_status("listening");
    if (!read_command(command))
        return DESCRIPTOR_ENDED;
    fd = accept_until(listening, &strangers, monotonic_ns() + RECEIVER_TIMEOUT_NS, ended);
    (void)close(listening);
    if (fd < 0)
        return fd;
    if (getpeername(fd, (struct sockaddr *)&connected.bytes, &connected.length) < 0)
        return -errno;
    return is_same_host(&connected, receiver) ? fd : -EACCES;
}
