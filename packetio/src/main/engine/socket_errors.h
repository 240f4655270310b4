/*
 * Errors of the sockets of a library, which does not report them. A program that is linked with
 * this file sends through its send(), sendto() and sendmsg() instead of those of the C library.
 */
#ifndef LAGBENCH_SOCKET_ERRORS_H
#define LAGBENCH_SOCKET_ERRORS_H

/* Replies with the errors of datagrams so far, as print_packet_errors(). Any thread may call it. */
void print_socket_errors(void);

#endif
