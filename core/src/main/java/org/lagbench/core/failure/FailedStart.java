package org.lagbench.core.failure;

import java.io.IOException;
import java.util.regex.Pattern;

/** Why a process could not be started. */
public final class FailedStart {
    /**
     * What the JDK says when its jspawnhelper, which becomes the process, was ended by SIGHUP, SIGINT or SIGTERM: Ctrl-C
     * reaches the whole process group, and this JVM, whose handler is a thread, may hear of it later.
     */
    private static final Pattern INTERRUPTED = Pattern.compile("spawn helper.* signal: (1|2|15)\\b");

    private FailedStart() {}

    /**
     * The exit code of a failure.
     *
     * @param failure what {@link ProcessBuilder#start} threw
     * @return {@link ExitCode#INTERRUPTED} if a signal had come, else {@link ExitCode#UNAVAILABLE}
     */
    public static ExitCode exitCode(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return INTERRUPTED.matcher(message).find() ? ExitCode.INTERRUPTED : ExitCode.UNAVAILABLE;
    }
}
