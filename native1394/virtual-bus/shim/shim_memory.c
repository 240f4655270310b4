#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim.h"

/* If a sandbox forbids process_vm_readv(2), a bad pointer ends the program. */
static int memory_result(ssize_t copied, size_t length, void *target, const void *source)
{
    if (copied == (ssize_t)length)
        return 0;
    if (copied >= 0 || (errno != EPERM && errno != ENOSYS))
        return -EFAULT;
    memcpy(target, source, length);
    return 0;
}

static struct iovec memory_part(const void *start, size_t length)
{
    return (struct iovec){.iov_base = (void *)(size_t)start, .iov_len = length};
}

#define PAGE_BYTES 4096u /* the page size, or a divisor of it */
#define PAGES_REMEMBERED 8u

/*
 * Recently valid pages. A program passes the same few structures again and again, so most copies
 * need no system call. A program that unmaps a page and then passes it crashes where the kernel
 * would return EFAULT.
 */
static _Thread_local uintptr_t pages_readable[PAGES_REMEMBERED];
static _Thread_local uintptr_t pages_writable[PAGES_REMEMBERED];

static uintptr_t memory_page(const void *address, size_t length)
{
    uintptr_t first = (uintptr_t)address / PAGE_BYTES;
    uintptr_t last = ((uintptr_t)address + length - 1) / PAGE_BYTES;
    return first == last ? first : 0;
}

static bool memory_is_known(const uintptr_t *pages, uintptr_t page)
{
    return page != 0 && pages[page % PAGES_REMEMBERED] == page;
}

/* Copies from or to the program's memory at `remote_address`, which is source or target. */
static int memory_copy(void *target, const void *source, size_t length, const void *remote_address,
                       uintptr_t pages[PAGES_REMEMBERED], __typeof__(process_vm_readv) *call)
{
    if (length == 0)
        return 0;
    uintptr_t page = memory_page(remote_address, length);
    if (memory_is_known(pages, page)) {
        memcpy(target, source, length);
        return 0;
    }
    const void *local_address = remote_address == target ? source : target;
    const struct iovec local = memory_part(local_address, length);
    const struct iovec remote = memory_part(remote_address, length);
    int result = memory_result(call(getpid(), &local, 1, &remote, 1, 0), length, target, source);
    if (result == 0)
        pages[page % PAGES_REMEMBERED] = page;
    return result;
}

int shim_copy_from_user(void *target, const void *source, size_t length)
{
    return memory_copy(target, source, length, source, pages_readable, process_vm_readv);
}

int shim_copy_to_user(void *target, const void *source, size_t length)
{
    return memory_copy(target, source, length, target, pages_writable, process_vm_writev);
}
