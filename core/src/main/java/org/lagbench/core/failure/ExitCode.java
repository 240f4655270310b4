package org.lagbench.core.failure;

import org.jspecify.annotations.Nullable;

/** The exit codes of every lagbench program. Scripts depend on them. */
public enum ExitCode {
    OK(0, "everything requested was done"),
    INTERNAL(1, "an error in lagbench; please report it"),
    USAGE(2, "wrong command line, experiment file or setting"),
    PEER(3, "the receiver could not be reached, or refused the run"),
    KEY(4, "the shared key is missing or wrong"),
    UNAVAILABLE(5, "this machine lacks what the run needs (port taken, no bus, no permission)"),
    BROKEN(6, "a run failed, and its stamps so far are kept; or no packet of a run arrived, or no reply"),
    FILES(
            7,
            "a file could not be read or written (disk full, no permission), or is damaged; or no run of a session is"
                    + " left to show"),
    CLOCK(8, "the clocks may be further apart than the experiment allows"),
    MISSED(9, "a requirement is missed, or a compared point is worse"),
    UNDECIDED(10, "none is missed or worse, but one is undecided, such as after too few repeats or missing runs"),
    INTERRUPTED(130, "interrupted; finished runs and the stamps so far are kept");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** Returns how a program of lagbench ended, from the exit code of its process; an unknown code is a failed run. */
    public static ExitCode ofProcess(int code) {
        for (ExitCode exitCode : values()) {
            if (exitCode.code == code) {
                return exitCode;
            }
        }
        return ChildFailure.isInterrupted(code) ? INTERRUPTED : BROKEN;
    }

    public int code() {
        return code;
    }

    /** Returns a failure with this exit code. */
    public LagbenchException failure(String sentence) {
        return failure(sentence, null);
    }

    /** Returns a failure with this exit code and a cause. */
    public LagbenchException failure(String sentence, @Nullable Throwable cause) {
        return new LagbenchException(this, sentence, cause);
    }

    /** Returns one line for the help text. */
    public String meaning() {
        return meaning;
    }
}
