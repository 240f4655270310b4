package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.comparison.Studies;
import org.lagbench.analysis.comparison.Studies.Study;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Allocation;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Axis;
import org.lagbench.core.text.Units;
import tools.jackson.databind.JsonNode;

/**
 * Comparisons, with a table for each quantity: of the values of an axis, or of the points of two sessions. Those of
 * sessions also become checks for CI.
 */
public final class ComparisonView extends AxisView {
    /** How to compare points of one session, for users who compare sessions. */
    public static final String OF_SETTINGS =
            "To compare settings, sweep them as an axis, and use table --view compare --between.";

    private static final String COMPARISONS = "comparisons";
    private static final String STUDIES = "studies";

    /** The unit of metrics that are times. */
    private static final String MICROSECONDS = "µs";

    /** The smallest ratio that is printed; with three decimals, half of it would be zero. */
    static final double MIN_RATIO = .001;

    public ComparisonView() {
        super("compare", 110);
    }

    @Override
    Result result(Summary summary, Between between) throws LagbenchException {
        return result(summary, Comparisons.of(summary, between));
    }

    private static Result result(Summary summary, Comparisons comparisons) {
        return new Result(() -> document(summary, comparisons), () -> tree(summary, comparisons), ComparisonView::rows);
    }

    /** Returns the comparison of sessions with those of a baseline, in all formats. */
    public static Result ofSessions(List<Summary> baselines, List<Summary> compared, Comparisons comparisons) {
        return new Result(
                () -> new SessionNotes(baselines, compared)
                        .document(tables(comparisons), ComparisonNotes.of(comparisons, comparisons.all())),
                () -> tree(Summary.ofAll(compared), comparisons),
                ComparisonView::rows);
    }

    /** Returns the verdicts of two sessions for CI. A point that only the baseline has is undecided. */
    public static Checks checks(Summary baseline, Summary compared, Comparisons comparisons) {
        PointNames names = PointNames.ofPlan(compared);
        PointNames before = PointNames.ofPlan(baseline);
        return new Checks(
                compared.session(),
                Stream.of(
                                comparisons.all().stream()
                                        .map(row -> check(row, names, spoiled(baseline, compared, row))),
                                comparisons.onlyInBaseline().stream()
                                        .map(point -> undecided(before.full(point), "only in the baseline")),
                                comparisons.withoutRuns().stream()
                                        .map(point -> undecided(names.full(point), "planned, but without a run")))
                        .flatMap(checks -> checks)
                        .toList());
    }

    private static Checks.Check undecided(String point, String reason) {
        return new Checks.Check("points", point, ExitCode.UNDECIDED, reason);
    }

    /** Returns why the machine spoiled runs of either side. */
    private static String spoiled(Summary baseline, Summary compared, Comparison row) {
        return Stream.of(baseline, compared)
                .map(side -> RunMarks.spoiling(side, row.point()))
                .filter(reasons -> !reasons.isEmpty())
                .distinct()
                .map(reasons -> "; " + reasons)
                .collect(Collectors.joining());
    }

    private static Checks.Check check(Comparison row, PointNames names, String spoiled) {
        Interval ratio = row.ratio();
        String interval = ratio.hasEnds() ? " (" + end(ratio.low()) + " to " + end(ratio.high()) + ")" : "";
        return new Checks.Check(
                row.metric().id(),
                row.metric().id() + ", " + names.full(row.point()),
                row.verdict() == Verdict.WORSE
                        ? ExitCode.MISSED
                        : row.verdict() == Verdict.UNDECIDED ? ExitCode.UNDECIDED : ExitCode.OK,
                verdict(row) + ", ratio " + ratio(ratio.value()) + interval
                        + difference(row)
                        + (row.doubt() == Verdict.Doubt.INCOMPLETE ? "; " + missing(row) : "")
                        + spoiled);
    }

    /** Returns ", difference 10.0 µs (9.50 to 10.6)"; "" if there is none. */
    private static String difference(Comparison row) {
        Interval difference = row.difference();
        if (Double.isNaN(difference.value())) {
            return "";
        }
        String unit = row.metric().unit().isEmpty() ? "" : " " + row.metric().unit();
        return ", difference " + Numbers.significant(3, difference.value()) + unit
                + (difference.hasEnds()
                        ? " (" + Numbers.significant(3, difference.low()) + " to "
                                + Numbers.significant(3, difference.high()) + ")"
                        : "");
    }

    private static String missing(Comparison row) {
        return row.included().missing() + " of " + row.included().planned() + " planned runs are missing";
    }

    private static Document document(Summary summary, Comparisons comparisons) {
        List<Table> tables = tables(comparisons);
        List<String> notes = ComparisonNotes.of(comparisons, comparisons.all());
        List<PointSummary> measured = summary.points().stream()
                .filter(point -> point.pooled().get(MetricGroup.ALLOCATION) != null)
                .toList();
        if (!measured.isEmpty()) {
            tables.add(allocation(measured));
            notes.add("Allocated: by the sending thread and by the threads that receive, the mean over the runs."
                    + " Engines without rows do not measure it.");
        }
        return Document.of(summary, tables, notes);
    }

    /** Returns a table for each quantity. */
    private static List<Table> tables(Comparisons comparisons) {
        List<Table> tables = new ArrayList<>();
        comparisons.all().stream()
                .collect(Collectors.groupingBy(row -> row.metric().title(), LinkedHashMap::new, Collectors.toList()))
                .forEach((title, rows) -> tables.add(table(comparisons, title, rows, false)));
        return tables;
    }

    /** Returns the table of the allocation of the JVMs at the points that measured it. */
    private static Table allocation(List<PointSummary> measured) {
        TableColumns<MeasuredPoint> axes =
                Axes.of(measured.stream().map(PointSummary::point).toList());
        return new TableColumns<PointSummary>()
                .addAll(axes, PointSummary::point)
                .group("Allocated")
                .number("Sender", "bytes/packet", point -> bytes(point, Allocation::senderBytesPerPacket))
                .number("Receiver", "bytes/packet", point -> bytes(point, Allocation::receiverBytesPerPacket))
                .table("Memory allocated per packet", measured, axes.columns().size());
    }

    private static String bytes(PointSummary point, Function<Allocation, @Nullable Double> side) {
        Double bytes = side.apply(Objects.requireNonNull(point.pooled().get(MetricGroup.ALLOCATION)));
        return bytes == null ? Numbers.NONE : Numbers.grouped(Math.round(bytes));
    }

    /** Returns the table of the medians of the main metrics; each row names the quantity of its metric. */
    static Table medians(Comparisons comparisons, List<Comparison> main) {
        return table(comparisons, "Medians of the repeats", main, true);
    }

    private static Table table(Comparisons comparisons, String title, List<Comparison> rows, boolean hasQuantity) {
        TableColumns<Comparison> columns = columns(comparisons, rows);
        if (hasQuantity) {
            columns.text("Quantity", row -> row.metric().title());
        } else {
            columns.text("Statistic", row -> row.metric().statistic());
        }
        columns.text("Verdict", ComparisonView::verdict);
        String unit = hasQuantity ? "" : rows.get(0).metric().unit();
        if (unit.equals(MICROSECONDS)) {
            columns.time("Baseline", row -> row.baseline() * Units.NS_PER_US)
                    .time("Compared", row -> row.compared() * Units.NS_PER_US);
        } else {
            columns.number("Baseline", unit, row -> Numbers.significant(3, row.baseline()))
                    .number("Compared", unit, row -> Numbers.significant(3, row.compared()));
        }
        columns.number("Ratio", "", row -> ratio(row.ratio().value()))
                .group("95 % interval")
                .number("From", "", row -> end(row.ratio().low()))
                .number("To", "", row -> end(row.ratio().high()))
                .group("");
        boolean isOfMedians = rows.stream().allMatch(ComparisonNotes::isOfMedian);
        addDifference(columns, unit, comparisons.isBySession() ? "Mean" : isOfMedians ? "Median" : "Value");
        if (ComparisonNotes.repeats(rows).count() > 1) {
            columns.number(
                    comparisons.isBySession() ? "Sessions" : "Repeats", "", row -> Integer.toString(row.repeats()));
        }
        return columns.table(title(comparisons, title), rows, axes(comparisons, rows));
    }

    /** Adds the columns of the difference, in the unit of the values. */
    private static void addDifference(TableColumns<Comparison> columns, String unit, String header) {
        columns.group("Difference");
        addDifference(columns, header, unit, Interval::value);
        addDifference(columns, "From", unit, Interval::low);
        addDifference(columns, "To", unit, Interval::high);
        columns.group("");
    }

    private static void addDifference(
            TableColumns<Comparison> columns, String header, String unit, ToDoubleFunction<Interval> part) {
        if (unit.equals(MICROSECONDS)) {
            columns.time(header, row -> wholeNs(part.applyAsDouble(row.difference())));
        } else {
            columns.number(header, unit, row -> Numbers.significant(3, part.applyAsDouble(row.difference())));
        }
    }

    /** Returns a time in µs in ns, without a sign if it is 0. */
    private static double wholeNs(double us) {
        return Math.rint(us * Units.NS_PER_US) + 0.0;
    }

    /** Returns the title of a table with what its values are compared with. */
    static String title(Comparisons comparisons, String title) {
        return title + ", compared with " + comparisons.axis().name() + " " + comparisons.baseline();
    }

    /** Returns the columns that name the place of a comparison, and the value of an axis that is compared. */
    static TableColumns<Comparison> columns(Comparisons comparisons, List<Comparison> rows) {
        TableColumns<Comparison> columns =
                new TableColumns<Comparison>().addAll(place(comparisons, rows), Comparison::place);
        return comparisons.isOfSessions()
                ? columns
                : columns.addAll(Axes.column(comparisons.axis().name()), Comparison::point);
    }

    /** Returns how many of the columns are laid out like the columns that name a point in other tables. */
    static int axes(Comparisons comparisons, List<Comparison> rows) {
        String axis = comparisons.axis().name();
        return axis.equals(Axis.TRANSPORT) || axis.equals(Axis.PACKET_BYTES)
                ? 0
                : place(comparisons, rows).columns().size();
    }

    private static TableColumns<MeasuredPoint> place(Comparisons comparisons, List<Comparison> rows) {
        return Axes.of(
                rows.stream().map(Comparison::place).toList(),
                comparisons.axis().name());
    }

    private static String verdict(Comparison row) {
        return row.verdict().text()
                + (row.doubt() == null ? "" : " (" + row.doubt().text() + ")");
    }

    /** Returns a ratio with four significant digits, but not more than three decimals. */
    static String ratio(double value) {
        return value > 0 && value < MIN_RATIO
                ? "<" + Numbers.fixed(3, MIN_RATIO)
                : Numbers.grouped(value < 9.9995 ? 3 : value < 99.995 ? 2 : 1, value);
    }

    /** Returns an end of an interval. Repeats that depend on each other may move it by many orders of magnitude. */
    private static String end(double ratio) {
        return ratio > 1 / MIN_RATIO ? ">" + Numbers.grouped(0, 1 / MIN_RATIO) : ratio(ratio);
    }

    private static JsonNode tree(Summary summary, Comparisons comparisons) {
        boolean isOfSessions = comparisons.isOfSessions();
        Map<String, @Nullable Object> members =
                members(isOfSessions ? "lagbench-session-comparison-2" : "lagbench-comparison-2", summary, comparisons);
        members.put(
                COMPARISONS,
                comparisons.all().stream()
                        .map(comparison -> members(comparison, comparisons))
                        .toList());
        if (isOfSessions) {
            members.put("onlyInBaseline", comparisons.onlyInBaseline());
            members.put("onlyInSession", comparisons.alone());
            members.put("withoutRuns", comparisons.withoutRuns());
            members.put("observedDifferently", comparisons.observedDifferently());
            return ResultMapper.tree(members);
        }
        members.put("notCompared", comparisons.alone());
        List<Map<String, @Nullable Object>> allocations = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            Allocation allocation = point.pooled().get(MetricGroup.ALLOCATION);
            if (allocation != null) {
                Map<String, @Nullable Object> ofPoint = new LinkedHashMap<>();
                ofPoint.put("point", point.point());
                ofPoint.put("senderBytesPerPacket", allocation.senderBytesPerPacket());
                ofPoint.put("receiverBytesPerPacket", allocation.receiverBytesPerPacket());
                allocations.add(ofPoint);
            }
        }
        members.put("allocations", allocations);
        return ResultMapper.tree(members);
    }

    static JsonNode tree(Summary summary, Studies studies) {
        Map<String, @Nullable Object> members = members("lagbench-equivalence-study-2", summary, studies.comparisons());
        List<Object> all = new ArrayList<>();
        for (Study study : studies.all()) {
            Map<String, @Nullable Object> ofStudy = members(study.comparison(), studies.comparisons());
            ofStudy.put("isSlopeNearOne", study.isSlopeNearOne());
            ofStudy.put("equivalence", EquivalenceReport.tree(study.equivalence()));
            all.add(ofStudy);
        }
        members.put(STUDIES, all);
        return ResultMapper.tree(members);
    }

    private static Map<String, @Nullable Object> members(String format, Summary summary, Comparisons comparisons) {
        Map<String, @Nullable Object> members = Result.members(format, "session", summary.session());
        if (!comparisons.isOfSessions()) {
            members.put("axis", comparisons.axis().name());
            members.put("values", comparisons.axis().values());
        }
        members.put("baseline", comparisons.baseline());
        members.put("margin", comparisons.margin());
        members.put("confidence", Interval.CONFIDENCE);
        return members;
    }

    private static Map<String, @Nullable Object> members(Comparison comparison, Comparisons comparisons) {
        Interval ratio = comparison.ratio();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("point", comparison.point());
        if (!comparisons.isOfSessions()) {
            members.put("value", comparisons.axis().value(comparison.point()));
        }
        members.put("metric", comparison.metric().id());
        members.put("unit", comparison.metric().unit());
        members.put("smallerIsBetter", comparison.metric().smallerIsBetter());
        members.put("repeats", comparison.repeats());
        members.put("baselineValue", comparison.baseline());
        members.put("comparedValue", comparison.compared());
        members.put("ratio", ratio.value());
        members.put("low", ratio.low());
        members.put("high", ratio.high());
        members.put("difference", comparison.difference().value());
        members.put("differenceLow", comparison.difference().low());
        members.put("differenceHigh", comparison.difference().high());
        members.put("interval", comparison.difference().hasEnds() ? interval(comparison, comparisons) : null);
        members.put("plannedRuns", comparison.included().planned());
        members.put("missingRuns", comparison.included().missing());
        members.put("nonEquivalence", comparison.nonEquivalence());
        members.put("verdict", comparison.verdict());
        members.put("doubt", comparison.doubt());
        return members;
    }

    private static String interval(Comparison comparison, Comparisons comparisons) {
        return comparisons.isBySession()
                ? "student-t"
                : switch (comparison.metric().combination()) {
                    case POOLED -> "clusters";
                    case SUM -> "student-t";
                    case MIN, MAX, MEDIAN, NOT_JUDGED -> "order-statistics";
                };
    }

    /**
     * Returns a row for each comparison or study; columns are as in {@code summary.csv}, without the curves and bins.
     */
    static List<Map<String, String>> rows(JsonNode tree) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (JsonNode element : tree.has(STUDIES) ? tree.get(STUDIES) : tree.get(COMPARISONS)) {
            Map<String, String> row = new LinkedHashMap<>();
            CsvRows.putAll(row, element.get("point"));
            CsvRows.putAll(row, element);
            row.keySet()
                    .removeIf(column -> column.matches("point\\..*|.*\\.(errors\\.(errors|fractions)|histogram\\..*)"));
            rows.add(row);
        }
        return rows;
    }
}
