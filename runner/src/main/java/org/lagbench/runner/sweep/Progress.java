package org.lagbench.runner.sweep;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;

/**
 * Shows the progress of a sweep, by default in several other ways at once. One thread calls it, but any thread may call
 * {@link #note} and {@link #interval}.
 */
public class Progress implements AutoCloseable {
    private final List<Progress> parts;

    Progress(Progress... parts) {
        this.parts = List.of(parts);
    }

    /** Returns a progress that writes the errors, and unless it is quiet the notes. */
    public static Progress lines(PrintWriter out, boolean quiet) {
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

    /** Shows that a run, or several at the same time, has started. */
    public void started(RunGroup run) {
        parts.forEach(part -> part.started(run));
    }

    /** Shows that the started run has ended; {@code result} is one or two words. */
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        parts.forEach(part -> part.ended(run, result, taken, remaining));
    }

    /** Returns whether it shows the figures of each second and of each complete run, which take CPU time. */
    public boolean showsFigures() {
        return parts.stream().anyMatch(Progress::showsFigures);
    }

    /** Shows the figures of a second of a run. */
    public void interval(RunSpec run, LiveInterval interval) {
        parts.forEach(part -> part.interval(run, interval));
    }

    /** Shows the figures of the complete run that has just ended. */
    public void figures(RunSpec run, Summary summary) {
        parts.forEach(part -> part.figures(run, summary));
    }

    /** Shows a sentence, such as what the run waits for. */
    public void note(String sentence) {
        parts.forEach(part -> part.note(sentence));
    }

    /** Shows that something failed, even if the progress is quiet. */
    public void error(String sentence) {
        parts.forEach(part -> part.error(sentence));
    }

    /** Shows that all runs have ended, and how many of the experiment's are complete. */
    public void finished(ExitCode exitCode, int complete, int all) {
        parts.forEach(part -> part.finished(exitCode, complete, all));
    }

    @Override
    public void close() {
        parts.forEach(Progress::close);
    }
}
