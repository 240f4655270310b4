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

/* Prints the version of the library, such as "1.5.1". */
void srt_connection_print_version(void);

/* Replies with the address of a socket or its peer as metadata, if there is one. */
void srt_connection_print_addresses(SRTSOCKET connection);

#endif
