package org.lagbench.cli.sweep;

import java.io.PrintWriter;
import java.time.Duration;
import org.lagbench.analysis.live.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.report.live.StreamEvents;

/** Writes the progress as events, a JSON object per line. Thread-safe. */
final class EventProgress implements Progress {
    private final PrintWriter out;

    /**
     * Writes the first event.
     *
     * @param out flushes after each line
     * @param runs how many runs, or groups of concurrent runs, will be made
     */
    EventProgress(PrintWriter out, Execution execution, int runs) {
        this.out = out;
        out.println(StreamEvents.start(
                execution.experiment().name(), execution.session().directory().toString(), runs));
    }

    @Override
    public void started(RunGroup run) {
        run.runs().forEach(member -> out.println(StreamEvents.runStart(member)));
    }

    @Override
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        run.runs().forEach(member -> out.println(StreamEvents.runEnd(member, result, taken.toMillis() / 1e3)));
    }

    @Override
    public boolean showsFigures() {
        return true;
    }

    @Override
    public void interval(RunSpec run, LiveInterval interval) {
        out.println(StreamEvents.interval(run, interval));
    }

    @Override
    public void figures(RunSpec run, Summary summary) {
        out.println(StreamEvents.figures(run, summary));
    }

    @Override
    public void note(String sentence) {
        out.println(StreamEvents.note(sentence));
    }

    @Override
    public void error(String sentence) {
        out.println(StreamEvents.error(sentence));
    }

    @Override
    public void finished(ExitCode exitCode, int complete, int all) {
        out.println(StreamEvents.end(exitCode.code(), complete, all));
    }
}
