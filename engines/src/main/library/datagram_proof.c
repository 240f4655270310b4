#include "datagram_proof.h"

#include <string.h>

#include "packet.h"
#include "siphash.h"

/* Before the tag are at most 36 bytes of GRE and RTP, or 62 of GRE, a report and the begin of its
 * name. */
enum { SEARCHED_BYTES = 96 };

static struct {
    bool is_required, is_tag_secret;
    uint64_t key[2];
    char tag[PACKET_TAG_BYTES];
    char tag_text[OPTIONS_TAG_CHARACTERS + 1];
} proof;

void datagram_proof_require(const struct options *options, bool is_tag_secret)
{
    proof.is_required = true;
    proof.is_tag_secret = is_tag_secret;
    proof.key[0] = options->tag;
    packet_put(proof.tag, 0, options->tag);
    options_tag_text(options, proof.tag_text);
}

bool datagram_proof_is_required(void)
{
    return proof.is_required;
}

static bool has_tag(const void *datagram, size_t count)
{
    size_t searched = count < SEARCHED_BYTES ? count : SEARCHED_BYTES;

    return !proof.is_tag_secret &&
           (memmem(datagram, searched, proof.tag, PACKET_TAG_BYTES) != NULL ||
            memmem(datagram, searched, proof.tag_text, OPTIONS_TAG_CHARACTERS) != NULL);
}

size_t datagram_proof_make(const void *datagram, size_t count, char code[DATAGRAM_PROOF_BYTES])
{
    if (!proof.is_required || has_tag(datagram, count))
        return 0;
    packet_put(code, 0, siphash(proof.key, datagram, count));
    return DATAGRAM_PROOF_BYTES;
}

bool datagram_proof_check(const void *datagram, size_t *count)
{
    const char *bytes = datagram;
    size_t without_code = *count - DATAGRAM_PROOF_BYTES;

    if (!proof.is_required || has_tag(datagram, *count))
        return true;
    if (*count < DATAGRAM_PROOF_BYTES ||
        packet_get(bytes, without_code) != siphash(proof.key, datagram, without_code))
        return false;
    *count = without_code;
    return true;
}
