package org.lagbench.cli;

import java.time.Duration;
import java.util.function.Consumer;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.report.table.RunRows;
import org.lagbench.report.table.StreamEvents;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.Progress;

/**
 * Reports the progress as events, each a JSON object on a line, in addition to another progress. Thread-safe if both
 * are.
 *
 * @param events receives all events but those of seconds
 * @param seconds receives the metrics of each second of a run
 */
record EventProgress(Progress other, Consumer<String> events, Consumer<String> seconds) implements Progress {
    /**
     * Reports the first event.
     *
     * @param runs how many runs, or groups of concurrent runs, will be made
     */
    EventProgress begin(Execution execution, int runs, Duration remaining) {
        events.accept(StreamEvents.start(
                execution.experiment().name(), execution.session().directory().toString(), runs, seconds(remaining)));
        return this;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    @Override
    public void started(RunGroup run) {
        other.started(run);
        run.runs().forEach(member -> events.accept(StreamEvents.runStart(member)));
    }

    @Override
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        other.ended(run, result, taken, remaining);
        run.runs()
                .forEach(member ->
                        events.accept(StreamEvents.runEnd(member, result, seconds(taken), seconds(remaining))));
    }

    @Override
    public SummaryOptions shownFigures() {
        return RunRows.OPTIONS;
    }

    @Override
    public void interval(RunSpec run, LiveInterval interval) {
        other.interval(run, interval);
        seconds.accept(StreamEvents.interval(run, interval));
    }

    @Override
    public void figures(RunSpec run, Summary summary) {
        other.figures(run, summary);
        events.accept(StreamEvents.figures(run, summary));
    }

    @Override
    public void note(String sentence) {
        other.note(sentence);
        events.accept(StreamEvents.note(sentence));
    }

    @Override
    public void error(String sentence) {
        other.error(sentence);
        events.accept(StreamEvents.error(sentence));
    }

    @Override
    public void finished(ExitCode exitCode, int complete, int all) {
        other.finished(exitCode, complete, all);
        events.accept(StreamEvents.end(exitCode.code(), complete, all));
    }

    @Override
    public void close() {
        other.close();
    }
}
