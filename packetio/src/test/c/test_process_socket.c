/* Sockets that a child process has open, found by their ports. */
#include "process_socket.h"

#include <errno.h>
#include <sys/wait.h>

#include "check.h"
#include "loopback.h"

/* A process that has inherited all descriptors, and ends when it can read from the pipe. */
struct child {
    pid_t process;
    int end;
};

static struct child start_child(void)
{
    int ends[2];
    struct child child;
    char byte;

    must(pipe(ends), "pipe");
    child.process = must(fork(), "fork");
    if (child.process == 0) {
        close(ends[1]); /* so that this process ends with its parent too */
        _exit(read(ends[0], &byte, 1) < 0);
    }
    close(ends[0]);
    child.end = ends[1];
    return child;
}

static void end_child(struct child child)
{
    close(child.end);
    must(waitpid(child.process, NULL, 0), "waitpid");
}

static uint16_t port_of(int fd)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;

    must(getsockname(fd, (struct sockaddr *)&address, &length), "getsockname");
    return ntohs(address.sin_port);
}

TEST(the_socket_with_the_port_is_found)
{
    struct pair other = udp_pair();
    struct pair pair = udp_pair();
    uint16_t port = port_of(pair.receiver);
    struct child child = start_child();
    char byte = 0;
    int found;

    close(pair.receiver);
    found = must(process_socket_open(child.process, port), "process_socket_open");
    must((int)send(pair.sender, "x", 1, 0), "send");
    CHECK_EQUAL(recv(found, &byte, 1, 0), 1);
    CHECK_EQUAL(byte, 'x');
    close(found);
    end_child(child);
    close(pair.sender);
    close_pair(other);
}

TEST(a_stream_with_the_port_is_not_found)
{
    struct pair pair = tcp_pair();
    struct child child = start_child();

    CHECK_EQUAL(process_socket_open(child.process, port_of(pair.receiver)), -ENOENT);
    end_child(child);
    close_pair(pair);
}

TEST(a_process_that_does_not_exist_has_none)
{
    struct child child = start_child();

    end_child(child);
    CHECK_EQUAL(process_socket_open(child.process, 1), -ESRCH);
}

TEST_MAIN
