/* Without a fuzzer: gives a target each file of a directory, then damaged copies of them, always
 * the same. A finding prints its input. */
#include <dirent.h>
#include <sanitizer/common_interface_defs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "relay_random.h"

enum { SEEDS_MAX = 256, BYTES_MAX = 1 << 16, DAMAGES_MAX = 4, RUN_BYTES_MAX = 16 };

struct bytes {
    size_t count;
    uint8_t at[BYTES_MAX];
};

static struct bytes *seeds[SEEDS_MAX];
static size_t seeds_count;
static struct bytes input;
static bool is_running;
static struct relay_random randomness = {.state = 1};

static size_t below(size_t limit)
{
    return (size_t)(relay_random_next(&randomness) % limit);
}

static void print_input(void)
{
    if (!is_running)
        return;
    fputs("input ", stderr);
    for (size_t i = 0; i < input.count; i++)
        fprintf(stderr, "%02x", input.at[i]);
    fputc('\n', stderr);
}

/* Gives the target the input in memory of exactly its size, beyond which AddressSanitizer sees
 * reads.
 */
static void run(void)
{
    uint8_t *copy = malloc(input.count == 0 ? 1 : input.count);

    memcpy(copy, input.at, input.count);
    is_running = true;
    (void)LLVMFuzzerTestOneInput(copy, input.count);
    is_running = false;
    free(copy);
}

static void cut_at(size_t count)
{
    input.count = count;
}

static void damage(void)
{
    size_t at = below(input.count + 1);
    size_t length = 1 + below(RUN_BYTES_MAX);

    if (length > input.count - at)
        length = input.count - at;
    switch (below(6)) {
    case 0:
        for (size_t i = 0; i < length; i++)
            input.at[at + i] = (uint8_t)below(256);
        break;
    case 1:
        if (length > 0)
            input.at[at] ^= (uint8_t)(1u << below(8));
        break;
    case 2:
        cut_at(at);
        break;
    case 3:
        memmove(input.at + at, input.at + at + length, input.count - at - length);
        cut_at(input.count - length);
        break;
    case 4:
        memset(input.at + at, below(2) == 0 ? 0xff : 0x7f, length);
        break;
    default: {
        const struct bytes *other = seeds[below(seeds_count)];
        size_t from = below(other->count + 1);
        size_t count = other->count - from < BYTES_MAX - at ? other->count - from : BYTES_MAX - at;

        memcpy(input.at + at, other->at + from, count);
        cut_at(at + count);
    }
    }
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void read_seed(const char *directory, const char *name)
{
    char path[4096];
    struct bytes *seed = malloc(sizeof *seed);

    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || seed == NULL || seeds_count == SEEDS_MAX) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    seed->count = fread(seed->at, 1, sizeof seed->at, file);
    fclose(file);
    seeds[seeds_count++] = seed;
}

int main(int count, char **arguments)
{
    struct dirent **entries;
    int files = count < 3 ? -1 : scandir(arguments[1], &entries, is_file, alphasort);

    if (files <= 0) {
        fputs("usage: DIRECTORY INPUTS, with files in the directory\n", stderr);
        return EXIT_FAILURE;
    }
    __sanitizer_set_death_callback(print_input);
    (void)atexit(print_input);
    for (int i = 0; i < files; i++) {
        read_seed(arguments[1], entries[i]->d_name);
        free(entries[i]);
        input = *seeds[i];
        run();
    }
    free(entries);
    for (int left = atoi(arguments[2]); left > 0; left--) {
        input = *seeds[below(seeds_count)];
        for (size_t damages = 1 + below(DAMAGES_MAX); damages > 0; damages--)
            damage();
        run();
    }
    printf("%d files and %s damaged inputs\n", files, arguments[2]);
    while (seeds_count > 0)
        free(seeds[--seeds_count]);
    return EXIT_SUCCESS;
}
