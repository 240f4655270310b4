package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.comparison.Between;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Studies;
import org.lagbench.analysis.comparison.Study;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.Equivalence.Coverage;
import org.lagbench.analysis.forecast.Equivalence.Regression;
import org.lagbench.analysis.forecast.Equivalence.SeriesFigures;
import org.lagbench.analysis.forecast.Equivalence.TwoSampleTest;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;

/**
 * The values of an axis as series over the repeats: means and variances, regression, predictability and tests, as
 * tables 3 to 7 of Krintz and Wolski.
 */
final class EquivalenceView {
    private static final String WITHOUT_OUTLIERS = "Without outliers";

    private EquivalenceView() {}

    static Result result(Summary summary, Between between) throws LagbenchException {
        Studies studies = Studies.of(summary, between);
        return new Result(
                () -> document(summary, studies),
                () -> ComparisonDocument.tree(summary, studies),
                ComparisonDocument::rows);
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
        notes.addAll(ComparisonView.notes(studies.comparisons(), compared(studies)));
        return Document.of(summary, tables, notes);
    }

    private static List<Comparison> compared(Studies studies) {
        return studies.all().stream().map(Study::comparison).toList();
    }

    private static List<Table> tables(Studies studies) {
        return List.of(
                table(
                        "Mean and variance of the repeats",
                        studies,
                        new TableColumns<Study>()
                                .addAll(moments("Baseline"), study -> study.equivalence()
                                        .first())
                                .addAll(moments("Compared"), study -> study.equivalence()
                                        .second())),
                ComparisonView.means(studies.comparisons(), compared(studies)),
                table(
                        "Least squares through the pairs",
                        studies,
                        new TableColumns<Study>()
                                .addAll(line("All pairs"), study -> study.equivalence()
                                        .regression())
                                .addAll(line(WITHOUT_OUTLIERS), study -> study.equivalence()
                                        .regressionWithoutOutliers())
                                .group(WITHOUT_OUTLIERS)
                                .text("Near 1", study -> study.isSlopeNearOne() ? "yes" : "no")),
                table(
                        "Values that the other's forecast intervals capture",
                        studies,
                        new TableColumns<Study>()
                                .addAll(coverage("Forecast ± 2√MSE"), study -> study.equivalence()
                                        .mseIntervals())
                                .addAll(coverage("Conformal"), study -> study.equivalence()
                                        .conformalIntervals())),
                table(
                        "p-values of tests whether both have the same distribution",
                        studies,
                        new TableColumns<Study>()
                                .addAll(test("Values"), study -> study.equivalence()
                                        .values())
                                .addAll(test("Forecast errors"), study -> study.equivalence()
                                        .errors())));
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

    private static TableColumns<SeriesFigures> moments(String side) {
        return new TableColumns<SeriesFigures>()
                .group(side)
                .plain("Mean", SeriesFigures::mean)
                .plain("Variance", SeriesFigures::variance);
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
                .fixed(1, "Baseline", "%", coverage -> 100 * coverage.second().other())
                .fixed(1, "Compared", "%", coverage -> 100 * coverage.first().other())
                .text("Equal", EquivalenceView::equal);
    }

    private static String equal(Coverage coverage) {
        return Double.isNaN(coverage.first().other() + coverage.second().other())
                ? Numbers.NONE
                : coverage.isEquivalent() ? "yes" : "no";
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
        return Numbers.fixed(value != 0 && Math.abs(value) < .01 ? 4 : 3, value);
    }
}
