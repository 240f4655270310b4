#include "hidden_line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

/* What the signal handlers need. */
static struct {
    int terminal;
    const char *prompt;
    struct termios saved;
    struct termios hidden;
    atomic_bool is_hidden; /* false once the call ends */
} current;

int hidden_line_open_cancel(void)
{
    int cancel = eventfd(0, EFD_CLOEXEC);

    return cancel < 0 ? -errno : cancel;
}

int hidden_line_cancel(int cancel)
{
    return eventfd_write(cancel, 1) == 0 ? 0 : -errno;
}

static int set_terminal(int when, const struct termios *state)
{
    int result;

    do {
        result = tcsetattr(current.terminal, when, state);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : -errno;
}

static int print(const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        struct pollfd writable = {.fd = current.terminal, .events = POLLOUT};
        ssize_t written = write(current.terminal, text, left);

        if (written > 0) {
            text += written;
            left -= (size_t)written;
        } else if (errno == EAGAIN) {
            (void)poll(&writable, 1, -1);
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

static int ask(void)
{
    int result = set_terminal(TCSAFLUSH, &current.hidden);

    return result == 0 ? print(current.prompt) : result;
}

/* A handler can report no failure: the terminal may have gone, which the read returns. */
static void stop(int signal)
{
    int error = errno;

    (void)signal;
    (void)set_terminal(TCSANOW, &current.saved);
    (void)kill(getpid(), SIGSTOP);
    errno = error;
}

static void resume(int signal)
{
    int error = errno;

    (void)signal;
    if (atomic_load(&current.is_hidden))
        (void)ask();
    if (!atomic_load(&current.is_hidden)) /* the call ended in another thread meanwhile */
        (void)set_terminal(TCSAFLUSH, &current.saved);
    errno = error;
}

/* Waits until the terminal has a line, whatever a handler discards meanwhile. */
static int await_line(int cancel, char *line, size_t capacity)
{
    struct pollfd events[] = {{.fd = current.terminal, .events = POLLIN},
                              {.fd = cancel, .events = POLLIN}};
    ssize_t got;

    do {
        while (poll(events, 2, -1) < 0)
            if (errno != EINTR)
                return -errno;
        if (events[1].revents != 0)
            return -ECANCELED;
        got = read(current.terminal, line, capacity);
    } while (got < 0 && (errno == EAGAIN || errno == EINTR));
    if (got < 0)
        return -errno;
    if (got == 0)
        return -ENODATA;
    if (line[got - 1] == '\n')
        return (int)got - 1;
    if (line[got - 1] == (char)current.saved.c_cc[VQUIT])
        return -ECANCELED;
    return (size_t)got < capacity ? (int)got : -EMSGSIZE;
}

static int read_line(int cancel, char *line, size_t capacity)
{
    struct sigaction on_stop = {.sa_handler = stop, .sa_flags = SA_RESTART};
    struct sigaction on_resume = {.sa_handler = resume, .sa_flags = SA_RESTART};
    struct sigaction former_stop;
    struct sigaction former_resume;
    int result;

    if (tcgetattr(current.terminal, &current.saved) != 0)
        return -errno;
    current.hidden = current.saved;
    current.hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
    current.hidden.c_lflag |= ICANON | ISIG;
    current.hidden.c_cc[VEOL] = current.saved.c_cc[VQUIT]; /* ends the line */
    current.hidden.c_cc[VQUIT] = _POSIX_VDISABLE;
    atomic_store(&current.is_hidden, true);
    if (sigaction(SIGTSTP, &on_stop, &former_stop) != 0 ||
        sigaction(SIGCONT, &on_resume, &former_resume) != 0)
        return -errno;
    result = ask();
    if (result == 0)
        result = await_line(cancel, line, capacity);
    atomic_store(&current.is_hidden, false);
    (void)print("\n");
    (void)set_terminal(TCSAFLUSH, &current.saved); /* what was typed must not reach the shell */
    if (sigaction(SIGTSTP, &former_stop, NULL) != 0 ||
        sigaction(SIGCONT, &former_resume, NULL) != 0)
        return -errno;
    return result;
}

int hidden_line_read(int cancel, const char *prompt, char *line, size_t capacity)
{
    int result;

    current.terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (current.terminal < 0)
        return -errno;
    current.prompt = prompt;
    result = read_line(cancel, line, capacity);
    if (close(current.terminal) != 0 && result >= 0)
        result = -errno;
    return result;
}
