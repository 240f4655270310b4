package org.lagbench.runner.sweep;

import java.io.PrintWriter;
import java.time.Duration;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;

/**
 * Shows the progress of a sweep. One thread calls it, but any thread may call {@link #note} and {@link #interval}. By
 * default it shows only errors.
 */
public interface Progress extends AutoCloseable {
    /** Returns a progress that also writes the notes, unless it is quiet. */
    static Progress lines(PrintWriter out, boolean quiet) {
        return quiet
                ? out::println
                : new Progress() {
                    @Override
                    public void note(String sentence) {
                        error(sentence);
                    }

                    @Override
                    public void error(String sentence) {
                        out.println(sentence);
                    }
                };
    }

    /** Shows that a run, or several at the same time, has started. */
    default void started(RunGroup run) {}

    /** Shows that the started run has ended; {@code result} is one or two words. */
    default void ended(RunGroup run, String result, Duration taken, Duration remaining) {}

    /** Returns whether it shows the figures of each second and of each complete run, which take CPU time. */
    default boolean showsFigures() {
        return false;
    }

    /** Shows the figures of a second of a run. */
    default void interval(RunSpec run, LiveInterval interval) {}

    /** Shows the figures of the complete run that has just ended. */
    default void figures(RunSpec run, Summary summary) {}

    /** Shows a sentence, such as what the run waits for. */
    default void note(String sentence) {}

    /** Shows that something failed, even if the progress is quiet. */
    void error(String sentence);

    /** Shows that all runs have ended, and how many of the experiment's are complete. */
    default void finished(ExitCode exitCode, int complete, int all) {}

    @Override
    default void close() {}
}
