package org.lagbench.report.table;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.Rates;
import org.lagbench.analysis.summary.Statistic;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.text.Units;

/**
 * The events of a stream of JSON, one object per line, described by {@code stream.schema.json}. Numbers that are
 * undefined are null.
 */
public final class StreamEvents {
    private StreamEvents() {}

    /** Returns the first event: a sweep starts; {@code remainingS} is the smallest time to its end. */
    public static String start(String experiment, String session, int runs, double remainingS) {
        return line("start", new Start("lagbench-stream-1", experiment, session, runs, remainingS));
    }

    private record Start(String format, String experiment, String session, int runs, double remainingS) {}

    public static String runStart(RunSpec run) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("run", run.name());
        data.put("transport", run.point().transport());
        data.put("packetBytes", run.point().packetBytes());
        data.put("packets", run.point().packets());
        data.put("paceMode", run.point().pace().mode().text());
        data.put("paceIntervalUs", us((double) run.point().pace().intervalNs()));
        data.put("paceBurst", run.point().pace().burst());
        data.put("engine", run.point().program().engine());
        data.put("settings", run.point().allSettings().asText());
        data.put("repeat", run.repeat());
        StreamRole stream = run.stream();
        data.put("stream", stream == null ? null : stream.name());
        return line("run-start", data);
    }

    public static String interval(RunSpec run, LiveInterval interval) {
        int bytes = run.point().packetBytes();
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("run", run.name());
        data.put("beganS", interval.beganS());
        data.put("endedS", interval.endedS());
        data.put("last", interval.received().last());
        data.put("sent", interval.sent());
        data.put("sentPerS", interval.sentPerS());
        data.put("sentMbitPerS", LiveInterval.mbitPerS(interval.sentPerS(), bytes));
        data.put("received", interval.received().received());
        data.put("receivedPerS", interval.receivedPerS());
        data.put("receivedMbitPerS", LiveInterval.mbitPerS(interval.receivedPerS(), bytes));
        data.put("expected", interval.received().expected());
        data.put("lost", interval.received().lost());
        data.put("late", interval.received().late());
        data.put("lags", interval.lags());
        data.put("sampled", interval.sampled());
        data.put("lagMedianUs", us(interval.medianNs()));
        data.put("lagQ99Us", us(interval.q99Ns()));
        return line("interval", data);
    }

    /**
     * Returns the event of the end of a run; {@code result} is one or two words, {@code remainingS} the expected time
     * to the sweep's end.
     */
    public static String runEnd(RunSpec run, String result, double seconds, double remainingS) {
        return line("run-end", new RunEnd(run.name(), result, seconds, remainingS));
    }

    private record RunEnd(String run, String result, double seconds, double remainingS) {}

    /** Returns the event of the metrics of a complete run. */
    public static String figures(RunSpec run, Summary summary) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("run", run.name());
        boolean isExcluded = summary.points().isEmpty();
        data.put("excluded", isExcluded ? summary.excluded().get(0).reason() : null);
        if (!isExcluded) {
            put(summary.points().get(0).pooled(), data);
        }
        return line("figures", data);
    }

    private static void put(Metrics metrics, Map<String, @Nullable Object> data) {
        SeriesStatistics lag = Objects.requireNonNull(metrics.series().get(Series.TRANSMIT_LAG));
        data.put("sent", metrics.packets().sent());
        data.put("lost", metrics.packets().lost());
        data.put("duplicated", metrics.packets().duplicated());
        data.put("reordered", metrics.packets().reordered());
        Rates.PacketRate received = metrics.require(MetricGroup.RATES).received();
        data.put("receivedPerS", received.packetsPerS());
        data.put("receivedMbitPerS", received.mbitPerS());
        data.put("lags", lag.n());
        for (Statistic statistic : Statistic.QUANTILES) {
            String id = statistic.id();
            data.put(
                    "lag" + id.substring(0, 1).toUpperCase(Locale.ROOT) + id.substring(1) + "Us",
                    us(statistic.ns(lag)));
        }
        data.put("clockBoundNs", metrics.clock().boundNs());
    }

    /** Returns the event of a note, such as what a run waits for. */
    public static String note(String sentence) {
        return line("note", Map.of("sentence", sentence));
    }

    public static String error(String sentence) {
        return line("error", Map.of("sentence", sentence));
    }

    /** Returns the last event, with the number of runs of the experiment that are complete. */
    public static String end(int exitCode, int complete, int runs) {
        return line("end", new End(exitCode, complete, runs));
    }

    private record End(int exitCode, int complete, int runs) {}

    /** Returns an event with its data, as {@link ResultMapper} writes them. */
    public static String line(String event, Object data) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("event", event);
        members.put("data", data);
        return ResultMapper.tree(members).toString();
    }

    private static double us(double ns) {
        return ns / Units.NS_PER_US;
    }
}
