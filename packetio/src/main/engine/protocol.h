/*
 * The protocol between this program and the Java process that starts it, in lines of text: commands
 * on the standard input, whose end is the command to end, and prints statuses on the standard
 * output.
 *
 *   commands tag HEX              the first one: the secret with which each packet begins
 *            others              see sender.c and receiver.c
 *   status   metadata NAME VALUE  for run.json
 *            packet-errors NAME N N  an error, and the counts of packet_error.h
 *            port N               where the receiver waits for packets
 *            listening            the sender waits at the port for the command "accept"
 *            ready TID            everything is open; the thread that sends or receives
 *            sent                 all packets of a send command were sent, or it was stopped
 *            progress PLACE       the place of the packet sent last (see SendEngine.java)
 *            retransmissions ...  the fields of struct retransmissions, or nothing
 *            state ...            a transfer and the fields of struct tcp_state
 *            transfer ...         an answered transfer: its number, when its connection was opened
 *                                 and established (-1 if an earlier one did), and the reply came
 *            counts ...           see receiver.h
 *            drained              see receiver.h
 *            capture-failed WHY   the last status: the disk accepts no more records
 *            failed SENTENCE      the last status, at any time: why the process ends
 */
#ifndef LAGBENCH_PROTOCOL_H
#define LAGBENCH_PROTOCOL_H

#include <stdbool.h>
#include <sys/socket.h>

enum { MAXIMUM_COMMAND = 256 };

/* Ignores the signals that end processes, so that the process exits only at the end of its input.
 * A signal sent to all processes of a run must not look like a failure. Call it before reading
 * input. */
void obey_only_input(void);

/* Writes a line. Any thread may call it. */
void print_status(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Replies with the address of a socket or its peer as metadata: "127.0.0.1:4711", "[::1]:4711".
 * Returns 0 or -errno. */
int print_address(const char *name, int fd, bool of_peer);

/* Replies with a socket's port. Returns 0 or -errno. */
int print_port(int fd);

/* The same for the address of a socket of a library. */
int print_socket_address(const char *name, const struct sockaddr *address, socklen_t length);
int print_socket_port(const struct sockaddr *address, socklen_t length);

/* Waits for a command and reads it. Returns false at the end of the input. Not thread-safe. */
bool read_command(char command[MAXIMUM_COMMAND]);

/* Returns whether a command arrives within the time. */
bool await_command_ms(int milliseconds);

#endif
