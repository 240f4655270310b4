/* The kernel's notice that CLOCK_REALTIME was set (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). */
#ifndef LAGBENCH_CLOCK_SET_NOTICE_H
#define LAGBENCH_CLOCK_SET_NOTICE_H

/* A descriptor that is told of every time the clock is set from now on, to be closed by close(2);
 * or -errno. */
int clock_set_notice_open(void);

/*
 * Waits until the clock is set, if it was not since it was last told of. Returns 1; 0 once the
 * waiting was ended, which being set at the same time may hide; or -errno.
 */
int clock_set_notice_await(int fd);

/* Ends the waiting, that which goes on or the next. Returns 0 or -errno. */
int clock_set_notice_end(int fd);

#endif
