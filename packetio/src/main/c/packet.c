#include "packet.h"

#include <errno.h>
#include <stdlib.h>

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014), as
 * in Java's SplittableRandom. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

/* Each random number gives 8 bytes, lowest first; the rest of a packet's last number is dropped. */
static void fill(char *packet, size_t bytes, uint64_t *state)
{
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t random = htole64(next_random(state));
        size_t left = bytes - at;

        memcpy(packet + at, &random, left < sizeof random ? left : sizeof random);
    }
}

int packet_cycle_make(struct packet_cycle *cycle, size_t packet_bytes, uint64_t tag, int *batch)
{
    size_t packets = packet_bytes < PACKET_CYCLE_BYTES ? PACKET_CYCLE_BYTES / packet_bytes : 1;
    uint64_t state = tag;
    size_t repeated;

    if ((size_t)*batch > packets)
        *batch = (int)packets;
    repeated = (size_t)(*batch - 1) * packet_bytes;
    *cycle = (struct packet_cycle){
        .packet_bytes = packet_bytes, .end = packets * packet_bytes, .tag = tag};
    cycle->bytes = malloc(cycle->end + repeated);
    if (cycle->bytes == NULL)
        return -ENOMEM;
    for (size_t at = 0; at < cycle->end; at += packet_bytes)
        fill(cycle->bytes + at, packet_bytes, &state);
    memcpy(cycle->bytes + cycle->end, cycle->bytes, repeated);
    return 0;
}

void packet_cycle_free(struct packet_cycle *cycle)
{
    free(cycle->bytes);
    cycle->bytes = NULL;
}
