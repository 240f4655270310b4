/*
 * What shows that a datagram comes from the other side of the run: the run's tag near its begin, as
 * in packets of data and in the names that RTCP has, or a code behind it. So a library's parser
 * reads nothing that others have sent, even if they forge the address and port of the other side.
 */
#ifndef LAGBENCH_DATAGRAM_PROOF_H
#define LAGBENCH_DATAGRAM_PROOF_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

enum { DATAGRAM_PROOF_BYTES = 8 };

/* Requires proofs from now on. Called once, before the library makes threads.
 *
 * is_tag_secret: the tag is in no datagram, because the key of the library's cipher is made of it
 */
void datagram_proof_require(const struct options *options, bool is_tag_secret);

bool datagram_proof_is_required(void);

/* Writes the code of a datagram. Returns its bytes: 0 if the datagram needs none. */
size_t datagram_proof_make(const void *datagram, size_t count, char code[DATAGRAM_PROOF_BYTES]);

/* Returns whether a received datagram has its proof; removes the code from its length. */
bool datagram_proof_check(const void *datagram, size_t *count);

#endif
