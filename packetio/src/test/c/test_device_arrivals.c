/* Arrivals of UDP datagrams that a program puts into a TUN or TAP device. */
#include <arpa/inet.h>
#include <endian.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "can_record.h"
#include "check.h"
#include "clocks.h"
#include "loopback.h"

enum { DATAGRAMS = 20, CAPACITY = 64, PORT = 4711, COMMAND_BYTES = 128 };

static const uint64_t TAG = 0x1122334455667788;

struct frame {
    struct ethhdr ethernet;
    struct iphdr ip;
    struct udphdr udp;
    uint64_t packet[2];
} __attribute__((packed));

/* Enters a new network namespace. Returns false if that is not permitted, or there are no TUN
 * devices. */
static bool enter_new_network(void)
{
    bool can_enter = access("/dev/net/tun", W_OK) == 0 && unshare(CLONE_NEWNET) == 0;

    if (!can_enter)
        printf("skipped: this machine permits no TUN devices in a network namespace\n");
    return can_enter;
}

/* Makes a device for packets (IFF_TUN) or Ethernet frames (IFF_TAP). */
static int make_device(short type)
{
    int fd = must(open("/dev/net/tun", O_RDWR | O_CLOEXEC), "/dev/net/tun");
    struct ifreq request = {.ifr_name = "made", .ifr_flags = (short)(type | IFF_NO_PI)};

    must(ioctl(fd, TUNSETIFF, &request), "TUNSETIFF");
    return fd;
}

static void ip(const char *arguments)
{
    char command[COMMAND_BYTES];

    snprintf(command, sizeof command, "ip %s", arguments);
    CHECK_EQUAL(system(command), 0);
}

static uint16_t ip_checksum(const struct iphdr *header)
{
    const uint16_t *words = (const uint16_t *)header;
    uint32_t sum = 0;

    for (size_t i = 0; i < sizeof *header / sizeof *words; i++)
        sum += words[i];
    sum = (sum & UINT16_MAX) + (sum >> 16);
    return (uint16_t)~(sum + (sum >> 16));
}

/* Puts a datagram from 10.9.8.2 to 10.9.8.1 into a device, without its first bytes. */
static void put(int device, uint64_t sequence, size_t from)
{
    struct frame frame = {
        .ethernet = {.h_dest = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                     .h_source = {2},
                     .h_proto = htons(ETH_P_IP)},
        .ip = {.version = 4,
               .ihl = sizeof frame.ip / 4,
               .tot_len = htons(sizeof frame - sizeof frame.ethernet),
               .ttl = 1,
               .protocol = IPPROTO_UDP,
               .saddr = htonl(0x0a090802),
               .daddr = htonl(0x0a090801)},
        .udp = {.source = htons(PORT),
                .dest = htons(PORT),
                .len = htons(sizeof frame.udp + sizeof frame.packet)},
        .packet = {htobe64(TAG), htobe64(sequence)},
    };
    struct iphdr header = frame.ip;

    frame.ip.check = ip_checksum(&header);
    CHECK_EQUAL(write(device, (const char *)&frame + from, sizeof frame - from),
                sizeof frame - from);
}

/* Puts datagrams into a device, and checks that each arrives once, between its calls. */
static void check_each_arrival(int device, size_t from)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int receiver = must(socket(AF_INET, SOCK_DGRAM, 0), "socket");
    struct packet_stamp stamps[CAPACITY];
    int64_t put_ns[DATAGRAMS], received_ns[DATAGRAMS];
    struct packet_record *arrivals;

    must(bind(receiver, (struct sockaddr *)&any, sizeof any), "bind");
    CHECK_EQUAL(packet_record_open(PACKETS_ARRIVED, CAPACITY, &arrivals), 0);
    CHECK_EQUAL(packet_record_start_tagged(arrivals, PORT, TAG, 0), 0);
    for (int i = 0; i < DATAGRAMS; i++) {
        uint64_t packet[2];

        put_ns[i] = realtime_ns();
        put(device, (uint64_t)i, from);
        CHECK_EQUAL(recv(receiver, packet, sizeof packet, 0), sizeof packet);
        received_ns[i] = realtime_ns();
    }
    packet_record_stop(arrivals);
    CHECK_EQUAL(packet_record_lost(arrivals), 0);
    CHECK_EQUAL(packet_record_read(arrivals, 0, stamps, CAPACITY), DATAGRAMS);
    for (int i = 0; i < DATAGRAMS; i++) {
        CHECK_EQUAL(stamps[i].sequence, i);
        CHECK(stamps[i].at_ns >= put_ns[i]);
        CHECK(stamps[i].at_ns <= received_ns[i]);
    }
    packet_record_close(arrivals);
    close(receiver);
}

TEST(datagrams_of_a_program_arrive_between_the_calls)
{
    int device;

    if (!can_record() || !enter_new_network())
        return;
    device = make_device(IFF_TUN);
    ip("address add 10.9.8.1/24 dev made");
    ip("link set made up");
    check_each_arrival(device, sizeof(struct ethhdr));
    close(device);
}

TEST(datagrams_over_a_bridge_arrive_once)
{
    int device;

    if (!can_record() || !enter_new_network())
        return;
    device = make_device(IFF_TAP);
    if (system("ip link add bridge type bridge") == 0) {
        ip("link set made master bridge");
        ip("address add 10.9.8.1/24 dev bridge");
        ip("link set made up");
        ip("link set bridge up");
        check_each_arrival(device, 0);
    } else {
        printf("skipped: this kernel has no bridges\n");
    }
    close(device);
}

TEST_MAIN
