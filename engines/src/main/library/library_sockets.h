/*
 * The sockets of a library that opens its own: socket(2) and setsockopt(2) of this program, which
 * the dynamic linker gives to the library in place of those of libc. So each datagram socket drops
 * what strangers send from its first moment on, before the library's parser, and no other user can
 * bind its port.
 */
#ifndef LAGBENCH_LIBRARY_SOCKETS_H
#define LAGBENCH_LIBRARY_SOCKETS_H

#include <stdbool.h>

#include "options.h"
#include "source_filter.h"

/*
 * Sets which hosts reach the sockets that are opened from now on: on the receiver those of the
 * sender (admit=), on the sender only the receiver's ports. Called once, before the library is
 * used; without it no datagram socket opens. Prints the reason if it returns false.
 *
 * ports: of the receiver, from the one in the options on
 * checks_gre: see struct source_filter
 */
bool library_sockets_admit(const struct options *options, bool is_sender, int ports,
                           bool checks_gre);

/* Returns whether all datagram sockets of this process have the filter; prints the reason if one
 * does not: then the library does not use these functions. */
bool library_sockets_are_closed_to_others(void);

#endif
