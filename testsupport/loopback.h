/* Pairs of connected sockets over the loopback interface. */
#ifndef LAGBENCH_LOOPBACK_H
#define LAGBENCH_LOOPBACK_H

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct pair {
    int sender, receiver;
};

static inline int must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        exit(EXIT_FAILURE);
    }
    return result;
}

static inline struct sockaddr_in bound(int fd)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;

    must(bind(fd, (struct sockaddr *)&address, length), "bind");
    must(getsockname(fd, (struct sockaddr *)&address, &length), "getsockname");
    return address;
}

static inline struct pair udp_pair(void)
{
    struct pair pair = {socket(AF_INET, SOCK_DGRAM, 0), socket(AF_INET, SOCK_DGRAM, 0)};
    struct sockaddr_in address = bound(pair.receiver);

    must(connect(pair.sender, (struct sockaddr *)&address, sizeof address), "connect");
    return pair;
}

static inline struct pair tcp_pair(void)
{
    int listening = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
    struct sockaddr_in address = bound(listening);
    struct pair pair = {must(socket(AF_INET, SOCK_STREAM, 0), "socket"), -1};
    int on = 1;

    must(listen(listening, 1), "listen");
    must(connect(pair.sender, (struct sockaddr *)&address, sizeof address), "connect");
    pair.receiver = must(accept(listening, NULL, NULL), "accept");
    must(setsockopt(pair.sender, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
    close(listening);
    return pair;
}

static inline void close_pair(struct pair pair)
{
    close(pair.sender);
    close(pair.receiver);
}

#endif
