package org.lagbench.cli.sweep;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;

/**
 * How a run, or a process of it, ended.
 *
 * @param exitCode what it amounts to
 * @param sentence what the user shall read; null if all went well
 * @param programUnfit whether the program itself could not start: it will not in another run either
 */
record Outcome(ExitCode exitCode, @Nullable String sentence, boolean programUnfit) {
    Outcome(ExitCode exitCode, @Nullable String sentence) {
        this(exitCode, sentence, false);
    }

    /** A program that did not come as far as its own beginning. */
    static Outcome unfit(String sentence) {
        return new Outcome(ExitCode.UNAVAILABLE, sentence, true);
    }

    static Outcome ok() {
        return new Outcome(ExitCode.OK, null);
    }

    boolean isOk() {
        return exitCode == ExitCode.OK;
    }
}
