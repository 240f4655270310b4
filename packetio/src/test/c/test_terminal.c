/* The columns of a terminal, before and after it is resized. */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"

TEST(it_returns_the_present_columns)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_row = 24, .ws_col = 132};

    CHECK_EQUAL(terminal >= 0, true);
    CHECK_EQUAL(terminal_columns(terminal), 0);
    CHECK_EQUAL(ioctl(terminal, TIOCSWINSZ, &size), 0);
    CHECK_EQUAL(terminal_columns(terminal), 132);
    size.ws_col = 57;
    CHECK_EQUAL(ioctl(terminal, TIOCSWINSZ, &size), 0);
    CHECK_EQUAL(terminal_columns(terminal), 57);
    CHECK_EQUAL(close(terminal), 0);
}

TEST(a_pipe_has_no_columns)
{
    int ends[2];

    CHECK_EQUAL(pipe(ends), 0);
    CHECK_EQUAL(terminal_columns(ends[1]), -ENOTTY);
    CHECK_EQUAL(close(ends[0]), 0);
    CHECK_EQUAL(close(ends[1]), 0);
    CHECK_EQUAL(terminal_columns(ends[1]), -EBADF);
}

int main(void)
{
    return run_tests();
}
