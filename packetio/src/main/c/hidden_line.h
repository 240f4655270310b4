/*
 * Reads a line, such as a key, from the terminal that controls this process, without echo. The echo
 * is on only while the process is stopped and after the call, whatever signal arrives.
 */
#ifndef LAGBENCH_HIDDEN_LINE_H
#define LAGBENCH_HIDDEN_LINE_H

#include <stddef.h>

/* Returns a descriptor to cancel a call by, to be closed by close(2), or -errno. */
int hidden_line_open_cancel(void);

/* Cancels the current or next call. For any thread. Returns 0 or -errno. */
int hidden_line_cancel(int cancel);

/*
 * Prints the prompt and waits for a line; prints it again when the process continues after a stop,
 * which discards what was typed. The terminal's QUIT character, for which a JVM would print all its
 * threads, cancels the call. One call at a time.
 *
 * Returns the length of the line without its end, -ECANCELED once canceled, -ENODATA at the end of
 * the input, -ENXIO if no terminal controls the process, -EMSGSIZE for a longer line, or -errno.
 */
int hidden_line_read(int cancel, const char *prompt, char *line, size_t capacity);

#endif
