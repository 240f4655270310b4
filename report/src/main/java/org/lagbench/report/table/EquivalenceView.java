package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Studies;
import org.lagbench.analysis.comparison.Study;
import org.lagbench.analysis.forecast.Coverage;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.Regression;
import org.lagbench.analysis.forecast.SeriesFigures;
import org.lagbench.analysis.forecast.TwoSampleTest;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;

/**
 * The values of an axis as series over the repeats: means and variances, regression, predictability and tests, as
 * tables 3 to 7 of Krintz and Wolski.
 */
final class EquivalenceView implements ViewContent {
    @Override
    public Set<MetricGroup<?>> needs() {
        return ComparisonView.NEEDS;
    }

    @Override
    public Result result(Summary summary, TableView view) throws LagbenchException {
        Studies studies = Studies.of(summary, Objects.requireNonNull(view.between()));
        return new Result(
                () -> new Tables(summary, studies).document(),
                () -> ComparisonDocument.tree(summary, studies),
                ComparisonDocument::rows);
    }

    /** The tables of the studies of a summary. */
    private static final class Tables {
        private final Summary summary;
        private final Comparisons comparisons;
        private final List<Study> studies;
        private final List<Comparison> compared;

        Tables(Summary summary, Studies studies) {
            this.summary = summary;
            this.comparisons = studies.comparisons();
            this.studies = studies.all();
            this.compared = this.studies.stream().map(Study::comparison).toList();
        }

        private Document document() {
            List<String> notes = new ArrayList<>();
            if (studies.isEmpty()) {
                notes.add("No repeat has a value of both sides.");
            } else {
                notes.addAll(studyNotes());
            }
            notes.addAll(ComparisonView.notes(comparisons, compared));
            return Document.of(
                    summary,
                    studies.isEmpty()
                            ? List.of()
                            : List.of(
                                    moments(),
                                    ComparisonView.means(comparisons, compared),
                                    regression(),
                                    captures(),
                                    tests()),
                    notes);
        }

        private TableColumns<Study> columns() {
            return new TableColumns<Study>()
                    .addAll(ComparisonView.columns(comparisons, compared), Study::comparison)
                    .text("Quantity", study -> study.comparison().metric().title());
        }

        private Table table(String title, TableColumns<Study> columns) {
            int axes = ComparisonView.axes(comparisons, compared);
            return columns.table(
                    title + ", compared with " + comparisons.axis().name() + " " + comparisons.baseline(),
                    studies,
                    axes);
        }

        private Table moments() {
            TableColumns<Study> columns = columns();
            addMoments(columns.group("Baseline"), Equivalence::first);
            addMoments(columns.group("Compared"), Equivalence::second);
            return table("Mean and variance of the repeats", columns);
        }

        private static void addMoments(TableColumns<Study> columns, Function<Equivalence, SeriesFigures> series) {
            columns.number(
                            "Mean",
                            "",
                            study -> Numbers.sixDigits(
                                    series.apply(study.equivalence()).mean()))
                    .number(
                            "Variance",
                            "",
                            study -> Numbers.sixDigits(
                                    series.apply(study.equivalence()).variance()));
        }

        private Table regression() {
            TableColumns<Study> columns = columns().group("All pairs");
            columns.number(
                    "Pairs",
                    "",
                    study -> Long.toString(study.equivalence().regression().pairs()));
            addLine(columns, Equivalence::regression);
            columns.group("Without outliers")
                    .number(
                            "Pairs",
                            "",
                            study -> Long.toString(study.equivalence()
                                    .regressionWithoutOutliers()
                                    .pairs()));
            addLine(columns, Equivalence::regressionWithoutOutliers);
            columns.text("Near 1", study -> study.isSlopeNearOne() ? "yes" : "no");
            return table("Least squares through the pairs", columns);
        }

        /** Adds the two columns for one part of the equivalence test. */
        private static <T> void addPair(
                TableColumns<Study> columns,
                Function<Equivalence, T> part,
                String first,
                ToDoubleFunction<T> firstOf,
                String second,
                ToDoubleFunction<T> secondOf) {
            columns.number(first, "", study -> decimals(firstOf.applyAsDouble(part.apply(study.equivalence()))))
                    .number(second, "", study -> decimals(secondOf.applyAsDouble(part.apply(study.equivalence()))));
        }

        private static void addLine(TableColumns<Study> columns, Function<Equivalence, Regression> line) {
            addPair(columns, line, "Slope", Regression::slope, "R²", Regression::rSquared);
        }

        private Table captures() {
            TableColumns<Study> columns = columns();
            addCoverage(columns.group("Forecast ± 2√MSE"), Equivalence::mseIntervals);
            addCoverage(columns.group("Conformal"), Equivalence::conformalIntervals);
            return table("Values that the other's forecast intervals capture", columns);
        }

        private static void addCoverage(TableColumns<Study> columns, Function<Equivalence, Coverage> coverage) {
            columns.fixed(
                            1,
                            "Baseline",
                            "%",
                            study -> 100
                                    * coverage.apply(study.equivalence())
                                            .second()
                                            .other())
                    .fixed(
                            1,
                            "Compared",
                            "%",
                            study -> 100
                                    * coverage.apply(study.equivalence())
                                            .first()
                                            .other())
                    .text("Equal", study -> equal(coverage.apply(study.equivalence())));
        }

        private static String equal(Coverage coverage) {
            return Double.isNaN(coverage.first().other() + coverage.second().other())
                    ? Numbers.NONE
                    : coverage.isEquivalent() ? "yes" : "no";
        }

        private Table tests() {
            TableColumns<Study> columns = columns();
            addTest(columns.group("Values"), Equivalence::values);
            addTest(columns.group("Forecast errors"), Equivalence::errors);
            return table("p-values of tests whether both have the same distribution", columns);
        }

        private static void addTest(TableColumns<Study> columns, Function<Equivalence, TwoSampleTest> test) {
            addPair(
                    columns,
                    test,
                    "Kolmogorov- Smirnov",
                    TwoSampleTest::kolmogorovSmirnov,
                    "Mann- Whitney",
                    TwoSampleTest::mannWhitney);
        }

        private List<String> studyNotes() {
            Coverage mse = studies.get(0).equivalence().mseIntervals();
            Coverage conformal = studies.get(0).equivalence().conformalIntervals();
            return List.of(
                    "A value is the figure of one repeat: the median of a lag, or the mean rate. The values of one"
                            + " repeat are a pair, in the order of execution. The means have the unit of the quantity"
                            + " (µs, Mbit/s), the variances its square.",
                    "Slope: of the line of least squares through the origin, from baseline to compared. Near 1: without"
                            + " outliers within ± " + Numbers.fixed(0, 100 * Study.SLOPE_TOLERANCE)
                            + " %. It does not show equality: see the verdicts on the means.",
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
            return Double.isNaN(value)
                    ? Numbers.NONE
                    : Numbers.fixed(value != 0 && Math.abs(value) < .01 ? 4 : 3, value);
        }
    }
}
