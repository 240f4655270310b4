package org.lagbench.core.failure;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Why a process that this one starts cannot be used. Ctrl-C reaches the whole process group, and a child that has not
 * yet come so far as to ignore it, or as to end in its own way, ends by the signal; this JVM, whose handler is a
 * thread, may hear of it later.
 */
public final class ChildFailure {
    /** What the JDK says when SIGHUP, SIGINT or SIGTERM ended its jspawnhelper, which becomes the process. */
    private static final Pattern SPAWN_INTERRUPTED = Pattern.compile("spawn helper.* signal: (1|2|15)\\b");

    /** The exit codes that {@link Process} tells SIGHUP, SIGINT and SIGTERM by. */
    private static final Set<Integer> SIGNALLED = Set.of(128 + 1, 128 + 2, 128 + 15);

    private ChildFailure() {}

    /**
     * One that could not be started: {@link ExitCode#INTERRUPTED} if a signal had come, else
     * {@link ExitCode#UNAVAILABLE}.
     *
     * @param sentence what cannot be done, without a full stop: "The receiver cannot be started"
     * @param failure what {@link ProcessBuilder#start} threw
     */
    public static LagbenchException notStarted(String sentence, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        ExitCode exitCode = SPAWN_INTERRUPTED.matcher(message).find() ? ExitCode.INTERRUPTED : ExitCode.UNAVAILABLE;
        return new LagbenchException(exitCode, sentence + ": " + message + ".", failure);
    }

    /**
     * One that ended before it could be used, or is to: {@link ExitCode#INTERRUPTED} if a signal had come, else as
     * told. Closes its standard input, with which it is to end at the latest, and waits for that.
     *
     * @param otherwise the exit code if no signal had come
     * @param message what happened then
     */
    public static LagbenchException ended(Process process, ExitCode otherwise, String message) {
        closeInput(process);
        return isInterrupted(Uninterruptibly.awaitEnd(process))
                ? new LagbenchException(ExitCode.INTERRUPTED, "Interrupted")
                : new LagbenchException(otherwise, message);
    }

    private static void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // nobody reads what was left in it, so that it has ended
        }
    }

    /** Whether a process with that exit code was ended by SIGHUP, SIGINT or SIGTERM. */
    public static boolean isInterrupted(int exitCode) {
        return SIGNALLED.contains(exitCode);
    }
}
