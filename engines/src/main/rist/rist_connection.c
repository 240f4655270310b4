#include "rist_connection.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "address.h"
#include "datagram_proof.h"
#include "library_sockets.h"
#include "protocol.h"

enum { MAXIMUM_MS = 60000, STATISTICS_INTERVAL_MS = 100 };

static struct {
    enum rist_profile profile;
    int buffer_ms;
    int reorder_buffer_ms;
    int rtt_min_ms;
    int session_timeout_ms;
    int min_retries;
    int max_retries;
    int key_bits; /* 0 for no encryption */
} settings = {RIST_PROFILE_MAIN, 1000, 25, 50, 5000, 6, 20, 0};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t intervals;
    uint64_t retransmitted;
    uint64_t recovered;
} counts = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static bool set_retries(const char *value, int *retries)
{
    char end;

    return sscanf(value, "%3d%c", retries, &end) == 1 && *retries >= 0 && *retries <= 100;
}

static bool set_encryption(const char *value)
{
    char end;

    if (strcmp(value, "none") == 0)
        return true;
    return sscanf(value, "aes-%3d%c", &settings.key_bits, &end) == 1 &&
           (settings.key_bits == 128 || settings.key_bits == 256);
}

bool rist_connection_set(const char *name, const char *value)
{
    if (strcmp(name, "buffer") == 0)
        return options_read_ms(value, 1, MAXIMUM_MS, &settings.buffer_ms);
    if (strcmp(name, "reorder-buffer") == 0)
        return options_read_ms(value, 0, MAXIMUM_MS, &settings.reorder_buffer_ms);
    if (strcmp(name, "rtt-min") == 0)
        return options_read_ms(value, 1, MAXIMUM_MS, &settings.rtt_min_ms);
    if (strcmp(name, "session-timeout") == 0)
        return options_read_ms(value, 1, MAXIMUM_MS, &settings.session_timeout_ms);
    if (strcmp(name, "min-retries") == 0)
        return set_retries(value, &settings.min_retries);
    if (strcmp(name, "max-retries") == 0)
        return set_retries(value, &settings.max_retries);
    if (strcmp(name, "encryption") == 0)
        return set_encryption(value);
    settings.profile = strcmp(value, "simple") == 0 ? RIST_PROFILE_SIMPLE : RIST_PROFILE_MAIN;
    return strcmp(name, "profile") == 0 &&
           (strcmp(value, "simple") == 0 || strcmp(value, "main") == 0);
}

enum rist_profile rist_connection_profile(void)
{
    return settings.profile;
}

int rist_connection_buffer_ms(void)
{
    return settings.buffer_ms;
}

struct rist_logging_settings *rist_connection_logging(void)
{
    static struct rist_logging_settings silent = LOGGING_SETTINGS_INITIALIZER;

    return &silent;
}

/*
 * Some datagrams of 8 to 300 bytes end librist 0.2.7: a parser without checks reads them before any
 * key. Encryption proves nothing either, because each datagram is decrypted to something.
 */
bool rist_connection_admit(const struct options *options, bool is_sender)
{
    datagram_proof_require(options, settings.key_bits > 0);
    return library_sockets_admit(options, is_sender, settings.profile == RIST_PROFILE_MAIN ? 1 : 2);
}

static void configure(struct rist_peer_config *peer, const struct options *options)
{
    peer->recovery_mode = RIST_RECOVERY_MODE_TIME;
    /* With a range, the library begins in its middle. */
    peer->recovery_length_min = (uint32_t)settings.buffer_ms;
    peer->recovery_length_max = (uint32_t)settings.buffer_ms;
    peer->recovery_reorder_buffer = (uint32_t)settings.reorder_buffer_ms;
    peer->recovery_rtt_min = (uint32_t)settings.rtt_min_ms;
    if (peer->recovery_rtt_max < peer->recovery_rtt_min)
        peer->recovery_rtt_max = peer->recovery_rtt_min;
    peer->min_retries = (uint32_t)settings.min_retries;
    peer->max_retries = (uint32_t)settings.max_retries;
    /* Without them, the library ends a connection after 250 ms of silence. */
    peer->session_timeout = (uint32_t)settings.session_timeout_ms;
    peer->keepalive_interval = (uint32_t)(settings.session_timeout_ms + 4) / 5;
    peer->key_size = settings.key_bits;
    /* A name is in each report, and so the proof of the reports. */
    options_tag_text(options, settings.key_bits > 0 ? peer->secret : peer->cname);
}

bool rist_connection_add_peer(struct rist_ctx *context, const struct options *options,
                              const char *port, bool listens)
{
    struct rist_peer_config *config = NULL;
    struct rist_peer *peer;
    char address[ADDRESS_TEXT_BYTES], url[ADDRESS_TEXT_BYTES + sizeof "rist://@"];
    bool is_added;

    address_format(address, options->host, port);
    (void)snprintf(url, sizeof url, "rist://%s%s", listens ? "@" : "", address);
    if (rist_parse_address2(url, &config) != 0)
        return false;
    configure(config, options);
    is_added = rist_peer_create(context, &peer, config) == 0;
    (void)rist_peer_config_free2(&config);
    return is_added;
}

/* Called by a thread of the library, once for each peer or flow. */
static int add_counts(void *of, const struct rist_stats *statistics)
{
    (void)of;
    (void)pthread_mutex_lock(&counts.lock);
    if (statistics->stats_type == RIST_STATS_SENDER_PEER)
        counts.retransmitted += statistics->stats.sender_peer.retransmitted;
    else
        counts.recovered += statistics->stats.receiver_flow.recovered;
    counts.intervals++;
    (void)pthread_cond_broadcast(&counts.changed);
    (void)pthread_mutex_unlock(&counts.lock);
    return rist_stats_free(statistics);
}

bool rist_connection_count(struct rist_ctx *context)
{
    return rist_stats_callback_set(context, STATISTICS_INTERVAL_MS, add_counts, NULL) == 0;
}

void rist_connection_await_counts(void)
{
    struct timespec end; /* without a peer, the library reports nothing */
    int64_t before;

    (void)clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    (void)pthread_mutex_lock(&counts.lock);
    before = counts.intervals;
    while (counts.intervals == before &&
           pthread_cond_timedwait(&counts.changed, &counts.lock, &end) == 0)
        continue;
    (void)pthread_mutex_unlock(&counts.lock);
}

void rist_connection_print_counts(bool of_sender)
{
    uint64_t count;

    (void)pthread_mutex_lock(&counts.lock);
    count = of_sender ? counts.retransmitted : counts.recovered;
    (void)pthread_mutex_unlock(&counts.lock);
    print_status(of_sender ? "metadata ristPacketsRetransmitted %" PRIu64
                           : "metadata ristPacketsRepaired %" PRIu64,
                 count);
}
