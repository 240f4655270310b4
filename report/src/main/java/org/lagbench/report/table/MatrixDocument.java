package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.matrix.Sharing;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;

/** A matrix in all formats, with tables with a row for each sending site. */
public final class MatrixDocument {
    private static final int LETTERS = 26;

    private MatrixDocument() {}

    /** Returns the tables, with the reasons for missing values below them; CSV has a row for each pair. */
    public static Result result(MatrixResult result) {
        List<Table> tables = new ArrayList<>();
        for (Metric<?> metric : result.metrics()) {
            tables.add(table(result, metric));
        }
        tables.add(groups(result));
        Map<String, @Nullable Object> members = Result.members("lagbench-matrix-2", "session", result.name());
        members.put("sites", result.sites());
        members.put(
                "pairs",
                result.pairs().stream()
                        .map(pair -> members(result.metrics(), pair))
                        .toList());
        members.put("sharings", result.sharings());
        members.put("groups", result.groups());
        Document document = new Document(tables, notes(result));
        return new Result(() -> document, () -> ResultMapper.tree(members), tree -> result.pairs().stream()
                .map(pair -> row(result.metrics(), pair))
                .toList());
    }

    private static Table table(MatrixResult result, Metric<?> metric) {
        TableColumns<String> columns =
                new TableColumns<String>().text("From", from -> from).group("To");
        MetricScale scale = MatrixMetrics.scale(result, metric);
        result.sites()
                .forEach(to -> columns.number(to, "", from -> result.pair(from, to)
                        .map(pair -> MatrixMetrics.text(pair, metric, scale))
                        .orElse(from.equals(to) ? "" : Numbers.NONE)));
        return columns.table(scale.title(), result.sites());
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

    private static List<String> notes(MatrixResult result) {
        List<String> notes = new ArrayList<>();
        List<ClockEffect> clocks = result.pairs().stream()
                .map(PairResult::metrics)
                .filter(Objects::nonNull)
                .map(PairMetrics::clock)
                .filter(Objects::nonNull)
                .toList();
        if (!clocks.isEmpty() && result.metrics().stream().anyMatch(Metric::needsCommonClock)) {
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
        for (PairResult pair : result.pairs()) {
            String name = MatrixMetrics.pairName(pair) + ": ";
            PairMetrics metrics = pair.metrics();
            if (metrics != null) {
                RunMarks.spoiling(metrics.spoiledBy(), metrics.runs()).forEach(sentence -> notes.add(name + sentence));
            }
            if (pair.failure() != null) {
                notes.add(name + pair.failure());
            }
        }
        return notes;
    }

    /** Returns the meaning of the letters at rates; empty if no rate has one. */
    private static List<String> letters(MatrixResult result) {
        boolean hasOther = result.metrics().contains(PairMetrics.RATE)
                && result.pairs().stream()
                        .map(pair -> MatrixMetrics.verdict(pair.metrics()))
                        .anyMatch(verdict -> verdict != null && verdict != TransferLimit.NETWORK);
        return hasOther
                ? List.of(
                        "A rate with a letter is not the path's rate. s: still in slow start; w: limited by the window;"
                                + " a: limited by the application; u: uncertain.")
                : List.of();
    }

    private static Map<String, @Nullable Object> members(List<Metric<?>> metrics, PairResult pair) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("from", pair.from());
        members.put("to", pair.to());
        members.put("metrics", byId(metrics, pair, Interval::value));
        members.put("low", byId(metrics, pair, Interval::low));
        members.put("high", byId(metrics, pair, Interval::high));
        members.put("clockBoundNs", clockBoundNs(pair));
        members.put("verdict", verdict(pair));
        members.put("failure", pair.failure());
        members.put(
                "spoiledBy", pair.metrics() == null ? List.of() : pair.metrics().spoiledBy());
        return members;
    }

    /** Returns a number of each metric that has it, by its id. */
    private static Map<String, Double> byId(
            List<Metric<?>> metrics, PairResult pair, ToDoubleFunction<Interval> number) {
        Map<String, Double> byId = new LinkedHashMap<>();
        for (Metric<?> metric : metrics) {
            Interval interval = MatrixMetrics.interval(pair, metric);
            double value = interval == null ? Double.NaN : number.applyAsDouble(interval);
            if (!Double.isNaN(value)) {
                byId.put(metric.id(), value);
            }
        }
        return byId;
    }

    /** Returns the row of a pair in CSV, with the same columns for each pair. */
    private static Map<String, String> row(List<Metric<?>> metrics, PairResult pair) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("from", pair.from());
        cells.put("to", pair.to());
        for (Metric<?> metric : metrics) {
            Interval found = MatrixMetrics.interval(pair, metric);
            Interval interval = found == null ? Interval.ofRanks() : found;
            cells.put(MetricNames.column(metric), Numbers.exact(interval.value()));
            cells.put(MetricNames.column(metric) + "_low", Numbers.exact(interval.low()));
            cells.put(MetricNames.column(metric) + "_high", Numbers.exact(interval.high()));
        }
        cells.put("clock_bound_ns", Objects.toString(clockBoundNs(pair), ""));
        cells.put("verdict", Objects.toString(verdict(pair), ""));
        cells.put("failure", Objects.toString(pair.failure(), ""));
        return cells;
    }

    private static @Nullable Long clockBoundNs(PairResult pair) {
        ClockEffect clock = pair.metrics() == null ? null : pair.metrics().clock();
        return clock == null ? null : clock.boundNs();
    }

    private static @Nullable String verdict(PairResult pair) {
        TransferLimit verdict = MatrixMetrics.verdict(pair.metrics());
        return verdict == null ? null : verdict.text();
    }
}
