package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.function.Consumer;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.report.table.StreamEvents;

/** Reports the progress as events, each a JSON object on a line. Thread-safe if its consumers are. */
final class EventProgress extends Progress {
    private final Consumer<String> events;
    private final Consumer<String> seconds;

    /**
     * Creates a progress, and reports the first event.
     *
     * @param events receives all events but those of seconds
     * @param seconds receives the figures of each second of a run
     * @param runs how many runs, or groups of concurrent runs, will be made
     */
    EventProgress(
            Consumer<String> events, Consumer<String> seconds, Execution execution, int runs, Duration remaining) {
        this.events = events;
        this.seconds = seconds;
        events.accept(StreamEvents.start(
                execution.experiment().name(), execution.session().directory().toString(), runs, seconds(remaining)));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    @Override
    public void started(RunGroup run) {
        run.runs().forEach(member -> events.accept(StreamEvents.runStart(member)));
    }

    @Override
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        run.runs()
                .forEach(member ->
                        events.accept(StreamEvents.runEnd(member, result, seconds(taken), seconds(remaining))));
    }

    @Override
    public boolean showsFigures() {
        return true;
    }

    @Override
    public void interval(RunSpec run, LiveInterval interval) {
        seconds.accept(StreamEvents.interval(run, interval));
    }

    @Override
    public void figures(RunSpec run, Summary summary) {
        events.accept(StreamEvents.figures(run, summary));
    }

    @Override
    public void note(String sentence) {
        events.accept(StreamEvents.note(sentence));
    }

    @Override
    public void error(String sentence) {
        events.accept(StreamEvents.error(sentence));
    }

    @Override
    public void finished(ExitCode exitCode, int complete, int all) {
        events.accept(StreamEvents.end(exitCode.code(), complete, all));
    }
}
