package org.lagbench.core.failure;

import org.jspecify.annotations.Nullable;

/**
 * Something the user can understand and mend. The message is a whole sentence: what was wrong, where, and what to do.
 * Programs print the message alone, without a stack trace, and end with {@link #exitCode()}.
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

    /** How a program that meets this failure ends. */
    public ExitCode exitCode() {
        return exitCode;
    }

    /** The message, never null. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
