#include "relay_tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/if_tun.h>

static int relay_tap_fail(const char *what, const char *which)
{
    int error = errno;

    fprintf(stderr, "lagbench-relay: %s %s: %s\n", what, which, strerror(error));
    return -error;
}

/* Creates the device in the thread's current namespace. */
static int relay_tap_create(const char *device)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};

    if (strlen(device) >= sizeof request.ifr_name) {
        errno = ENAMETOOLONG;
        return relay_tap_fail("cannot create device", device);
    }
    strcpy(request.ifr_name, device);
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return relay_tap_fail("cannot open", "/dev/net/tun");
    if (ioctl(fd, TUNSETIFF, &request) < 0) {
        int failure = relay_tap_fail("cannot create device", device);
        (void)close(fd);
        return failure;
    }
    return fd;
}

int relay_tap_open(const char *network_namespace, const char *device)
{
    char path[PATH_MAX];
    int tap = -1;

    if (snprintf(path, sizeof path, "/run/netns/%s", network_namespace) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return relay_tap_fail("cannot enter namespace", network_namespace);
    }
    int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    if (own < 0)
        return relay_tap_fail("cannot open", "/proc/thread-self/ns/net");
    int other = open(path, O_RDONLY | O_CLOEXEC);
    if (other < 0) {
        tap = relay_tap_fail("cannot open namespace", path);
    } else if (setns(other, CLONE_NEWNET) < 0) {
        tap = relay_tap_fail("cannot enter namespace", path);
    } else {
        tap = relay_tap_create(device);
        if (setns(own, CLONE_NEWNET) < 0) {
            if (tap >= 0)
                (void)close(tap);
            tap = relay_tap_fail("cannot leave namespace", path);
        }
    }
    if (other >= 0)
        (void)close(other);
    (void)close(own);
    return tap;
}
