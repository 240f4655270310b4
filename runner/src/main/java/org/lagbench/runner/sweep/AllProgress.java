package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.List;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;

/** Shows the progress in several ways at once. */
record AllProgress(List<Progress> parts) implements Progress {
    @Override
    public void started(RunGroup run) {
        parts.forEach(part -> part.started(run));
    }

    @Override
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        parts.forEach(part -> part.ended(run, result, taken, remaining));
    }

    @Override
    public boolean showsFigures() {
        return parts.stream().anyMatch(Progress::showsFigures);
    }

    @Override
    public void interval(RunSpec run, LiveInterval interval) {
        parts.forEach(part -> part.interval(run, interval));
    }

    @Override
    public void figures(RunSpec run, Summary summary) {
        parts.forEach(part -> part.figures(run, summary));
    }

    @Override
    public void note(String sentence) {
        parts.forEach(part -> part.note(sentence));
    }

    @Override
    public void error(String sentence) {
        parts.forEach(part -> part.error(sentence));
    }

    @Override
    public void finished(ExitCode exitCode, int complete, int all) {
        parts.forEach(part -> part.finished(exitCode, complete, all));
    }

    @Override
    public void close() {
        parts.forEach(Progress::close);
    }
}
