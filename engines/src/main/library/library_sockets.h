/*
 * The sockets of a library that opens its own: socket(2), setsockopt(2), recvfrom(2) and the
 * sending calls of this program, which the dynamic linker gives to the library in place of those of
 * libc. So each datagram socket drops what strangers send from its first moment on, before the
 * library's parser, and what has no proof (datagram_proof.h) if proofs are required. No other user
 * can bind its port, and errors that the library does not report are counted.
 */
#ifndef LAGBENCH_LIBRARY_SOCKETS_H
#define LAGBENCH_LIBRARY_SOCKETS_H

#include <stdbool.h>

#include "options.h"
#include "source_filter.h"

/*
 * Sets which hosts reach the sockets that are opened from now on: on the receiver those of the
 * sender (admit=), on the sender only the receiver's ports, or any of its host if the
 * receiver connects. Called once, before the library is used; without it no datagram socket opens.
 * Prints the reason if it returns false.
 *
 * ports: of the receiver, from the one in the options on
 */
bool library_sockets_admit(const struct options *options, bool is_sender, int ports);

/* Returns whether all datagram sockets of this process have the filter; prints the reason if one
 * does not: then the library does not use these functions. */
bool library_sockets_are_closed_to_others(void);

/* Replies with the errors of the sockets so far, as print_packet_errors(). Any thread may call it.
 */
void library_sockets_print_errors(void);

#endif
