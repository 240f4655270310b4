/* The preloaded library between a program and a daemon: ioctls with any argument, whose pointers
 * may lead into the program's memory, and any reply of the daemon. */
#define ioctl fuzzed_ioctl
#include "shim_ioctl.c"
#undef ioctl

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "fuzz.h"

enum { MEMORY_BYTES = 4096, CALLS_MAX = 16, REPLY_BYTES = 1024 };

/* A word of an argument with this top half is a pointer into the program's memory. */
static const uint64_t POINTER = 0xfeed0000;

static struct shim_device device = {.lock = PTHREAD_MUTEX_INITIALIZER};
static uint8_t *memory;
static int daemon_fd;

/* These replace the table of devices, which has one device here. */
struct shim_device *shim_device_get_or_attach(int fd)
{
    (void)fd;
    return &device;
}

void shim_device_put(struct shim_device *of)
{
    (void)of;
}

bool shim_device_may_be(int fd)
{
    (void)fd;
    return true;
}

int shim_device_hide(int fd)
{
    return fd;
}

void shim_device_close_hidden(int fd)
{
    (void)fd;
}

int shim_connect_running(void)
{
    return -1;
}

int shim_connect(void)
{
    return -1;
}

/* Replaces the copies, which would find the sanitizer's own memory valid. Only that of the program
 * is valid: its memory and the argument. */
static uint64_t words[BUS_WIRE_ARGUMENT_MAX / 8];

static bool is_within(const void *part, size_t length, const void *whole, size_t whole_length)
{
    uintptr_t offset = (uintptr_t)part - (uintptr_t)whole;

    return offset <= whole_length && length <= whole_length - offset;
}

static bool is_valid(const void *part, size_t length)
{
    return is_within(part, length, memory, MEMORY_BYTES) ||
           is_within(part, length, words, sizeof words);
}

int shim_copy_from_user(void *target, const void *source, size_t length)
{
    if (!is_valid(source, length))
        return -EFAULT;
    memcpy(target, source, length);
    return 0;
}

int shim_copy_to_user(void *target, const void *source, size_t length)
{
    if (!is_valid(target, length))
        return -EFAULT;
    memcpy(target, source, length);
    return 0;
}

static void begin(void)
{
    static struct bus_life life = {.thread = 1};
    int pair[2];

    if (memory != NULL)
        return;
    memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    device.ring =
        mmap(NULL, sizeof *device.ring, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED && device.ring != MAP_FAILED);
    CHECK_EQUAL(bus_ring_initialize(device.ring, FW_CDEV_ISO_CONTEXT_TRANSMIT, 8), 0);
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
    device.life = &life;
    device.process = getpid();
    device.control = pair[0];
    device.control_inode = shim_control_inode(pair[0]);
    daemon_fd = pair[1];
}

/* Replaces the marked words of the argument by pointers. */
static void place_pointers(void)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i] >> 32 == POINTER)
            words[i] = (uint64_t)(uintptr_t)memory + words[i] % (MEMORY_BYTES + 64);
}

static void queue_reply(struct input *input)
{
    struct bus_reply reply = {.result = (int8_t)input_byte(input)};
    uint8_t data[REPLY_BYTES];
    uint8_t count = input_byte(input);
    struct iovec parts[] = {{&reply, sizeof reply}, {data, count}};

    input_read(input, reply.argument, count % (BUS_WIRE_ARGUMENT_MAX + 1));
    input_read(input, data, count);
    (void)sendmsg(daemon_fd, &(struct msghdr){.msg_iov = parts, .msg_iovlen = 2}, MSG_DONTWAIT);
}

static void call(struct input *input)
{
    uint8_t number = input_byte(input), size = input_byte(input);
    uint8_t kind = input_byte(input);
    unsigned long request = _IOC(kind & 3u, '#', number, size % (sizeof words + 1));

    memset(words, 0, sizeof words);
    input_read(input, words, size % (sizeof words + 1));
    place_pointers();
    if ((kind & 4) != 0)
        input_read(input, memory, (size_t)input_byte(input) * 4);
    device.ring->context_type = kind >> 3 & 3;
    device.buffer_length = (kind & 0x20) != 0 ? 4096 : 0;
    device.ring->tail = device.ring->head - ((kind & 0x40) != 0 ? BUS_RING_CAPACITY - 16 : 0);
    (void)ioctl_device(&device, daemon_fd, request,
                       (kind & 0x80) != 0 ? (void *)(uintptr_t)words[0] : words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};

    begin();
    for (int calls = 0; calls < CALLS_MAX && input.left > 0; calls++) {
        queue_reply(&input);
        call(&input);
        drain_socket(device.control);
        drain_socket(daemon_fd);
    }
    return 0;
}
