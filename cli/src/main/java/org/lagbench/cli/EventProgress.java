package org.lagbench.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.LiveRun.LiveInterval;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Units;
import org.lagbench.report.table.RunRows;
import org.lagbench.runner.sweep.Progress;
import tools.jackson.databind.JsonNode;

/**
 * Reports the progress as events, in addition to another progress: one JSON object per line, described by
 * {@code stream.schema.json}. Numbers that are undefined are null. Thread-safe if both are.
 *
 * @param events receives all events except the metrics of seconds
 * @param seconds receives the metrics of each second of a run
 */
record EventProgress(Progress other, Consumer<String> events, Consumer<String> seconds) implements Progress {
    /**
     * Reports the first event.
     *
     * @param runs how many runs, or groups of concurrent runs, will be made
     * @param remaining the smallest time to the end of the sweep
     */
    EventProgress begin(String experiment, String session, int runs, Duration remaining) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("format", "lagbench-stream-4");
        data.put("experiment", experiment);
        data.put("session", session);
        data.put("runs", runs);
        data.put("remainingS", seconds(remaining));
        report("start", data);
        return this;
    }

    /** Reports a failure before the first event, and the end. */
    static void reportFailure(LagbenchException failure, Consumer<String> events) {
        events.accept(ResultMapper.event("error", Map.of("sentence", failure.sentence())));
        events.accept(ResultMapper.event(
                "end", new TreeMap<>(Map.of("exitCode", failure.exitCode().code(), "complete", 0, "runs", 0))));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    private void report(String event, Object data) {
        events.accept(ResultMapper.event(event, data));
    }

    @Override
    public void started(RunSpec.RunGroup run) {
        other.started(run);
        for (RunSpec member : run.runs()) {
            Map<String, @Nullable Object> data = of(member);
            data.put("repeat", member.repeat());
            data.put("packets", member.point().packets());
            data.put("point", MeasuredPoint.of(member));
            report("run-start", data);
        }
    }

    /** Returns the first members of an event of a run. */
    private static Map<String, @Nullable Object> of(RunSpec run) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("run", run.name());
        return data;
    }

    @Override
    public void ended(RunSpec.RunGroup run, String result, Duration taken, Duration remaining) {
        other.ended(run, result, taken, remaining);
        for (RunSpec member : run.runs()) {
            Map<String, @Nullable Object> data = of(member);
            data.put("result", result);
            data.put("seconds", seconds(taken));
            data.put("remainingS", seconds(remaining));
            report("run-end", data);
        }
    }

    @Override
    public SummaryOptions shownMetrics() {
        return RunRows.OPTIONS;
    }

    @Override
    public boolean showsSeconds() {
        return true;
    }

    @Override
    public void interval(RunSpec run, LiveInterval interval) {
        other.interval(run, interval);
        Map<String, @Nullable Object> data = of(run);
        data.put("beganS", interval.beganS());
        data.put("endedS", interval.endedS());
        data.put("last", interval.received().last());
        data.put("receivedDurationS", interval.received().durationNs() / Units.NS_PER_S);
        data.put("expected", interval.received().expected());
        data.put("late", interval.received().late());
        data.put("sampled", interval.sampled());
        Map<String, JsonNode> metrics = new LinkedHashMap<>();
        for (Metric<LiveInterval> each : LiveInterval.METRICS) {
            each.forEach(interval, (metric, value) -> metrics.put(metric.id(), ResultMapper.number(metric, value)));
        }
        data.put("metrics", metrics);
        seconds.accept(ResultMapper.event("interval", data));
    }

    @Override
    public void metrics(RunSpec run, Summary summary) {
        if (other.shownMetrics() != null) {
            other.metrics(run, summary);
        }
        Map<String, @Nullable Object> data = of(run);
        boolean isExcluded = summary.points().isEmpty();
        data.put("excluded", isExcluded ? summary.excluded().get(0).reason() : null);
        if (!isExcluded) {
            PointSummary point = summary.points().get(0);
            Map<String, JsonNode> metrics = new LinkedHashMap<>();
            point.pooled()
                    .forEach(
                            point.point(),
                            (metric, value) -> metrics.put(metric.id(), ResultMapper.number(metric, value)));
            data.put("metrics", metrics);
        }
        report("metrics", data);
    }

    @Override
    public void note(String sentence) {
        other.note(sentence);
        report("note", Map.of("sentence", sentence));
    }

    @Override
    public void error(String sentence) {
        other.error(sentence);
        report("error", Map.of("sentence", sentence));
    }

    @Override
    public void finished(ExitCode exitCode, int complete, int all) {
        other.finished(exitCode, complete, all);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("exitCode", exitCode.code());
        data.put("complete", complete);
        data.put("runs", all);
        report("end", data);
    }

    @Override
    public void close() {
        other.close();
    }
}
