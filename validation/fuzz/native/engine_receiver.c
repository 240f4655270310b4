/* The conversation of a receiver that has received nothing: the lines of its input. A command to
 * drain looks for packets a few times, then the thread that receives ends. */
#include "receiver.c"

#include <stdarg.h>

#include "check.h"
#include "fuzz.h"

static struct options options = {.batch = 1, .packet_bytes = 24, .packets = 1, .is_stream = true};
static struct receiver fuzzed = {.options = &options,
                                 .loop = {.listening = -1, .fd = -1, .accounting.packets = 1}};
static int checks_left;

/* These replace the worker's thread. */
int worker_make(struct worker *worker, void (*work)(void *of), void *of, _Atomic bool *stopped)
{
    *worker = (struct worker){.work = work, .of = of, .stopped = stopped};
    return 0;
}

void worker_begin(struct worker *worker)
{
    (void)worker;
}

bool worker_is_working(struct worker *worker)
{
    (void)worker;
    return checks_left-- > 0;
}

void worker_stop(struct worker *worker)
{
    (void)worker;
}

/* These replace the protocol, whose lines the sender's target reads. */
static struct input lines;

void print_status(const char *format, ...)
{
    char line[4096];
    va_list arguments;

    va_start(arguments, format);
    CHECK(vsnprintf(line, sizeof line, format, arguments) < (int)sizeof line);
    va_end(arguments);
}

int print_address(const char *name, int fd, bool of_peer)
{
    (void)name, (void)fd, (void)of_peer;
    return -EBADF;
}

int print_port(int fd)
{
    (void)fd;
    return -EBADF;
}

bool read_command(char command[MAXIMUM_COMMAND])
{
    size_t length = 0;

    while (lines.left > 0 && length < MAXIMUM_COMMAND - 1) {
        char next = (char)input_byte(&lines);

        if (next == '\n' || next == '\0')
            break;
        command[length++] = next;
    }
    command[length] = '\0';
    checks_left = 3;
    return length > 0 || lines.left > 0;
}

bool await_command_ms(int milliseconds)
{
    (void)milliseconds;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzzed.worker.thread = pthread_self();
    lines = (struct input){data, size};
    handle_commands(&fuzzed);
    return 0;
}
