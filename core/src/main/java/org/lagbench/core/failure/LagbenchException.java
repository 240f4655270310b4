package org.lagbench.core.failure;

import org.jspecify.annotations.Nullable;

/**
 * A failure that the user can understand and fix. The message is a whole sentence: what was wrong, where, and what to
 * do. Programs print it without a stack trace and end with {@link #exitCode()}.
 */
public class LagbenchException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    public LagbenchException(ExitCode exitCode, String message) {
        this(exitCode, message, null);
    }

    public LagbenchException(ExitCode exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    /** Returns the message, never null. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
