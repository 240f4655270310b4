/* The first message of a connection (struct bus_hello): opens a device, attaches a process, or asks
 * for the statistics. */
#ifndef LAGBENCH_BUS_HELLO_H
#define LAGBENCH_BUS_HELLO_H

#include <stdbool.h>

struct bus_endpoint;

/* Receives the hello of a connection and replies, with life_fd (see bus_life.h). Returns false if
 * the connection is invalid and must be closed. */
bool bus_hello_accept(struct bus_endpoint *device, int life_fd);

#endif
