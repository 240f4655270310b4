#include "packet_record.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "drops_program.h"
#include "frames_program.h"
#include "kernel_clock.h"
#include "packet_memory.h"
#include "packets_program.h"

enum {
    STATE_BYTES = 4096,
    PROGRAMS_MAX = sizeof(((struct packets_skeleton *)NULL)->programs) / sizeof(int),
    ARRIVING = PROGRAMS_MAX - 2,
};

static const struct kind {
    const struct kernel_text *text;
    size_t skeleton_bytes;
    size_t packet_bytes;
    int programs;
    int first;     /* of the programs that record */
    int recording; /* their number; the next one finds a place in a stream that arrives */
} KINDS[] = {
    [PACKETS_ARRIVED] = {&PACKETS_TEXT, sizeof(struct packets_skeleton),
                         sizeof(struct recorded_packet), PROGRAMS_MAX, 1, ARRIVING},
    [PACKETS_DROPPED] = {&DROPS_TEXT, sizeof(struct drops_skeleton), sizeof(struct dropped_packet),
                         1, 0, 1},
    [PACKETS_LEFT] = {&PACKETS_TEXT, sizeof(struct packets_skeleton),
                      sizeof(struct recorded_packet), PROGRAMS_MAX, 0, 1},
    [FRAMES_ARRIVED] = {&FRAMES_TEXT, sizeof(struct frames_skeleton),
                        sizeof(struct recorded_packet), PROGRAMS_MAX - 1, 1, ARRIVING},
    [FRAMES_LEFT] = {&FRAMES_TEXT, sizeof(struct frames_skeleton), sizeof(struct recorded_packet),
                     PROGRAMS_MAX - 1, 0, 1},
};

struct packet_record {
    const struct kind *kind;
    struct packets_skeleton skeleton; /* the others have fewer programs */
    int links[PROGRAMS_MAX];
    struct packet_state *state;
    const char *packets;
};

#define HAS_THE_SAME_MAPS(other)                                                                   \
    (offsetof(struct packets_skeleton, maps.state) == offsetof(struct other, maps.state) &&        \
     offsetof(struct packets_skeleton, programs) == offsetof(struct other, programs))

_Static_assert(HAS_THE_SAME_MAPS(frames_skeleton) && HAS_THE_SAME_MAPS(drops_skeleton),
               "other maps");

/* Maps what the program shares with this process. Returns 0 or -errno. */
static int map(struct packet_record *record, uint32_t capacity)
{
    void *state = mmap(NULL, STATE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                       record->skeleton.maps.state.fd, 0);
    void *packets;

    if (state == MAP_FAILED)
        return -errno;
    record->state = state;
    record->state->capacity = capacity;
    packets = mmap(NULL, capacity * record->kind->packet_bytes, PROT_READ, MAP_SHARED,
                   record->skeleton.maps.packets.fd, 0);
    if (packets == MAP_FAILED)
        return -errno;
    record->packets = packets;
    return 0;
}

int packet_record_open(enum packet_record_kind kind, uint32_t capacity,
                       struct packet_record **opened)
{
    struct packet_record *record = calloc(1, sizeof *record);
    int error;

    if (record == NULL)
        return -ENOMEM;
    record->kind = &KINDS[kind];
    record->skeleton.maps.packets.max_entries = capacity;
    error = kernel_program_load(&record->skeleton.begin, record->kind->skeleton_bytes,
                                record->kind->text);
    if (error == 0)
        error = map(record, capacity);
    if (error != 0) {
        packet_record_close(record);
        return error;
    }
    *opened = record;
    return 0;
}

static int start(struct packet_record *record, uint16_t port, uint8_t protocol, int programs)
{
    struct stat namespace;

    if (stat("/proc/thread-self/ns/net", &namespace) != 0)
        return -errno;
    record->state->network = (uint32_t)namespace.st_ino;
    record->state->port = htons(port);
    record->state->protocol = protocol;
    return kernel_program_attach(record->skeleton.programs + record->kind->first, record->links,
                                 programs);
}

int packet_record_start_stream(struct packet_record *record, uint16_t port, bool has_begun)
{
    bool is_placed = !has_begun || packet_record_place(record, &(struct stream_place){0});

    return start(record, port, IPPROTO_TCP, record->kind->recording + !is_placed);
}

int packet_record_start_tagged(struct packet_record *record, uint16_t port, uint64_t tag,
                               int32_t header_bytes)
{
    bool is_stream = record->kind->text == &FRAMES_TEXT;

    record->state->tag = htobe64(tag);
    record->state->header_bytes = header_bytes;
    return start(record, port, is_stream ? IPPROTO_TCP : IPPROTO_UDP, record->kind->recording);
}

int packet_record_start_last(struct packet_record *record, uint16_t port, uint64_t tag,
                             int32_t packet_bytes)
{
    record->state->packet_bytes = packet_bytes;
    return packet_record_start_tagged(record, port, tag, 0);
}

void packet_record_stop(struct packet_record *record)
{
    kernel_program_close(record->links, record->kind->programs);
}

static uint32_t written(const struct packet_state *state)
{
    return __atomic_load_n(&state->written, __ATOMIC_ACQUIRE);
}

int packet_record_read(const struct packet_record *record, int64_t from,
                       struct packet_stamp *stamps, int capacity)
{
    const struct packet_state *state = record->state;
    uint32_t known = written(state) < state->capacity ? written(state) : state->capacity;
    int64_t ahead_ns = kernel_clock_tai_ahead_ns();
    int count = 0;

    for (; count < capacity && from + count < known; count++) {
        const void *at = record->packets + (size_t)(from + count) * record->kind->packet_bytes;
        const struct recorded_packet *packet = at;
        int64_t at_ns = (int64_t)__atomic_load_n(&packet->at_ns, __ATOMIC_ACQUIRE);

        stamps[count] = (struct packet_stamp){
            at_ns == 0 ? 0 : at_ns - ahead_ns, packet->sequence, packet->bytes,
            record->kind == &KINDS[PACKETS_DROPPED] ? ((const struct dropped_packet *)at)->reason
                                                    : 0};
    }
    return count;
}

int64_t packet_record_lost(const struct packet_record *record)
{
    uint32_t all = written(record->state);
    uint32_t capacity = record->state->capacity;

    return (all > capacity ? all - capacity : 0) +
           kernel_program_missed(record->skeleton.programs, record->kind->programs);
}

int64_t packet_record_foreign(const struct packet_record *record)
{
    return (int64_t)__atomic_load_n(&record->state->foreign, __ATOMIC_RELAXED);
}

bool packet_record_place(const struct packet_record *record, struct stream_place *place)
{
    const struct packet_state *state = record->state;
    bool is_placed = __atomic_load_n(&state->is_placed, __ATOMIC_ACQUIRE) != 0;

    if (is_placed)
        *place = (struct stream_place){state->sequence, (int64_t)state->offset};
    return is_placed;
}

void packet_record_close(struct packet_record *record)
{
    packet_record_stop(record);
    kernel_program_close(record->skeleton.programs, record->kind->programs);
    kernel_program_close(&record->skeleton.maps.packets.fd, 1);
    kernel_program_close(&record->skeleton.maps.state.fd, 1);
    if (record->packets != NULL)
        munmap((void *)(uintptr_t)record->packets,
               record->state->capacity * record->kind->packet_bytes);
    if (record->state != NULL)
        munmap(record->state, STATE_BYTES);
    free(record);
}
