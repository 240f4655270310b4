package org.lagbench.cli.sweep;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;

/**
 * How a run, or a process of it, ended.
 *
 * @param exitCode what it amounts to
 * @param sentence what the user shall read; null if all went well
 */
record Outcome(ExitCode exitCode, @Nullable String sentence) {
    static Outcome ok() {
        return new Outcome(ExitCode.OK, null);
    }

    boolean isOk() {
        return exitCode == ExitCode.OK;
    }
}
