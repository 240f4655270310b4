#include "srt_connection.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "protocol.h"
#include "srt_copies.h"

enum {
    LATENCY_MAXIMUM_MS = 60000,
    CONNECT_TIMEOUT_MAXIMUM_MS = 10000,
    BUFFER_BYTES_PER_PACKET =
        1472, /* the library counts buffers in these units, for any packet size */
};

static struct {
    int latency_ms;
    int fec_columns; /* 0 for no packet filter */
    int fec_rows;
    const char *fec_layout;
    const char *fec_repair;
    int key_bytes;        /* 0 for no encryption */
    int overhead_percent; /* limit of retransmissions, in % of the bytes sent; 0: no limit */
    bool drops_too_late;
    int buffer_packets;
    int connect_timeout_ms;
} settings = {.latency_ms = 120,
              .fec_layout = "even",
              .fec_repair = "onreq",
              .drops_too_late = true,
              .connect_timeout_ms = CONNECT_TIMEOUT_MAXIMUM_MS};

static bool is_one_of(const char *value, const char *first, const char *second, const char *third)
{
    return strcmp(value, first) == 0 || strcmp(value, second) == 0 || strcmp(value, third) == 0;
}

static bool set_fec(const char *value)
{
    char end;

    return strcmp(value, "none") == 0 ||
           (sscanf(value, "%2dx%2d%c", &settings.fec_columns, &settings.fec_rows, &end) == 2 &&
            settings.fec_columns > 1 && settings.fec_rows > 0);
}

static bool set_encryption(const char *value)
{
    int bits;
    char end;

    if (strcmp(value, "none") == 0)
        return true;
    if (sscanf(value, "aes-%3d%c", &bits, &end) != 1 || (bits != 128 && bits != 192 && bits != 256))
        return false;
    settings.key_bytes = bits / 8;
    return true;
}

static bool set_number(const char *value, int minimum, int maximum, int *number)
{
    char end;

    return sscanf(value, "%7d%c", number, &end) == 1 && *number >= minimum && *number <= maximum;
}

bool srt_connection_set(const char *name, const char *value)
{
    if (strcmp(name, "latency") == 0)
        return options_read_ms(value, 0, LATENCY_MAXIMUM_MS, &settings.latency_ms);
    if (strcmp(name, "fec") == 0)
        return set_fec(value);
    if (strcmp(name, "encryption") == 0)
        return set_encryption(value);
    if (strcmp(name, "overhead-percent") == 0)
        return strcmp(value, "unlimited") == 0 ||
               set_number(value, 5, 100, &settings.overhead_percent);
    if (strcmp(name, "buffer-packets") == 0)
        return set_number(value, 1, SRT_COPIES_PACKETS, &settings.buffer_packets);
    if (strcmp(name, "connect-timeout-ms") == 0)
        return set_number(value, 1, CONNECT_TIMEOUT_MAXIMUM_MS, &settings.connect_timeout_ms);
    if (strcmp(name, "fec-layout") == 0) {
        settings.fec_layout = value;
        return is_one_of(value, "even", "staircase", "even");
    }
    if (strcmp(name, "fec-repair") == 0) {
        settings.fec_repair = strcmp(value, "on-request") == 0 ? "onreq" : value;
        return is_one_of(value, "always", "on-request", "never");
    }
    settings.drops_too_late = strcmp(value, "on") == 0;
    return strcmp(name, "too-late-drop") == 0 && is_one_of(value, "on", "off", "off");
}

bool srt_connection_is_encrypted(void)
{
    return settings.key_bytes > 0;
}

static bool set_int(SRTSOCKET socket, SRT_SOCKOPT option, int value)
{
    return srt_setsockflag(socket, option, &value, sizeof value) != SRT_ERROR;
}

static bool set_rate(SRTSOCKET socket, SRT_SOCKOPT option, int64_t bytes_per_s)
{
    return srt_setsockflag(socket, option, &bytes_per_s, sizeof bytes_per_s) != SRT_ERROR;
}

static bool set_flag(SRTSOCKET socket, SRT_SOCKOPT option, bool value)
{
    return srt_setsockflag(socket, option, &value, sizeof value) != SRT_ERROR;
}

static bool set_text(SRTSOCKET socket, SRT_SOCKOPT option, const char *value)
{
    return srt_setsockflag(socket, option, value, (int)strlen(value)) != SRT_ERROR;
}

/* Without a limit, the library sends up to 1 Gbit/s. */
static bool limit_overhead(SRTSOCKET socket)
{
    return settings.overhead_percent == 0 ||
           (set_rate(socket, SRTO_MAXBW, 0) && set_rate(socket, SRTO_INPUTBW, 0) &&
            set_int(socket, SRTO_OHEADBW, settings.overhead_percent));
}

/* The receive buffer is limited by the flow control window, which therefore comes first. */
static bool set_buffers(SRTSOCKET socket, const struct options *options)
{
    int bytes = settings.buffer_packets * BUFFER_BYTES_PER_PACKET;

    return (settings.buffer_packets == 0 ||
            (set_int(socket, SRTO_FC, settings.buffer_packets) &&
             set_int(socket, SRTO_RCVBUF, bytes) && set_int(socket, SRTO_SNDBUF, bytes))) &&
           (options->send_buffer == 0 ||
            set_int(socket, SRTO_UDP_SNDBUF, (int)options->send_buffer)) &&
           (options->receive_buffer == 0 ||
            set_int(socket, SRTO_UDP_RCVBUF, (int)options->receive_buffer));
}

static bool set_filter(SRTSOCKET socket)
{
    char filter[64];

    if (settings.fec_columns == 0)
        return true;
    (void)snprintf(filter, sizeof filter, "fec,cols:%d,rows:%d,layout:%s,arq:%s",
                   settings.fec_columns, settings.fec_rows, settings.fec_layout,
                   settings.fec_repair);
    return set_text(socket, SRTO_PACKETFILTER, filter);
}

static bool set_encryption_of(SRTSOCKET socket, const struct options *options)
{
    char tag[OPTIONS_TAG_CHARACTERS + 1];

    options_tag_text(options, tag);
    return settings.key_bytes == 0 || (set_int(socket, SRTO_PBKEYLEN, settings.key_bytes) &&
                                       set_text(socket, SRTO_PASSPHRASE, tag));
}

SRTSOCKET srt_connection_open(const struct options *options)
{
    SRTSOCKET socket;

    if (srt_startup() == SRT_ERROR)
        return SRT_INVALID_SOCK;
    srt_setloglevel(LOG_CRIT); /* the status lines of this program say what failed */
    socket = srt_create_socket();
    if (socket == SRT_INVALID_SOCK)
        return SRT_INVALID_SOCK;
    if (set_int(socket, SRTO_TRANSTYPE, SRTT_LIVE) && set_int(socket, SRTO_IPV6ONLY, 1) &&
        set_int(socket, SRTO_PAYLOADSIZE, (int)options->packet_bytes) &&
        set_int(socket, SRTO_LATENCY, settings.latency_ms) &&
        set_int(socket, SRTO_CONNTIMEO, settings.connect_timeout_ms) &&
        set_flag(socket, SRTO_TLPKTDROP, settings.drops_too_late) && limit_overhead(socket) &&
        set_buffers(socket, options) && set_filter(socket) && set_encryption_of(socket, options))
        return socket;
    return SRT_INVALID_SOCK;
}

int srt_connection_timeout_ms(void)
{
    return settings.connect_timeout_ms;
}

void srt_connection_close(_Atomic SRTSOCKET *socket)
{
    SRTSOCKET open = atomic_exchange(socket, SRT_INVALID_SOCK);

    if (open != SRT_INVALID_SOCK)
        (void)srt_close(open);
}

void srt_connection_print_version(void)
{
    uint32_t version = srt_getversion();

    print_status("%u.%u.%u", version >> 16 & 0xff, version >> 8 & 0xff, version & 0xff);
}

void srt_connection_print_addresses(SRTSOCKET connection)
{
    struct sockaddr_storage local, remote;
    int local_bytes = sizeof local, remote_bytes = sizeof remote;

    if (srt_getsockname(connection, (struct sockaddr *)&local, &local_bytes) != SRT_ERROR)
        (void)print_socket_address("localAddress", (struct sockaddr *)&local,
                                   (socklen_t)local_bytes);
    if (srt_getpeername(connection, (struct sockaddr *)&remote, &remote_bytes) != SRT_ERROR)
        (void)print_socket_address("remoteAddress", (struct sockaddr *)&remote,
                                   (socklen_t)remote_bytes);
}

bool srt_connection_print_port(SRTSOCKET socket)
{
    struct sockaddr_storage bound;
    int bytes = sizeof bound;

    if (srt_getsockname(socket, (struct sockaddr *)&bound, &bytes) != SRT_ERROR &&
        print_socket_port((struct sockaddr *)&bound, (socklen_t)bytes) == 0)
        return true;
    print_status("failed The port of an SRT socket is not known: %s.", srt_getlasterror_str());
    return false;
}
