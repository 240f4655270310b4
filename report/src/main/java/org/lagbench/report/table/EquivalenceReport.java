package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.comparison.Studies;
import org.lagbench.analysis.comparison.Studies.Study;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.Equivalence.Coverage;
import org.lagbench.analysis.forecast.Equivalence.Regression;
import org.lagbench.analysis.forecast.Equivalence.SeriesMetrics;
import org.lagbench.analysis.forecast.Equivalence.TwoSampleTest;
import org.lagbench.analysis.forecast.MeanRatio;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The comparison of two series: sentences and tables, or every number for programs. */
public record EquivalenceReport(Equivalence equivalence, String first, String second) {
    private static final String ALL = "all";
    private static final String WITHOUT = "without outliers";

    /** A row of a table with its label. */
    private record Row<T>(String label, T metrics) {}

    /** Returns a comparison in all formats; CSV has a row for each number, with the path of its value in the JSON. */
    public static Result result(Equivalence equivalence) {
        EquivalenceReport report =
                new EquivalenceReport(equivalence, equivalence.firstLabel(), equivalence.secondLabel());
        return new Result(report::document, () -> tree(equivalence), tree -> {
            List<Map<String, String>> rows = new ArrayList<>();
            addRows(rows, "", tree);
            return rows;
        });
    }

    /** Returns the tree of a comparison. */
    static ObjectNode tree(Equivalence equivalence) {
        MeanRatio ratio = equivalence.meanRatioWithoutOutliers();
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", "lagbench-equivalence-1");
        ObjectNode verdicts = root.putObject("isEquivalent");
        Coverage mseIntervals = equivalence.mseIntervals();
        verdicts.put("mseIntervals", isKnown(mseIntervals) ? (Boolean) mseIntervals.isEquivalent() : null);
        Coverage conformalIntervals = equivalence.conformalIntervals();
        verdicts.put(
                "conformalIntervals", isKnown(conformalIntervals) ? (Boolean) conformalIntervals.isEquivalent() : null);
        verdicts.put("means", (ratio == null || !ratio.hasEnds()) ? null : (Boolean) ratio.isEquivalent());
        root.setAll((ObjectNode) ResultMapper.tree(equivalence));
        return root;
    }

    private Document document() {
        return new Document(verdicts(), List.of(series(), regression(), ratio(), captured(), tests()), notes());
    }

    private static void addRows(List<Map<String, String>> rows, String path, JsonNode node) {
        String prefix = path.isEmpty() ? "" : path + ".";
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                addRows(rows, prefix + i, node.get(i));
            }
        } else if (node.isObject()) {
            node.properties().forEach(member -> addRows(rows, prefix + member.getKey(), member.getValue()));
        } else {
            Map<String, String> row = new LinkedHashMap<>();
            row.put("figure", path);
            row.put("value", node.isNull() ? "" : node.asString());
            rows.add(row);
        }
    }

    private List<String> verdicts() {
        return List.of(
                verdict("forecast ± 2√MSE, the rule of Krintz and Wolski", equivalence.mseIntervals()),
                verdict("conformal intervals", equivalence.conformalIntervals()),
                meansVerdict(equivalence.meanRatioWithoutOutliers()));
    }

    private static String verdict(String by, Coverage coverage) {
        return "Equally predictable by " + by + ": "
                + (!isKnown(coverage) ? "too few values" : coverage.isEquivalent() ? "yes" : "no")
                + ". The intervals of each capture "
                + Numbers.fixed(2, 100 * coverage.first().other()) + " and "
                + Numbers.fixed(2, 100 * coverage.second().other()) + " % of the other's values; "
                + Numbers.fixed(0, 100 * coverage.required()) + " % are required.";
    }

    private static boolean isKnown(Coverage coverage) {
        return !Double.isNaN(coverage.first().other() + coverage.second().other());
    }

    private static String meansVerdict(@Nullable MeanRatio ratio) {
        String claim = "Equal means within ± " + MeanRatio.BOUND_PERCENT + " %: ";
        if (ratio == null) {
            return claim + "not tested. That needs pairs of values, and positive means.";
        }
        String value = "The ratio is " + decimals(ratio.ratio());
        return ratio.hasEnds()
                ? claim + (ratio.isEquivalent() ? "yes" : "not shown") + ". " + value + " (95 %: "
                        + decimals(ratio.low()) + " to " + decimals(ratio.high()) + "), without outliers."
                : claim + "too few values. " + value + ", without outliers; its interval needs about "
                        + Numbers.grouped(ratio.needed()) + " pairs like these "
                        + Numbers.grouped(ratio.pairs()) + ".";
    }

    private Table series() {
        return new TableColumns<Row<SeriesMetrics>>()
                .text("Series", Row::label)
                .number("Values", "", row -> Numbers.grouped(row.metrics().values()))
                .number("Missing", "", row -> Numbers.grouped(row.metrics().missing()))
                .plain("Mean", row -> row.metrics().mean())
                .plain("Variance", row -> row.metrics().variance())
                .group("Forecasts")
                .plain("MSE", row -> row.metrics().mse())
                .plain("MAE", row -> row.metrics().mae())
                .number(
                        "Errors ≤ 0",
                        "%",
                        row -> Numbers.fixed(2, 100 * row.metrics().errors().upToZero()))
                .table(
                        "Values, and their forecasts",
                        List.of(new Row<>(first, equivalence.first()), new Row<>(second, equivalence.second())));
    }

    private Table regression() {
        return new TableColumns<Row<Regression>>()
                .text("Pairs", Row::label)
                .number("Number", "", row -> Numbers.grouped(row.metrics().pairs()))
                .group("Through the origin")
                .number("Slope", "", row -> decimals(row.metrics().slope()))
                .number("R²", "", row -> decimals(row.metrics().rSquared()))
                .group("With an intercept")
                .number("Slope", "", row -> decimals(row.metrics().freeSlope()))
                .plain("Intercept", row -> row.metrics().intercept())
                .number("R²", "", row -> decimals(row.metrics().freeRSquared()))
                .table(
                        "Least squares from " + first + " to " + second + ", in pairs nearest in time",
                        List.of(
                                new Row<>(ALL, equivalence.regression()),
                                new Row<>(WITHOUT, equivalence.regressionWithoutOutliers())));
    }

    private Table ratio() {
        List<Row<MeanRatio>> rows = new ArrayList<>();
        addTo(rows, ALL, equivalence.meanRatio());
        addTo(rows, WITHOUT, equivalence.meanRatioWithoutOutliers());
        return new TableColumns<Row<MeanRatio>>()
                .text("Pairs", Row::label)
                .number("Ratio", "", row -> decimals(row.metrics().ratio()))
                .number("From", "", row -> decimals(row.metrics().low()))
                .number("To", "", row -> decimals(row.metrics().high()))
                .table("Ratio of the means, " + second + " to " + first + ", with its 95 % interval", rows);
    }

    private static void addTo(List<Row<MeanRatio>> rows, String pairs, @Nullable MeanRatio ratio) {
        if (ratio != null) {
            rows.add(new Row<>(pairs, ratio));
        }
    }

    private record CoverageRow(String intervals, String of, double ofFirst, double ofSecond) {}

    private Table captured() {
        List<CoverageRow> rows = new ArrayList<>();
        add(rows, "± 2√MSE", equivalence.mseIntervals());
        add(rows, "conformal", equivalence.conformalIntervals());
        return new TableColumns<CoverageRow>()
                .text("Intervals", CoverageRow::intervals)
                .text("Of", CoverageRow::of)
                .group("Captured values of")
                .number(first, "%", row -> Numbers.fixed(2, 100 * row.ofFirst()))
                .number(second, "%", row -> Numbers.fixed(2, 100 * row.ofSecond()))
                .table("Values in the intervals of either series", rows);
    }

    private void add(List<CoverageRow> rows, String intervals, Coverage coverage) {
        Coverage.Shares ofFirst = coverage.first();
        Coverage.Shares ofSecond = coverage.second();
        rows.add(new CoverageRow(intervals, first, ofFirst.own(), ofFirst.other()));
        rows.add(new CoverageRow(intervals, second, ofSecond.other(), ofSecond.own()));
    }

    private Table tests() {
        return new TableColumns<Row<TwoSampleTest>>()
                .text("Of", Row::label)
                .number("Greatest difference", "", number(TwoSampleTest::greatestDifference))
                .group("p-value")
                .number("Kolmogorov- Smirnov", "", number(TwoSampleTest::kolmogorovSmirnov))
                .number("Mann- Whitney", "", number(TwoSampleTest::mannWhitney))
                .table(
                        "Tests whether both have the same distribution",
                        List.of(
                                new Row<>("values", equivalence.values()),
                                new Row<>("forecast errors", equivalence.errors())));
    }

    private static Function<Row<TwoSampleTest>, String> number(Function<TwoSampleTest, Double> figure) {
        return row -> decimals(figure.apply(row.metrics()));
    }

    private List<String> notes() {
        return List.of(
                "An outlier is a pair of which one value is at least " + Equivalence.OUTLIER + " times the other: "
                        + Numbers.grouped(equivalence.outliers()) + " of "
                        + Numbers.grouped(equivalence.regression().pairs()) + ".",
                "Forecasts are selected by the rule \""
                        + equivalence.selection().text() + "\". An error is value − forecast.",
                "The tests assume independent values; neighboring values of a series are not. With many values they"
                        + " also find differences that do not matter.",
                "Conformal intervals capture about 95 % by construction, so two percentage points less are required.");
    }

    /** Returns a number of the order of 1 with four decimals; a smaller one with two significant digits. */
    private static String decimals(double value) {
        return Double.isNaN(value)
                ? Numbers.sixDigits(value)
                : value != 0 && Math.abs(value) < 1e-3
                        ? String.format(Locale.ROOT, "%.1e", value)
                        : Numbers.fixed(4, value);
    }

    /**
     * The values of an axis as series over the repeats: means and variances, regression, predictability and tests, as
     * tables 3 to 7 of Krintz and Wolski.
     */
    public static final class OfAxis extends AxisView {
        private static final String WITHOUT_OUTLIERS = "Without outliers";

        public OfAxis() {
            super("equivalence", 120);
        }

        @Override
        Result result(Summary summary, Between between) throws LagbenchException {
            Studies studies = Studies.of(summary, between);
            return new Result(
                    () -> document(summary, studies),
                    () -> ComparisonView.tree(summary, studies),
                    ComparisonView::rows);
        }

        private static Document document(Summary summary, Studies studies) {
            List<Table> tables = new ArrayList<>();
            List<String> notes = new ArrayList<>();
            if (studies.all().isEmpty()) {
                notes.add("No repeat has values of both sides.");
            } else {
                tables.addAll(tables(studies));
                notes.addAll(notes(studies.all().get(0).equivalence()));
            }
            notes.addAll(ComparisonNotes.of(studies.comparisons(), compared(studies)));
            return Document.of(summary, tables, notes);
        }

        private static List<Comparison> compared(Studies studies) {
            return studies.all().stream().map(Study::comparison).toList();
        }

        private static List<Table> tables(Studies studies) {
            TableColumns<Study> lines = both(
                            line("All pairs"),
                            Equivalence::regression,
                            line(WITHOUT_OUTLIERS),
                            Equivalence::regressionWithoutOutliers)
                    .group(WITHOUT_OUTLIERS)
                    .text("Near 1", study -> study.isSlopeNearOne() ? "yes" : "no");
            return List.of(
                    table(
                            "Mean and variance of the repeats",
                            studies,
                            both(moments("Baseline"), Equivalence::first, moments("Compared"), Equivalence::second)),
                    ComparisonView.medians(studies.comparisons(), compared(studies)),
                    table("Least squares through the pairs", studies, lines),
                    table(
                            "Values that the other's forecast intervals capture",
                            studies,
                            both(
                                    coverage("Forecast ± 2√MSE"),
                                    Equivalence::mseIntervals,
                                    coverage("Conformal"),
                                    Equivalence::conformalIntervals)),
                    table(
                            "p-values of tests whether both have the same distribution",
                            studies,
                            both(test("Values"), Equivalence::values, test("Forecast errors"), Equivalence::errors)));
        }

        /** Returns the columns of two parts of an equivalence. */
        private static <P> TableColumns<Study> both(
                TableColumns<P> first,
                Function<Equivalence, P> ofFirst,
                TableColumns<P> second,
                Function<Equivalence, P> ofSecond) {
            return new TableColumns<Study>()
                    .addAll(first, study -> ofFirst.apply(study.equivalence()))
                    .addAll(second, study -> ofSecond.apply(study.equivalence()));
        }

        private static Table table(String title, Studies studies, TableColumns<Study> columns) {
            Comparisons comparisons = studies.comparisons();
            List<Comparison> compared = compared(studies);
            return new TableColumns<Study>()
                    .addAll(ComparisonView.columns(comparisons, compared), Study::comparison)
                    .text("Quantity", study -> study.comparison().metric().title())
                    .addAll(columns, study -> study)
                    .table(
                            ComparisonView.title(comparisons, title),
                            studies.all(),
                            ComparisonView.axes(comparisons, compared));
        }

        private static TableColumns<SeriesMetrics> moments(String side) {
            return new TableColumns<SeriesMetrics>()
                    .group(side)
                    .plain("Mean", SeriesMetrics::mean)
                    .plain("Variance", SeriesMetrics::variance);
        }

        private static TableColumns<Regression> line(String pairs) {
            return new TableColumns<Regression>()
                    .group(pairs)
                    .number("Pairs", "", line -> Long.toString(line.pairs()))
                    .number("Slope", "", line -> decimals(line.slope()))
                    .number("R²", "", line -> decimals(line.rSquared()));
        }

        private static TableColumns<Coverage> coverage(String intervals) {
            return new TableColumns<Coverage>()
                    .group(intervals)
                    .fixed(
                            1,
                            "Baseline",
                            "%",
                            coverage -> 100 * coverage.second().other())
                    .fixed(
                            1,
                            "Compared",
                            "%",
                            coverage -> 100 * coverage.first().other())
                    .text("Equal", OfAxis::equal);
        }

        private static String equal(Coverage coverage) {
            return !isKnown(coverage) ? Numbers.NONE : coverage.isEquivalent() ? "yes" : "no";
        }

        private static TableColumns<TwoSampleTest> test(String of) {
            return new TableColumns<TwoSampleTest>()
                    .group(of)
                    .number("Kolmogorov- Smirnov", "", test -> decimals(test.kolmogorovSmirnov()))
                    .number("Mann- Whitney", "", test -> decimals(test.mannWhitney()));
        }

        private static List<String> notes(Equivalence first) {
            Coverage mse = first.mseIntervals();
            Coverage conformal = first.conformalIntervals();
            return List.of(
                    "A value is the figure of one repeat: the median of a lag, or the mean rate. The values of one"
                            + " repeat are a pair, in the order of execution. The means have the unit of the quantity"
                            + " (µs, Mbit/s), the variances its square.",
                    "Slope: of the line of least squares through the origin, from baseline to compared. Near 1: without"
                            + " outliers within ± " + Numbers.fixed(0, 100 * Study.SLOPE_TOLERANCE)
                            + " %. It does not show equality: see the verdicts on the ratios.",
                    "An outlier is a pair of which one value is at least " + Equivalence.OUTLIER
                            + " times the other (Krintz and Wolski 2000, section 4.2: \"2 or 3 orders of magnitude\").",
                    "Captured: the share of each side's values in the forecast intervals of the other, made before the"
                            + " value. Equal: at least " + Numbers.fixed(0, 100 * mse.required())
                            + " % both ways, the rule of the paper; " + Numbers.fixed(0, 100 * conformal.required())
                            + " % of conformal intervals, which capture about 95 % by construction. The paper has 7,200"
                            + " values; shares of few repeats are coarse.",
                    "The tests assume independent values. With many values they also find differences that do not"
                            + " matter.");
        }

        private static String decimals(double value) {
            return Numbers.fixed(value != 0 && Math.abs(value) < .01 ? 4 : 3, value);
        }
    }
}
