package org.lagbench.core.control;

import org.lagbench.core.failure.ExitCode;

/** Why a receiver refuses or ends a run. The exit code of the sender follows from it: a peer can choose no other. */
public enum Refusal {
    /** The receiver uses another version of the protocol. */
    VERSION(ExitCode.PEER),
    /** The sender's key is missing or wrong. */
    KEY(ExitCode.KEY),
    /** The receiver serves others. */
    BUSY(ExitCode.PEER),
    /** The receiver does not accept the run. */
    RUN(ExitCode.PEER),
    /** A setting of the run is wrong. */
    SETTING(ExitCode.USAGE),
    /** The receiver's host lacks what the run needs. */
    UNAVAILABLE(ExitCode.UNAVAILABLE),
    /** A file of the receiver cannot be written. */
    FILES(ExitCode.FILES),
    /** The run failed at the receiver. */
    FAILED(ExitCode.BROKEN),
    /** The receiver was interrupted. */
    INTERRUPTED(ExitCode.INTERRUPTED);

    private final ExitCode exitCode;

    Refusal(ExitCode exitCode) {
        this.exitCode = exitCode;
    }

    /** Returns the exit code of the refused sender, never {@link ExitCode#OK}. */
    public ExitCode exitCode() {
        return exitCode;
    }

    /** Returns the reason that fits a failure of the receiver. */
    public static Refusal of(ExitCode failure) {
        return switch (failure) {
            case USAGE -> SETTING;
            case KEY -> KEY;
            case UNAVAILABLE -> UNAVAILABLE;
            case FILES -> FILES;
            case BROKEN -> FAILED;
            case INTERRUPTED -> INTERRUPTED;
            case OK, INTERNAL, PEER, CLOCK, MISSED, UNDECIDED -> RUN;
        };
    }

    /** Returns whether it may end a session before the receiver has proven that it has the key. */
    boolean isBeforeProof() {
        return this == VERSION || this == KEY || this == BUSY;
    }
}
