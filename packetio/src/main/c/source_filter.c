#include "source_filter.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <string.h>
#include <sys/socket.h>

enum {
    MAXIMUM_INSTRUCTIONS = 64,
    ALL = -1, /* accepts the packet, and all its bytes */
    VERSION_MASK = 0xf0,
    SOURCE_4 = 12, /* of the source's address in an IPv4 header */
    SOURCE_6 = 8,
};

struct program {
    struct sock_filter code[MAXIMUM_INSTRUCTIONS];
    unsigned short count;
};

static void jump(struct program *program, int code, uint32_t operand, int if_true, int if_false)
{
    program->code[program->count++] =
        (struct sock_filter){(uint16_t)code, (uint8_t)if_true, (uint8_t)if_false, operand};
}

static void add(struct program *program, int code, uint32_t operand)
{
    jump(program, code, operand, 0, 0);
}

/* Returns at a place in the IP header, with the other bytes of classic BPF's address. */
static uint32_t in_ip(int offset)
{
    return (uint32_t)(SKF_NET_OFF + offset);
}

static void check_ports(struct program *program, const struct source_filter *filter)
{
    add(program, BPF_LD | BPF_H | BPF_ABS, 0); /* at the begin of both a UDP and a TCP header */
    jump(program, BPF_JMP | BPF_JGE | BPF_K, filter->first_port, 1, 0);
    add(program, BPF_RET | BPF_K, 0);
    jump(program, BPF_JMP | BPF_JGT | BPF_K, filter->last_port, 0, 1);
    add(program, BPF_RET | BPF_K, 0);
}

/* Accepts packets of a host. */
static void accept_host(struct program *program, const uint32_t *words, int count)
{
    bool is_v4 = count == 1;

    add(program, BPF_LD | BPF_B | BPF_ABS, in_ip(0));
    add(program, BPF_ALU | BPF_AND | BPF_K, VERSION_MASK);
    jump(program, BPF_JMP | BPF_JEQ | BPF_K, is_v4 ? 0x40 : 0x60, 0, 2 * count + 1);
    for (int i = 0; i < count; i++) {
        add(program, BPF_LD | BPF_W | BPF_ABS, in_ip((is_v4 ? SOURCE_4 : SOURCE_6) + 4 * i));
        jump(program, BPF_JMP | BPF_JEQ | BPF_K, words[i], 0, 2 * (count - 1 - i) + 1);
    }
    add(program, BPF_RET | BPF_K, (uint32_t)ALL);
}

static int add_host(struct source_filter *filter, const char *host)
{
    struct in6_addr v6;
    struct in_addr v4;

    if (filter->count == SOURCE_FILTER_HOSTS)
        return -EINVAL;
    if (inet_pton(AF_INET, host, &v4) == 1) {
        filter->hosts[filter->count].words[0] = ntohl(v4.s_addr);
        filter->hosts[filter->count++].count = 1;
        return 0;
    }
    if (inet_pton(AF_INET6, host, &v6) != 1)
        return -EINVAL;
    for (int i = 0; i < 4; i++) {
        uint32_t word;

        memcpy(&word, v6.s6_addr + 4 * i, sizeof word);
        filter->hosts[filter->count].words[i] = ntohl(word);
    }
    filter->hosts[filter->count++].count = 4;
    return 0;
}

int source_filter_read(struct source_filter *filter, const char *hosts)
{
    char host[INET6_ADDRSTRLEN];
    int error = 0;

    filter->count = 0;
    do {
        size_t length = strcspn(hosts, ",");
        size_t address = strcspn(hosts, ",%"); /* without the zone: packets do not have it */

        if (address >= sizeof host)
            return -EINVAL;
        memcpy(host, hosts, address);
        host[address] = '\0';
        error = add_host(filter, host);
        hosts += length;
    } while (error == 0 && *hosts++ != '\0');
    return error;
}

static bool is_stream(int fd)
{
    int type = 0;
    socklen_t bytes = sizeof type;

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_STREAM;
}

int source_filter_attach(const struct source_filter *filter, int fd)
{
    struct program program = {.count = 0};
    struct sock_fprog code = {.filter = program.code};
    int on = 1;

    if (filter->first_port != 0)
        check_ports(&program, filter);
    for (int i = 0; i < filter->count; i++)
        accept_host(&program, filter->hosts[i].words, filter->hosts[i].count);
    add(&program, BPF_RET | BPF_K, 0);
    code.len = program.count;
    if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &code, sizeof code) < 0)
        return errno == EPERM && is_stream(fd) ? 0 : -errno;
    return setsockopt(fd, SOL_SOCKET, SO_LOCK_FILTER, &on, sizeof on) < 0 ? -errno : 0;
}

bool source_filter_is_attached(int fd)
{
    socklen_t instructions = 0; /* only asks how many there are */

    return getsockopt(fd, SOL_SOCKET, SO_GET_FILTER, NULL, &instructions) == 0 && instructions > 0;
}
