package org.lagbench.core.failure;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Explains why a child process cannot be used. Ctrl-C reaches the whole process group. It kills a child that has not
 * yet installed its handler, possibly before this JVM's handler runs.
 */
public final class ChildFailure {
    /**
     * The JDK's message when SIGHUP, SIGINT or SIGTERM ended jspawnhelper, the JDK's program that becomes the process.
     */
    private static final Pattern SPAWN_INTERRUPTED = Pattern.compile("spawn helper.* signal: (1|2|15)\\b");

    /** The exit codes of {@link Process} for SIGHUP, SIGINT and SIGTERM. */
    private static final Set<Integer> SIGNALLED = Set.of(128 + 1, 128 + 2, 128 + 15);

    /** SIGILL, SIGABRT, SIGBUS, SIGFPE and SIGSEGV, by which a process ends itself or by an own instruction. */
    private static final Set<Integer> FAULTS = Set.of(4, 6, 7, 8, 11);

    private ChildFailure() {}

    /**
     * Returns the failure of a process that could not be started: {@link ExitCode#INTERRUPTED} after a signal, else
     * {@link ExitCode#UNAVAILABLE}.
     *
     * @param sentence what failed, without a period: "The receiver cannot be started"
     * @param failure what {@link ProcessBuilder#start} threw
     */
    public static LagbenchException notStarted(String sentence, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        ExitCode exitCode = SPAWN_INTERRUPTED.matcher(message).find() ? ExitCode.INTERRUPTED : ExitCode.UNAVAILABLE;
        return exitCode.failure(sentence + ": " + message + ".", failure);
    }

    /**
     * Closes the standard input of a process, waits until the process has ended, and returns its failure:
     * {@link ExitCode#INTERRUPTED} after a signal, else the one given.
     *
     * @param otherwise the exit code without a signal
     * @param message the message without a signal
     */
    public static LagbenchException ended(Process process, ExitCode otherwise, String message) {
        closeInput(process);
        return isInterrupted(Uninterruptibly.awaitEnd(process))
                ? ExitCode.INTERRUPTED.failure("Interrupted")
                : otherwise.failure(message);
    }

    private static void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // the process has ended and reads no more
        }
    }

    /**
     * Returns how a process ended, for a message: "by signal 9: …" or "with exit code 1".
     *
     * @param reason where the reason is, appended to an exit code
     */
    public static String ending(int exitCode, String reason) {
        if (exitCode <= 128) {
            return "with exit code " + exitCode + reason;
        }
        int signal = exitCode - 128;
        return "by signal " + signal
                + (FAULTS.contains(signal)
                        ? ": a fault of it or of a library that it uses, unless another program sent the signal"
                        : ": another program or the kernel ended it, such as for lack of memory (journalctl -k)");
    }

    /** Returns whether SIGHUP, SIGINT or SIGTERM ended a process with this exit code. */
    public static boolean isInterrupted(int exitCode) {
        return SIGNALLED.contains(exitCode);
    }
}
