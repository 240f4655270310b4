package org.lagbench.cli.sweep;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;

/**
 * How a run, or a process of it, ended.
 *
 * @param exitCode what it amounts to
 * @param sentence what the user shall read; null if all went well
 * @param member of which of the runs that are made at the same time, from 0
 * @param programUnfit whether the program itself could not start: it will not in another run either
 */
record Outcome(ExitCode exitCode, @Nullable String sentence, int member, boolean programUnfit) {
    Outcome(ExitCode exitCode, @Nullable String sentence) {
        this(exitCode, sentence, 0, false);
    }

    /** A program that did not come as far as its own beginning. */
    static Outcome unfit(String sentence) {
        return new Outcome(ExitCode.UNAVAILABLE, sentence, 0, true);
    }

    static Outcome ok() {
        return new Outcome(ExitCode.OK, null);
    }

    /** The same, of that run of those that are made at the same time. */
    Outcome ofMember(int index) {
        return new Outcome(exitCode, sentence, index, programUnfit);
    }

    boolean isOk() {
        return exitCode == ExitCode.OK;
    }
}
