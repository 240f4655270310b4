/*
 * The settings of a connection of SRT in live mode, the same on both sides
 * (org.lagbench.engines.srt.SrtTransport), and what both sides report about it.
 */
#ifndef LAGBENCH_SRT_CONNECTION_H
#define LAGBENCH_SRT_CONNECTION_H

#include <srt/srt.h>
#include <stdbool.h>

#include "options.h"

/* Sets a setting by its name in experiments. Returns false if there is none of this name or value.
 */
bool srt_connection_set(const char *name, const char *value);

/* Returns whether the connection is encrypted. */
bool srt_connection_is_encrypted(void);

/* Starts the library and opens a socket with the settings. Returns SRT_INVALID_SOCK after a failure
 * (srt_getlasterror_str). */
SRTSOCKET srt_connection_open(const struct options *options);

/* Returns how long a connection may take. */
int srt_connection_timeout_ms(void);

/* Closes a socket, if it is open. Another thread may do so, too. */
void srt_connection_close(_Atomic SRTSOCKET *socket);

/* Prints the version of the library, such as "1.5.1". */
void srt_connection_print_version(void);

/* Replies with the address of a socket or its peer as metadata, if there is one. */
void srt_connection_print_addresses(SRTSOCKET connection);

/* Replies with the port of a socket. Prints the reason if it returns false. */
bool srt_connection_print_port(SRTSOCKET socket);

#endif
