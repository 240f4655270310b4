package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.RoundTripFigures;

/** The round trips of packets that were answered, and the medians of their three parts. */
final class RoundTripView implements ViewContent {
    @Override
    public Set<Detail> details() {
        return Set.of(Detail.COMPANIONS);
    }

    @Override
    public Set<String> members() {
        return Set.of("series", "roundTrips");
    }

    /** A row: the figures of a point or run, and those of its answers. */
    private record Row(Figures figures, RoundTripFigures trips) {
        static List<Row> of(Figures figures) {
            return Stream.ofNullable(figures.roundTrips())
                    .map(trips -> new Row(figures, trips))
                    .toList();
        }

        SeriesStatistics all() {
            return trips.roundTrip();
        }

        SeriesStatistics forward() {
            return Objects.requireNonNull(figures.series().get(Series.TRANSMIT_LAG));
        }
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        TableColumns<Row> columns = new TableColumns<Row>()
                .count("Packets", row -> row.figures().packets().sent())
                .count("Lost", row -> row.trips().lost())
                .count("Late", row -> row.trips().late())
                .group("Round trip")
                .briefUs("Min", row -> row.all().minimumNs())
                .briefUs("Median", row -> row.all().medianNs())
                .briefUs("Q95", row -> row.all().withoutQ95().quantileNs())
                .briefUs("Q99", row -> row.all().withoutQ99().quantileNs())
                .briefUs("Max", row -> row.all().maximumNs())
                .briefUs("Mean", row -> row.all().meanNs())
                .briefUs("SD", row -> row.all().standardDeviationNs())
                .group("Median of")
                .briefUs("Forward", row -> row.forward().medianNs())
                .briefUs("Host", row -> row.trips().hostTime().medianNs())
                .briefUs("Back", row -> row.trips().lagBack().medianNs())
                .group("Clock")
                .number(
                        "Bound",
                        "",
                        row -> Numbers.plusMinus(row.figures().clock().boundNs()));
        return Stream.of(rows.table("Round trip", columns, Row::of))
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    @Override
    public List<String> notes(PointRows rows) {
        if (!rows.any(point -> point.point().isRoundTrip())) {
            return List.of("No packets were answered: this session has no traffic: round-trip.");
        }
        List<String> notes = new ArrayList<>(List.of(
                "Round trip: from before the call that sent a packet until after the call that received its answer, by"
                        + " one clock. SD is the sample standard deviation.",
                "Lost packets have no answer. Late answers came after answer-timeout; they are part of the round"
                        + " trips.",
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
