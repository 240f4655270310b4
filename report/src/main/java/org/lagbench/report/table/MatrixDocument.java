package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.matrix.Sharing;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/** A matrix in all formats, with tables with a row for each sending site. */
public final class MatrixDocument {
    private static final int LETTERS = 26;

    private MatrixDocument() {}

    /** Returns the tables, with the reasons for missing values below them; CSV has a row for each pair. */
    public static Result result(MatrixResult result) {
        List<Table> tables = new ArrayList<>();
        for (Metric<?> metric : MatrixMetrics.ALL) {
            tables.add(table(result, metric));
        }
        tables.add(groups(result));
        Map<String, @Nullable Object> members = Result.members("lagbench-matrix-1", "session", result.name());
        members.put("sites", result.sites());
        members.put(
                "pairs", result.pairs().stream().map(MatrixDocument::members).toList());
        members.put("sharings", result.sharings());
        members.put("groups", result.groups());
        return Result.of(new Document(tables, notes(result)), members, "pairs");
    }

    private static Table table(MatrixResult result, Metric<?> metric) {
        TableColumns<String> columns =
                new TableColumns<String>().text("From", from -> from).group("To");
        result.sites().forEach(to -> columns.number(to, "", from -> text(result, metric, from, to)));
        return columns.table(MatrixMetrics.title(metric), result.sites());
    }

    /** Returns a table of the groups of pairs that share a bottleneck. */
    private static Table groups(MatrixResult result) {
        List<List<String>> groups = result.groups();
        return new TableColumns<List<String>>()
                .text("Group", group -> groupName(groups.indexOf(group)))
                .text("Pairs", group -> String.join(", ", group).replace("/", " → "))
                .table("Pairs that share a bottleneck", groups);
    }

    /** Returns the name of a group: A to Z for numbers 0 to 25, then A1 and so on. */
    public static String groupName(int number) {
        return (char) ('A' + number % LETTERS) + (number < LETTERS ? "" : Integer.toString(number / LETTERS));
    }

    /** Returns the text of a cell: empty on the diagonal, a dash if the value is missing. */
    public static String text(MatrixResult result, Metric<?> metric, String from, String to) {
        if (from.equals(to)) {
            return "";
        }
        PairMetrics metrics = result.pair(from, to).map(PairResult::metrics).orElse(null);
        Interval interval = metrics == null ? null : MatrixMetrics.interval(metric, metrics);
        return metrics == null || interval == null
                ? Numbers.NONE
                : MatrixMetrics.text(metric, metrics, interval.value());
    }

    private static List<String> notes(MatrixResult result) {
        List<String> notes = new ArrayList<>();
        List<ClockEffect> clocks = result.pairs().stream()
                .map(PairResult::metrics)
                .filter(Objects::nonNull)
                .map(PairMetrics::clock)
                .filter(Objects::nonNull)
                .toList();
        if (!clocks.isEmpty()) {
            Long boundNs = clocks.stream().allMatch(clock -> clock.boundNs() != null)
                    ? clocks.stream().mapToLong(ClockEffect::boundNs).max().getAsLong()
                    : null;
            notes.add("Clock bound of the lags: at most " + Numbers.plusMinus(boundNs) + ", plus " + Numbers.CLOCK_RATE
                    + " of a lag; that of each is in the CSV.");
        }
        notes.addAll(letters(result));
        if (!result.sharings().isEmpty()) {
            notes.add("Of " + result.sharings().size() + " tests of pairs of the same round "
                    + Arrays.stream(Sharing.values())
                            .map(verdict -> result.sharings().stream()
                                            .filter(test -> test.sharing() == verdict)
                                            .count()
                                    + " found: " + verdict.text())
                            .collect(Collectors.joining(", "))
                    + ". Pairs of different rounds were not tested.");
        }
        result.pairs().stream()
                .filter(pair -> pair.failure() != null)
                .forEach(pair -> notes.add(MatrixMetrics.pairName(pair) + ": " + pair.failure()));
        return notes;
    }

    /** Returns the meaning of the letters at rates; empty if no rate has one. */
    private static List<String> letters(MatrixResult result) {
        boolean hasOther = result.pairs().stream()
                .map(PairResult::metrics)
                .filter(Objects::nonNull)
                .map(MatrixMetrics::verdict)
                .anyMatch(verdict -> verdict != null && verdict != TransferLimit.NETWORK);
        return hasOther
                ? List.of(
                        "A rate with a letter is not the path's rate. s: still in slow start; w: limited by the window;"
                                + " a: limited by the application; u: uncertain.")
                : List.of();
    }

    private static Map<String, @Nullable Object> members(PairResult pair) {
        PairMetrics metrics = pair.metrics();
        ClockEffect clock = metrics == null ? null : metrics.clock();
        TransferLimit verdict = metrics == null ? null : MatrixMetrics.verdict(metrics);
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("from", pair.from());
        members.put("to", pair.to());
        put(members, "lag", "Us", metrics, PairMetrics::lagNs, Units.NS_PER_US);
        members.put("clockBoundNs", clock == null ? null : clock.boundNs());
        put(members, "loss", "", metrics, PairMetrics::loss, 1);
        put(members, "roundTrip", "Us", metrics, PairMetrics::roundTripNs, Units.NS_PER_US);
        put(members, "rate", "BitsPerS", metrics, PairMetrics::rate, 1);
        members.put("verdict", verdict == null ? null : verdict.text());
        members.put("failure", pair.failure());
        return members;
    }

    private static void put(
            Map<String, @Nullable Object> members,
            String name,
            String unit,
            @Nullable PairMetrics metrics,
            Function<PairMetrics, @Nullable Interval> reader,
            double divisor) {
        Interval interval = metrics == null ? null : reader.apply(metrics);
        members.put(name + unit, interval == null ? null : (Object) (interval.value() / divisor));
        members.put(name + "Low" + unit, interval == null ? null : (Object) (interval.low() / divisor));
        members.put(name + "High" + unit, interval == null ? null : (Object) (interval.high() / divisor));
    }
}
