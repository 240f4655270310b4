package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.RoundTrips;
import org.lagbench.analysis.summary.Statistic;
import org.lagbench.analysis.summary.Summary;

/** The round trips of packets that were answered, and the medians of their three parts. */
public final class RoundTripView extends View {
    /** A row: the metrics of a point or run, and the metrics of its replies. */
    private record Row(Metrics metrics, RoundTrips trips) {
        static List<Row> of(Metrics metrics) {
            return Stream.ofNullable(metrics.get(MetricGroup.ROUND_TRIPS))
                    .map(trips -> new Row(metrics, trips))
                    .toList();
        }

        SeriesStatistics all() {
            return trips.roundTrip();
        }

        SeriesStatistics forward() {
            return Objects.requireNonNull(metrics.series().get(PacketDelay.TRANSMIT_LAG));
        }
    }

    public RoundTripView() {
        super("round-trip", 10, MetricGroup.SERIES, MetricGroup.ROUND_TRIPS);
    }

    @Override
    Predicate<Summary> defaultFor() {
        return summary ->
                summary.points().stream().anyMatch(point -> point.point().isRoundTrip());
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        TableColumns<Row> columns = new TableColumns<Row>()
                .count("Packets", row -> row.metrics().packets().sent())
                .number("Loss", "%", row -> Warnings.marked(row.metrics().loss()))
                .group("Lost")
                .misses("Fwd", row -> row.metrics().lossForward().lost())
                .misses("Back", row -> Objects.requireNonNull(row.metrics().lossBack())
                        .lost())
                .group("")
                .misses("Late", row -> row.trips().late())
                .group("Round trip")
                .times(Row::all, List.of(Statistic.values()))
                .group("Median of")
                .time("Forward", row -> row.forward().medianNs())
                .time("Host", row -> row.trips().hostTime().medianNs())
                .time("Back", row -> row.trips().lagBack().medianNs());
        String common = LagView.commonBound(rows.summary().points());
        if (common.isEmpty()) {
            columns.group("Clock")
                    .number(
                            "Bound",
                            "",
                            row -> Numbers.plusMinus(row.metrics().clock().boundNs()));
        }
        String title = "Round trip" + (common.isEmpty() ? "" : "; forward and back " + common);
        return List.of(rows.table(title, columns, Row::of));
    }

    @Override
    protected List<String> notes(PointRows rows) {
        if (!rows.any(point -> point.point().isRoundTrip())) {
            return List.of("No packets were answered: this session has no traffic: round-trip.");
        }
        List<String> notes = new ArrayList<>(List.of(
                "Round trip: from before the call that sent a packet until after the call that received its reply, by"
                        + " one clock. SD is the sample standard deviation.",
                "Loss: the share of packets without a reply in time: lost forward, their reply lost on the way back, or"
                        + " the reply late. Late replies came after reply-timeout; they are part of the round trips.",
                "Forward and back are one-way lags, known within ± the bound of the clocks. Host is the time between"
                        + " the receive call and the call that answered."));
        rows.summary().points().stream()
                .filter(point -> point.point().isRoundTrip()
                        && isSplitWithNagle(point.point().settings()))
                .forEach(point ->
                        notes.add(rows.name(point) + ": Nagle's algorithm keeps the second part of a packet until"
                                + " the first is acknowledged (RFC 9293 section 3.7.4), and the receiver delays that"
                                + " acknowledgment, by up to 40 ms on Linux, because it has nothing to answer yet"
                                + " (RFC 9293 section 3.8.6.3). no-delay: true or writes: 1 avoids it."));
        return notes;
    }

    private static boolean isSplitWithNagle(Map<String, Object> settings) {
        return Boolean.FALSE.equals(settings.get("no-delay"))
                && settings.get("writes") instanceof Number writes
                && writes.longValue() > 1;
    }
}
