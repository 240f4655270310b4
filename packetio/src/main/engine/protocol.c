#include "protocol.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "address.h"

void obey_only_input(void)
{
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)setvbuf(stdin, NULL, _IONBF, 0); /* unbuffered, so that poll(2) sees all unread input */
}

void print_status(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    flockfile(stdout);
    /* Errors are ignored: a parent that closed the output also closed the input, which ends the
     * process. */
    (void)vprintf(format, arguments);
    (void)putchar_unlocked('\n');
    (void)fflush(stdout);
    funlockfile(stdout);
    va_end(arguments);
}

static int text_of(const struct sockaddr *address, socklen_t length, char host[NI_MAXHOST],
                   char port[NI_MAXSERV])
{
    return getnameinfo(address, length, host, NI_MAXHOST, port, NI_MAXSERV,
                       NI_NUMERICHOST | NI_NUMERICSERV) == 0
               ? 0
               : -EAFNOSUPPORT;
}

int print_socket_address(const char *name, const struct sockaddr *address, socklen_t length)
{
    char host[NI_MAXHOST], port[NI_MAXSERV], text[ADDRESS_TEXT_BYTES];
    int error = text_of(address, length, host, port);

    if (error == 0) {
        address_format(text, host, port);
        print_status("metadata %s %s", name, text);
    }
    return error;
}

int print_socket_port(const struct sockaddr *address, socklen_t length)
{
    char host[NI_MAXHOST], port[NI_MAXSERV];
    int error = text_of(address, length, host, port);

    if (error == 0)
        print_status("port %s", port);
    return error;
}

int print_address(const char *name, int fd, bool of_peer)
{
    struct sockaddr_storage bytes;
    struct sockaddr *address = (struct sockaddr *)&bytes;
    socklen_t length = sizeof bytes;

    if ((of_peer ? getpeername(fd, address, &length) : getsockname(fd, address, &length)) < 0)
        return -errno;
    return print_socket_address(name, address, length);
}

int print_port(int fd)
{
    struct sockaddr_storage bytes;
    struct sockaddr *address = (struct sockaddr *)&bytes;
    socklen_t length = sizeof bytes;

    return getsockname(fd, address, &length) < 0 ? -errno : print_socket_port(address, length);
}

bool read_command(char command[MAXIMUM_COMMAND])
{
    if (fgets(command, MAXIMUM_COMMAND, stdin) == NULL)
        return false;
    command[strcspn(command, "\n")] = '\0';
    return true;
}

bool await_command_ms(int milliseconds)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

    return poll(&in, 1, milliseconds) > 0;
}
