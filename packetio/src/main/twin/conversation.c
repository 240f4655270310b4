#include "conversation.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    flockfile(stdout);
    /* Where nobody listens any more, the end of the standard input tells. */
    (void)vprintf(format, arguments);
    (void)putchar_unlocked('\n');
    (void)fflush(stdout);
    funlockfile(stdout);
    va_end(arguments);
}

static int names(int fd, bool of_peer, char host[NI_MAXHOST], char port[NI_MAXSERV])
{
    struct sockaddr_storage bytes;
    struct sockaddr *address = (struct sockaddr *)&bytes;
    socklen_t length = sizeof bytes;

    if ((of_peer ? getpeername(fd, address, &length) : getsockname(fd, address, &length)) < 0)
        return -errno;
    return getnameinfo(address, length, host, NI_MAXHOST, port, NI_MAXSERV,
                       NI_NUMERICHOST | NI_NUMERICSERV) == 0
               ? 0
               : -EAFNOSUPPORT;
}

int say_address(const char *fact, int fd, bool of_peer)
{
    char host[NI_MAXHOST], port[NI_MAXSERV];
    int error = names(fd, of_peer, host, port);

    if (error == 0)
        say(strchr(host, ':') != NULL ? "fact %s [%s]:%s" : "fact %s %s:%s", fact, host, port);
    return error;
}

int say_port(int fd)
{
    char host[NI_MAXHOST], port[NI_MAXSERV];
    int error = names(fd, false, host, port);

    if (error == 0)
        say("port %s", port);
    return error;
}

bool hear(char order[LONGEST_ORDER])
{
    size_t length = 0;

    while (length < LONGEST_ORDER) {
        ssize_t got = read(STDIN_FILENO, order + length, 1);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        if (order[length] == '\n') {
            order[length] = '\0';
            return true;
        }
        length++;
    }
    return false;
}

bool hears_within_ms(int milliseconds)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

    return poll(&in, 1, milliseconds) > 0;
}
