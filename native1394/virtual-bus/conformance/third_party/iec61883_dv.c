// libiec61883 streams DV (IEC 61883-2) from one port to the other: every source packet arrives
// whole and in order. libraw1394 queues one packet more than its ring has slots, so the oldest
// packet of a receiver that does not run for too long is overwritten: such a run is repeated.
#include <errno.h>
#include <libiec61883/iec61883.h>
#include <libraw1394/raw1394.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHANNEL = 20, DIF_BYTES = 480, WANTED = 6000, IS_PAL = 1, RUNS = 5 };

static uint32_t sent, last, received, lost;
static int wrong;

static void fill(unsigned char *data, uint32_t number)
{
    memset(data, (int)(number % 251), DIF_BYTES);
    memset(data, 0, 4);
    memcpy(data + 4, &number, sizeof number);
}

static int transmit(unsigned char *data, int blocks, unsigned dropped, void *unused)
{
    (void)dropped;
    (void)unused;
    for (int i = 0; i < blocks; i++)
        fill(data + i * DIF_BYTES, ++sent);
    return 0;
}

static int receive(unsigned char *data, int length, unsigned dropped, void *unused)
{
    (void)dropped;
    (void)unused;
    uint32_t number;
    unsigned char expected[DIF_BYTES];
    memcpy(&number, data + 4, sizeof number);
    fill(expected, number);
    if (length != DIF_BYTES || memcmp(data, expected, DIF_BYTES) != 0 || number <= last)
        wrong = 1;
    if (received > 0)
        lost += number - last - 1;
    last = number;
    received++;
    return 0;
}

static raw1394handle_t open_port(int port)
{
    raw1394handle_t handle = raw1394_new_handle_on_port(port);
    if (!handle) {
        fprintf(stderr, "port %d: %s\n", port, strerror(errno));
        exit(1);
    }
    return handle;
}

static void transmit_for_ever(void)
{
    raw1394handle_t handle = open_port(0);
    iec61883_dv_t dv = iec61883_dv_xmit_init(handle, IS_PAL, transmit, NULL);
    if (!dv || iec61883_dv_xmit_start(dv, CHANNEL) != 0)
        exit(1);
    while (raw1394_loop_iterate(handle) == 0)
        ;
    exit(1);
}

static int stream(void)
{
    alarm(30);
    raw1394handle_t handle = open_port(1);
    iec61883_dv_t dv = iec61883_dv_recv_init(handle, receive, NULL);
    if (!dv || iec61883_dv_recv_start(dv, CHANNEL) != 0) {
        fprintf(stderr, "reception does not start: %s\n", strerror(errno));
        return 1;
    }
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        transmit_for_ever();
    }
    while (received < WANTED && !wrong) {
        struct pollfd entry = {.fd = raw1394_get_fd(handle), .events = POLLIN};
        if (poll(&entry, 1, 10000) != 1 || raw1394_loop_iterate(handle) != 0)
            break;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    iec61883_dv_recv_stop(dv);
    iec61883_dv_close(dv);
    raw1394_destroy_handle(handle);
    printf("%u source packets received, %u lost, %s\n", received, lost,
           wrong ? "the last one wrong" : "none wrong");
    return wrong || received < WANTED;
}

int main(void)
{
    for (int run = 0; run < RUNS; run++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            exit(stream());
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        if (status == 0)
            return 0;
    }
    return 1;
}
