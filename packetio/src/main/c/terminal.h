/* The size of a terminal. */
#ifndef LAGBENCH_TERMINAL_H
#define LAGBENCH_TERMINAL_H

/* Returns the columns of the terminal of a file descriptor, 0 if unknown, or -errno. */
int terminal_columns(int fd);

#endif
