package org.lagbench.runner.sweep;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;

/**
 * How a run, or one of its processes, ended.
 *
 * @param sentence the error message; null after a success
 * @param member index of the run among those that run at the same time
 * @param isProgramUnfit whether the program did not start; it will not start in another run either
 */
record Outcome(ExitCode exitCode, @Nullable String sentence, int member, boolean isProgramUnfit) {
    Outcome(ExitCode exitCode, @Nullable String sentence) {
        this(exitCode, sentence, 0, false);
    }

    /** Returns the outcome of a program that did not start. */
    static Outcome unfit(String sentence) {
        return new Outcome(ExitCode.UNAVAILABLE, sentence, 0, true);
    }

    static Outcome ok() {
        return new Outcome(ExitCode.OK, null);
    }

    Outcome ofMember(int index) {
        return new Outcome(exitCode, sentence, index, isProgramUnfit);
    }

    boolean isOk() {
        return exitCode == ExitCode.OK;
    }
}
