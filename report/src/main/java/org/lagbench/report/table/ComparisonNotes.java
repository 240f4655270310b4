package org.lagbench.report.table;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.core.run.Combination;

/** The notes below tables of comparisons: what their ratios, intervals and verdicts mean. */
final class ComparisonNotes {
    private ComparisonNotes() {}

    /** Returns the notes on comparisons, and on what was not compared. */
    static List<String> of(Comparisons comparisons, List<Comparison> rows) {
        List<String> notes = statistics(comparisons, rows);
        if (!comparisons.onlyInBaseline().isEmpty()) {
            notes.add("Only in the baseline: "
                    + PointDifferences.names(
                            comparisons.onlyInBaseline(), comparisons.alone(), "the compared session"));
        }
        if (!comparisons.observedDifferently().isEmpty()) {
            notes.add(
                    "All packets of some runs were observed, and those of others not (observed in run.json). That adds"
                            + " less than 2 % to a lag, by expectation: "
                            + PointDifferences.names(comparisons.observedDifferently(), List.of(), ""));
        }
        if (!comparisons.withoutRuns().isEmpty()) {
            notes.add("Planned, but without a run in a session: "
                    + PointDifferences.names(comparisons.withoutRuns(), List.of(), ""));
        }
        if (!comparisons.alone().isEmpty()) {
            String without = comparisons.axis().name() + " " + comparisons.baseline();
            notes.add((comparisons.isOfSessions()
                            ? "Only in the compared session: "
                            : "Not compared, because there is no such point with " + without + ": ")
                    + PointDifferences.names(comparisons.alone(), comparisons.onlyInBaseline(), "the baseline"));
        }
        if (comparisons.isOfSessions()
                && comparisons.all().isEmpty()
                && !comparisons.onlyInBaseline().isEmpty()) {
            notes.add(ComparisonView.OF_SETTINGS);
        }
        return notes;
    }

    private static List<String> statistics(Comparisons comparisons, List<Comparison> rows) {
        List<String> notes = new ArrayList<>();
        if (rows.isEmpty()) {
            return notes;
        }
        String counts = repeats(rows).sorted().mapToObj(Integer::toString).collect(Collectors.joining(", "));
        addOpposite(rows, notes);
        notes.addAll(
                comparisons.isBySession()
                        ? List.of("Ratio: of the geometric means over the sessions' medians (" + counts
                                + " sessions on both sides). Difference: of the means of these medians, compared minus"
                                + " baseline. 95 % intervals: Student's t over the sessions, so that they contain the"
                                + " differences between them.")
                        : ofRepeats(counts, rows));
        if (comparisons.isOfSessions() && !comparisons.isBySession()) {
            notes.add("Each session counts as one day: the interval does not contain the differences between days."
                    + " To include them: lagbench compare SESSION... --baseline SESSION...");
        }
        double margin = comparisons.margin();
        notes.add("Equivalent: two one-sided tests at 5 % show that the ratio is within ± "
                // as many decimals as necessary: "5", "2.5"
                + BigDecimal.valueOf(margin)
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString()
                + " % (from 1/x to x, x = " + ComparisonView.ratio(1 + margin)
                + "). Better, worse: the interval is on one side of 1. Undecided: neither."
                + (rows.stream().anyMatch(ComparisonNotes::isByDifference)
                        ? " A value of 0 has no ratio: better, worse by the difference."
                        : ""));
        notes.add("Verdicts are not corrected for multiple comparisons: of 20 of equal points, about one finds a"
                + " difference.");
        rows.stream()
                .map(Comparison::doubt)
                .filter(Objects::nonNull)
                .distinct()
                .flatMap(ComparisonNotes::explained)
                .forEach(notes::add);
        addEmpty(rows, notes);
        return notes;
    }

    private static void addEmpty(List<Comparison> rows, List<String> notes) {
        PointNames names = new PointNames(rows.stream()
                .flatMap(row -> Stream.of(row.baselinePoint(), row.point()))
                .toList());
        rows.stream()
                .filter(row -> row.doubt() == Verdict.Doubt.MISSING)
                .flatMap(row -> row.emptySides().stream()
                        .map(side -> side.text() + " side: "
                                + names.full(side == Comparison.Side.BASELINE ? row.baselinePoint() : row.point())))
                .distinct()
                .forEach(side -> notes.add("No packet arrived on the " + side + "."));
    }

    private static boolean isByDifference(Comparison row) {
        return row.verdict() != Verdict.UNDECIDED && Double.isNaN(row.ratio().value());
    }

    /** Adds the rows whose medians differ in one direction, and whose ratio is on the other side of 1. */
    private static void addOpposite(List<Comparison> rows, List<String> notes) {
        PointNames names = new PointNames(rows.stream().map(Comparison::point).toList());
        String opposite = rows.stream()
                .filter(ComparisonNotes::isOpposite)
                .map(row -> row.metric().id() + " of " + names.full(row.point()) + " ("
                        + ComparisonView.ratio(row.ratio().value()) + ", although compared / baseline is "
                        + ComparisonView.ratio(row.compared() / row.baseline()) + ")")
                .collect(Collectors.joining("; "));
        if (!opposite.isEmpty()) {
            notes.add("The ratio points in the other direction than the medians, because it is the median of the"
                    + " repeats' ratios: " + opposite + ".");
        }
    }

    /** Returns whether ratio and medians differ in direction by more than what is rounded away. */
    private static boolean isOpposite(Comparison row) {
        double ratio = row.ratio().value() - 1;
        double ofMedians = row.compared() / row.baseline() - 1;
        return isOfMedian(row)
                && ratio * ofMedians < 0
                && Math.min(Math.abs(ratio), Math.abs(ofMedians)) >= ComparisonView.MIN_RATIO / 2;
    }

    private static List<String> ofRepeats(String counts, List<Comparison> rows) {
        List<String> notes = new ArrayList<>();
        if (rows.stream().anyMatch(ComparisonNotes::isOfMedian)) {
            notes.add("Ratio: compared to baseline, each repeat with the same repeat of the other. Difference: compared"
                    + " minus baseline, likewise. Baseline, compared, ratio and difference are medians over the repeats"
                    + " (" + counts + ").");
            notes.add(
                    rows.stream().filter(ComparisonNotes::isOfMedian).noneMatch(row -> row.difference()
                                    .hasEnds())
                            ? "There is no interval: it needs " + Interval.MIN_OF_MEDIAN
                                    + " repeats in which both have a value."
                            : "95 % intervals: order statistics of the repeats' ratios and differences, whatever their"
                                    + " distribution, widened by the correlation of consecutive repeats that they do"
                                    + " not exclude; fewer than "
                                    + Interval.MIN_OF_MEDIAN + " repeats have none.");
        }
        rows.stream()
                .map(row -> row.metric().combination())
                .filter(kind -> kind != Combination.MEDIAN)
                .map(ComparisonNotes::combined)
                .distinct()
                .forEach(notes::add);
        return notes;
    }

    static boolean isOfMedian(Comparison row) {
        return row.metric().combination() == Combination.MEDIAN;
    }

    /** Returns what the values of metrics are that have no median over the repeats. */
    private static String combined(Combination kind) {
        return switch (kind) {
            case POOLED ->
                "A share is of all packets of a side, not repeat by repeat. 95 % intervals: from those of both shares,"
                        + " with runs as clusters; fewer than " + RepeatEstimate.MIN + " repeats have none.";
            case SUM ->
                "A count is the sum over the repeats that both have. 95 % intervals: Student's t over the repeats;"
                        + " fewer than " + RepeatEstimate.MIN + " have none.";
            case MIN, MAX ->
                "A min or max is that of all repeats that both have. It is decided only if the ratios of most repeats"
                        + " agree with it: its interval contains both.";
            case MEDIAN, NOT_JUDGED -> throw new IllegalArgumentException(kind.text());
        };
    }

    private static Stream<String> explained(Verdict.Doubt doubt) {
        return switch (doubt) {
            case CLOCK ->
                Stream.of("Undecided (clock): the clock bounds of both sides are too wide for the difference, or"
                        + " unknown.");
            case LOSS ->
                Stream.of("Undecided (loss): the side that looks as fast or faster lost more packets, and lost packets"
                        + " have no lag.");
            case VALUE ->
                Stream.of(
                        "Undecided (no ratio): no repeat has both values, or a value is not above 0, and the difference"
                                + " shows nothing.");
            case DEPENDENCE ->
                Stream.of("Undecided (dependent repeats): the repeats depend on each other, by their correlation or a"
                        + " trend; independent ones would decide it. Make more repeats, or compare several sessions.");
            case INCOMPLETE ->
                Stream.of("Undecided (missing data): planned runs are missing; --allow-missing accepts a share.");
            case SPOILED ->
                Stream.of("Undecided (load): the machine spoiled runs, and those that are left decide nothing."
                        + " Repeat them on an idle machine, or accept more by --set machine.max-other-load.");
            case MISSING ->
                Stream.of(
                        "Undecided (no value): a side has no value, or a run of a share, count, min or max has none.");
            case REPEATS -> Stream.of();
        };
    }

    /** Returns the different numbers of repeats of comparisons. */
    static IntStream repeats(List<Comparison> rows) {
        return rows.stream().mapToInt(row -> row.repeats()).distinct();
    }
}
