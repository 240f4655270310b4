/*
 * The settings of a connection of RIST, the same on both sides
 * (org.lagbench.engines.rist.RistTransport), and its statistics.
 */
#ifndef LAGBENCH_RIST_CONNECTION_H
#define LAGBENCH_RIST_CONNECTION_H

#include <librist/librist.h>
#include <stdbool.h>

#include "options.h"

/* Sets a setting by its name in experiments. Returns false if there is none of this name or value.
 */
bool rist_connection_set(const char *name, const char *value);

enum rist_profile rist_connection_profile(void);

/* Returns the receiver's buffer in ms. */
int rist_connection_buffer_ms(void);

/* Returns the settings of the library's messages, which are not printed. */
struct rist_logging_settings *rist_connection_logging(void);

/* Keeps others from the library's sockets. Prints the reason if it returns false. */
bool rist_connection_admit(const struct options *options, bool is_sender);

/* Adds the peer of a context: on the sender the receiver, on the receiver its own port. Returns
 * whether the library accepts it. */
bool rist_connection_add_peer(struct rist_ctx *context, const struct options *options,
                              const char *port, bool listens);

/* Has the library count from now on. Returns whether it could. */
bool rist_connection_count(struct rist_ctx *context);

/* Waits for the library's next statistics, which come each 100 ms as differences. */
void rist_connection_await_counts(void);

/* Prints the sum of retransmitted or recovered packets. Other counts of the library are wrong. */
void rist_connection_print_counts(bool of_sender);

#endif
