#include "bus_life.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bus_wire.h"

static struct bus_life *life;

int bus_life_begin(void)
{
    /* Replaces the C library's list of robust mutexes, because the daemon locks none. */
    static struct robust_list_head robust_futexes = {
        .futex_offset =
            (long)(offsetof(struct bus_life, thread) - offsetof(struct bus_life, entry))};
    int fd = memfd_create("lagbench-bus-life", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -errno;
    if (ftruncate(fd, sizeof *life) == 0)
        life = mmap(NULL, sizeof *life, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (life == NULL || life == MAP_FAILED ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) !=
            0)
        return -errno;
    life->entry.next = &robust_futexes.list;
    robust_futexes.list.next = &life->entry;
    atomic_store(&life->thread, (uint32_t)gettid());
    return syscall(SYS_set_robust_list, &robust_futexes, sizeof robust_futexes) == 0 ? fd : -errno;
}

void bus_life_end(void)
{
    if (life != NULL)
        atomic_store(&life->thread, 0);
}
