package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.CandidateGrid;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.run.Objective;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Axis;
import org.lagbench.report.chart.Cells;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.ChartFiles;
import org.lagbench.report.chart.Layer;
import org.lagbench.report.chart.LineStyle;
import org.lagbench.report.chart.Mark;
import org.lagbench.report.table.MetricScale;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;

/** The charts of a tuning run, SVG and PNG: the surface as a heat map, and the objective over the goodput. */
public final class TuneCharts {
    private static final double ROW_HEIGHT = 18;
    private static final double HEIGHT = 150;
    private static final double MARGIN = 0.1;
    private static final double MIN_MARGIN = 0.02;
    private static final double FAR = 0.7;

    private TuneCharts() {}

    /**
     * Writes the charts into their directory in a session directory.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if a file cannot be written, with
     *     {@link ExitCode#UNAVAILABLE} if this machine cannot draw
     */
    public static void write(Path session, TuneReport report) throws LagbenchException {
        ChartFiles.writeAll(session.resolve(ChartFiles.DIRECTORY), charts(report.result(), report.objective()));
    }

    /** Returns the charts by the names of their files; none of a setting, which would be drawn over itself. */
    static Map<String, Chart> charts(TuneResult result, Objective objective) {
        Map<String, Chart> charts = new LinkedHashMap<>();
        Metric<?> metric = objective.metric();
        if (metric == null) {
            return charts;
        }
        List<Surface> surfaces = Surface.of(result, metric);
        for (Surface surface : surfaces) {
            String name = surfaces.size() == 1 ? "tune-surface" : "tune-surface-" + (charts.size() + 1);
            boolean isLine =
                    surface.rowKnob() == null && surface.measured().stream().anyMatch(TuneCharts::isDrawn);
            charts.put(name, isLine ? runs(surface, result) : surface(surface, result));
        }
        if (result.rows().stream().anyMatch(TuneCharts::isDrawn)) {
            charts.put("tune-trade-off", tradeOff(result, metric));
        }
        return charts;
    }

    /** Returns the objective over the values of one knob: each run as a mark, and a line through the medians. */
    private static Chart runs(Surface surface, TuneResult result) {
        SettingAxis setting = SettingAxis.of(surface.columnKnob().name(), surface.columns());
        List<Double> columns = new ArrayList<>();
        List<CandidateResult> rows = new ArrayList<>();
        for (int column = 0; column < surface.columns().size(); column++) {
            CandidateResult row = surface.cell(0, column);
            if (row != null && isDrawn(row)) {
                columns.add(setting.places().get(column));
                rows.add(row);
            }
        }
        LineStyle medians = LineStyle.hairline(6);
        List<Layer> layers = new ArrayList<>();
        List<Chart.Entry> legend = new ArrayList<>();
        layers.add(medians.line("median", array(columns), objectives(surface.scale(), rows)));
        legend.add(new Chart.Entry("median", medians));
        DoubleSummaryStatistics range = new DoubleSummaryStatistics();
        for (boolean isOut : new boolean[] {false, true}) {
            List<Double> x = new ArrayList<>();
            List<Double> y = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                if ((rows.get(i).verdict() == CandidateVerdict.INFEASIBLE) == isOut) {
                    for (double value : rows.get(i).objectives()) {
                        if (value > 0) {
                            x.add(columns.get(i));
                            y.add(surface.scale().of(value));
                        }
                    }
                }
            }
            y.forEach(range::accept);
            if (!y.isEmpty()) {
                String label = isOut ? "a run of a candidate that breaks a constraint" : "a run";
                Mark mark = Mark.ofSeries(isOut ? Mark.Shape.CROSS : Mark.Shape.DIAMOND, isOut ? 3 : 0);
                layers.add(mark.at(label, array(x), array(y)));
                legend.add(new Chart.Entry(label, mark));
            }
        }
        return new Chart(
                surface.title(),
                Chart.ONE_COLUMN,
                setting.axis(),
                List.of(Chart.Row.of(
                        Axis.decades(surface.scale().axis(), range.getMin(), range.getMax()), HEIGHT, layers)),
                legend,
                List.of("The line joins the medians." + defaultNote(surface, result)));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static Chart surface(Surface surface, TuneResult result) {
        DoubleSummaryStatistics range = result.rows().stream()
                .filter(TuneCharts::isDrawn)
                .mapToDouble(CandidateResult::objective)
                .summaryStatistics();
        double min = range.getMin();
        double span = range.getMax() > min ? Math.log(range.getMax() / min) : 1;
        List<Cells.Cell> cells = new ArrayList<>();
        for (int row = 0; row < surface.rows().size(); row++) {
            for (int column = 0; column < surface.columns().size(); column++) {
                CandidateResult cell = surface.cell(row, column);
                if (cell != null) {
                    cells.add(new Cells.Cell(
                            column,
                            row,
                            isDrawn(cell) ? Math.log(cell.objective() / min) / span : cell.objective() == 0 ? 0 : 1,
                            surface.cellText(cell),
                            cell.verdict() == CandidateVerdict.INFEASIBLE,
                            isBest(cell, result)));
                }
            }
        }
        String rowLabel = surface.rowKnob() == null
                ? ""
                : SettingText.name(surface.rowKnob().name());
        return Cells.chart(
                surface.title(),
                Axis.categories(SettingText.name(surface.columnKnob().name()), surface.columnNames()),
                Axis.categories(rowLabel, surface.rowNames()),
                Math.max(2, surface.rows().size()) * ROW_HEIGHT,
                cells,
                "breaks a constraint",
                List.of(surfaceNote(surface, cells, result)));
    }

    private static String surfaceNote(Surface surface, List<Cells.Cell> cells, TuneResult result) {
        StringBuilder note = new StringBuilder(
                "Medians over the runs of each candidate. A stronger color is a larger value, on a logarithmic scale.");
        if (cells.stream().anyMatch(Cells.Cell::isMarked)) {
            note.append(" Thick frame: ").append(result.bestTitle()).append('.');
        }
        if (cells.size() < surface.rows().size() * surface.columns().size()) {
            note.append(" Empty: not run.");
        }
        return note.append(defaultNote(surface, result)).toString();
    }

    private static String defaultNote(Surface surface, TuneResult result) {
        return result.ofDefault()
                .map(row -> " The system default: "
                        + Surface.cellText(
                                row, value -> Numbers.quantity(surface.metric().unit(), value)) + ", "
                        + row.verdict().title() + ".")
                .orElse("");
    }

    private static Chart tradeOff(TuneResult result, Metric<?> metric) {
        List<CandidateResult> drawn =
                result.rows().stream().filter(TuneCharts::isDrawn).toList();
        LineStyle frontier = LineStyle.hairline(6);
        List<CandidateResult> best =
                result.frontier().stream().filter(TuneCharts::isDrawn).toList();
        MetricScale scale = MetricScale.of(metric, drawn.stream().mapToDouble(CandidateResult::objective));
        List<Layer> layers = new ArrayList<>();
        List<Chart.Entry> legend = new ArrayList<>();
        if (best.size() > 1) {
            layers.add(frontier.line("frontier", goodputs(best), objectives(scale, best)));
            legend.add(new Chart.Entry("no candidate is better in both", frontier));
        }
        Map<Kind, List<CandidateResult>> byKind = drawn.stream()
                .collect(Collectors.groupingBy(
                        row -> Kind.of(row, result),
                        () -> new TreeMap<>(Comparator.comparing(Kind::order)),
                        Collectors.toList()));
        byKind.forEach((kind, rows) -> {
            layers.add(kind.mark().at(kind.label(), goodputs(rows), objectives(scale, rows)));
            legend.add(new Chart.Entry(kind.label(), kind.mark()));
        });
        DoubleSummaryStatistics objectives =
                Arrays.stream(objectives(scale, drawn)).summaryStatistics();
        return new Chart(
                MetricScale.capitalized(MetricNames.inSentence(metric)) + " over goodput",
                Chart.ONE_COLUMN,
                goodputAxis(goodputs(drawn)),
                List.of(Chart.Row.of(
                        Axis.decades(scale.axis(), objectives.getMin(), objectives.getMax()), HEIGHT, layers)),
                legend,
                List.of("Each mark shows the median objective and the mean goodput of a candidate's runs. "
                        + TuneReport.TRADE_OFF + " has the numbers."));
    }

    /**
     * Candidates with one mark.
     *
     * @param order of the marks: later ones cover earlier ones
     */
    private record Kind(int order, String label, Mark mark) {
        static Kind of(CandidateResult row, TuneResult result) {
            String verdict = row.verdict().title();
            if (row.candidate().isDefault()) {
                return new Kind(5, "system default: " + verdict, Mark.ofSeries(Mark.Shape.TRIANGLE, 1));
            }
            if (isBest(row, result)) {
                return new Kind(4, result.bestTitle() + ": " + verdict, Mark.large(Mark.Shape.DIAMOND));
            }
            return switch (row.verdict()) {
                case UNDECIDED -> new Kind(0, verdict, Mark.ofSeries(Mark.Shape.SQUARE, 5));
                case WORSE, LARGER -> new Kind(1, verdict, Mark.ofSeries(Mark.Shape.PLUS, 2));
                case INFEASIBLE -> new Kind(2, verdict, Mark.ofSeries(Mark.Shape.CROSS, 3));
                case TIED -> new Kind(3, verdict, Mark.ofSeries(Mark.Shape.DIAMOND, 0));
            };
        }
    }

    private static boolean isBest(CandidateResult row, TuneResult result) {
        return row.candidate().equals(result.recommended());
    }

    /** Returns an axis from 0, unless all values are close together and far from it. */
    private static Axis goodputAxis(double[] megas) {
        DoubleSummaryStatistics range = Arrays.stream(megas).summaryStatistics();
        double min = range.getMin();
        double max = range.getMax();
        double margin = Math.max((max - min) * MARGIN, max * MIN_MARGIN);
        boolean far = min > max * FAR;
        return Axis.linear("goodput (Mbit/s)", far ? min - margin : 0, max + margin);
    }

    private static double[] goodputs(List<CandidateResult> rows) {
        return rows.stream()
                .mapToDouble(row -> row.goodputBitsPerS() / Units.BITS_PER_MBIT)
                .toArray();
    }

    private static double[] objectives(MetricScale scale, List<CandidateResult> rows) {
        return rows.stream().mapToDouble(row -> scale.of(row.objective())).toArray();
    }

    private static boolean isDrawn(CandidateResult row) {
        return Double.isFinite(row.objective()) && row.objective() > 0;
    }

    /**
     * The objective over two knobs, for one setting of the others.
     *
     * @param rowKnob the knob of the rows; null if there is only one knob
     * @param rows its values, in order; one empty value without it
     * @param columns the values of the other knob
     * @param scale how objectives are shown
     * @param measured the candidates with this setting of the others
     */
    record Surface(
            String title,
            Metric<?> metric,
            @Nullable Knob rowKnob,
            List<String> rows,
            Knob columnKnob,
            List<String> columns,
            MetricScale scale,
            List<CandidateResult> measured) {
        /** Returns a surface for each setting of the knobs beyond the first two. */
        static List<Surface> of(TuneResult result, Metric<?> metric) {
            List<CandidateResult> measured = result.rows().stream()
                    .filter(row -> !row.candidate().isDefault())
                    .toList();
            List<Knob> knobs = result.knobs();
            List<TuneCandidate> candidates =
                    measured.stream().map(CandidateResult::candidate).toList();
            Knob rowKnob = knobs.size() > 1 ? knobs.get(0) : null;
            Knob columnKnob = knobs.get(rowKnob == null ? 0 : 1);
            List<String> rows = rowKnob == null ? List.of("") : CandidateGrid.values(rowKnob, candidates);
            List<String> columns = CandidateGrid.values(columnKnob, candidates);
            MetricScale scale = MetricScale.of(metric, measured.stream().mapToDouble(CandidateResult::objective));
            Map<Map<String, String>, List<CandidateResult>> byOthers = new LinkedHashMap<>();
            for (CandidateResult row : measured) {
                Map<String, String> others = new LinkedHashMap<>(row.candidate().knobs());
                knobs.stream().limit(2).map(Knob::name).forEach(others::remove);
                byOthers.computeIfAbsent(others, one -> new ArrayList<>()).add(row);
            }
            List<Surface> surfaces = new ArrayList<>();
            byOthers.forEach((others, results) -> surfaces.add(new Surface(
                    scale.title() + (others.isEmpty() ? "" : " with " + new TuneCandidate(others).text()),
                    metric,
                    rowKnob,
                    rows,
                    columnKnob,
                    columns,
                    scale,
                    results)));
            return surfaces;
        }

        /** Returns the candidate of a cell, or null if it was not run. */
        @Nullable
        CandidateResult cell(int row, int column) {
            return measured.stream()
                    .filter(one -> columns.get(column)
                                    .equals(one.candidate().knobs().get(columnKnob.name()))
                            && (rowKnob == null
                                    || rows.get(row)
                                            .equals(one.candidate().knobs().get(rowKnob.name()))))
                    .findFirst()
                    .orElse(null);
        }

        /** Returns the values of the rows with units. */
        List<String> rowNames() {
            Knob knob = rowKnob;
            return knob == null
                    ? List.of("")
                    : rows.stream()
                            .map(value -> SettingText.value(knob.name(), value))
                            .toList();
        }

        /** Returns the heads of the columns: the knob's values with units. */
        List<String> columnNames() {
            return columns.stream()
                    .map(value -> SettingText.value(columnKnob.name(), value))
                    .toList();
        }

        /** Returns the surface as a table, with candidates that break a constraint in parentheses. */
        Table table() {
            TableColumns<Integer> table = new TableColumns<Integer>()
                    .text(rowKnob == null ? "" : SettingText.name(rowKnob.name()), row -> rowNames()
                            .get(row))
                    .group(SettingText.name(columnKnob.name()));
            for (int i = 0; i < columns.size(); i++) {
                int column = i;
                table.number(columnNames().get(column), "", row -> cellText(cell(row, column)));
            }
            return table.table(title, IntStream.range(0, rows.size()).boxed().toList());
        }

        String cellText(@Nullable CandidateResult cell) {
            return cell == null ? "" : cellText(cell, scale::text);
        }

        static String cellText(CandidateResult cell, DoubleFunction<String> text) {
            String value = cell.runs() == 0
                    ? "spoiled"
                    : Double.isNaN(cell.objective()) ? "all lost" : text.apply(cell.objective());
            return cell.verdict() == CandidateVerdict.INFEASIBLE ? "(" + value + ")" : value;
        }
    }
}
