/*
 * What this program and whoever started it say to each other, a line each: orders on the standard
 * input, whose end is the order to end, and what came of them on the standard output.
 *
 *   says     fact NAME VALUE     for run.json
 *            port N              where the receiver waits for packets
 *            ready TID           everything is open; the thread that sends or receives
 *            sent                an order to send was carried out, or stopped
 *            progress SEQUENCE   the packet sent last
 *            counts ...          see receiver.c
 *            drained             nothing more came
 *            failed SENTENCE     at any time; nothing but the end is to come
 */
#ifndef LAGBENCH_CONVERSATION_H
#define LAGBENCH_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_ORDER = 256 };

/* Says a line. From any thread. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says as a fact the address that a socket has, or its peer: "127.0.0.1:4711", "[::1]:4711".
 * Returns 0 or -errno. */
int say_address(const char *fact, int fd, bool of_peer);

/* Says the port that a socket has. Returns 0 or -errno. */
int say_port(int fd);

/* Waits for an order and takes it. Returns false at the end. Only one thread hears. */
bool hear(char order[LONGEST_ORDER]);

/* Waits so long, unless there is something to hear sooner: then returns true. */
bool hears_within_ms(int milliseconds);

#endif
