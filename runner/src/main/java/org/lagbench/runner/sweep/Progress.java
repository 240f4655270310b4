package org.lagbench.runner.sweep;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.LiveRun.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunSpec;

/**
 * Receives the progress of a sweep. One thread calls it, but any thread may call {@link #note} and {@link #interval}.
 */
public interface Progress extends AutoCloseable {
    /** The result of a complete run in {@link #ended}. */
    String DONE = "done";

    /** Starts to show a sweep. */
    @FunctionalInterface
    interface Starter {
        /**
         * Starts to show a sweep.
         *
         * @param missing how many runs will be made, as far as is known
         * @param remaining returns the remaining time of these runs; callable on any thread
         */
        Progress start(int missing, Supplier<Duration> remaining);
    }

    /** Returns a progress that writes the errors, and unless it is quiet the notes. */
    static Progress lines(PrintWriter out, boolean quiet) {
        return new Progress() {
            @Override
            public void note(String sentence) {
                if (!quiet) {
                    error(sentence);
                }
            }

            @Override
            public void error(String sentence) {
                out.println(sentence);
            }
        };
    }

    /** Receives a sentence, such as what the run waits for. */
    void note(String sentence);

    /** Receives that something failed, even if the progress is quiet. */
    void error(String sentence);

    /** Receives how to continue runs that are not all complete, or what is kept of them, after the last one. */
    default void unfinished(String sentence) {
        error(sentence);
    }

    /** Receives that a run, or several at the same time, has started. */
    default void started(RunSpec.RunGroup run) {}

    /** Receives that the started run has ended; {@code result} is one or two words. */
    default void ended(RunSpec.RunGroup run, String result, Duration taken, Duration remaining) {}

    /** Returns which metrics this progress shows of each complete run; null for none, which saves their CPU time. */
    default @Nullable SummaryOptions shownMetrics() {
        return null;
    }

    /** Returns whether this progress shows the metrics of each second of a run, which take CPU time. */
    default boolean showsSeconds() {
        return false;
    }

    /** Receives the metrics of a second of a run. */
    default void interval(RunSpec run, LiveInterval interval) {}

    /** Receives the {@link #shownMetrics} of the complete run that has just ended. */
    default void metrics(RunSpec run, Summary summary) {}

    /** Receives that all runs have ended, and how many of the experiment's are complete. */
    default void finished(ExitCode exitCode, int complete, int all) {}

    @Override
    default void close() {}
}
