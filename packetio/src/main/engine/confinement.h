/*
 * What a program gives up before a library reads what others send. If a fault of the library's
 * parser lets others run code in it, that code starts no program, writes no other file, reaches no
 * other process, and has no capability of root.
 */
#ifndef LAGBENCH_CONFINEMENT_H
#define LAGBENCH_CONFINEMENT_H

/*
 * Confines this thread and those that it creates from now on, after the captures are open. Of the
 * capabilities, the one for ports below 1024 stays. A system call that a run does not need fails
 * with EPERM, if the kernel filters system calls. Returns 0 or -errno.
 */
int confinement_begin(void);

#endif
