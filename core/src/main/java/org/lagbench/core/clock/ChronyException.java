package org.lagbench.core.clock;

import org.jspecify.annotations.Nullable;

/** chronyd did not report its state. The message is the reason as a clause: "the command port of chronyd is closed". */
public final class ChronyException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The kinds of failures. */
    public enum Kind {
        /** No reply arrived in time. */
        NO_ANSWER,
        /** chronyd refused the request. */
        REFUSED,
        /** The reply is not one of a chronyd that lagbench supports. */
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

    public Kind kind() {
        return kind;
    }

    /** Returns the message, never null. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
