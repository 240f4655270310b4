package org.lagbench.core.clock;

import org.jspecify.annotations.Nullable;

/** chronyd did not tell. The message is the reason as a clause: "its port is closed". */
public final class ChronyException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        /** Nothing came back in time. */
        NO_ANSWER,
        /** chronyd answered, and refused. */
        REFUSED,
        /** Something answered that is not chronyd, or not one that lagbench understands. */
        NOT_UNDERSTOOD
    }

    private final Kind kind;

    ChronyException(Kind kind, String reason) {
        this(kind, reason, null);
    }

    ChronyException(Kind kind, String reason, @Nullable Throwable cause) {
        super(reason, cause);
        this.kind = kind;
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }

    /** The message, never null. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
