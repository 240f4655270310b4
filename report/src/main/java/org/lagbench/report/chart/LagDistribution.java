package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.Figure.Drawing;
import org.lagbench.report.chart.Mark.Shape;

/**
 * The empirical distribution of the transmit lag, cumulative above and complementary below, with a column of panels for
 * each network. The complementary one has logarithmic axes down to a single packet, which show the tail. Marks on it
 * show the cause of each drawn packet of the tail, if the runs recorded causes.
 */
final class LagDistribution {
    static final String COMPLEMENTARY = "fraction of packets ≥ lag";

    private static final double HEIGHT = 105;

    /** The height of the complementary panels if they have marks, which need more room than lines. */
    private static final double MARKED_HEIGHT = 165;

    private static final double MARK_SIZE = 3.2;

    /** The maximum number of distinct curves in a panel; further ones are in another drawing. */
    private static final int MAX_CURVES = 7;

    /** The maximum number of causes with separate marks; all others share one. */
    private static final int MAX_CAUSES = 5;

    private static final String OTHERS = "other causes";

    private LagDistribution() {}

    static List<Drawing> draw(FigureContext context, String name) throws LagbenchException {
        Map<PointSummary, Distribution> distributions = new LinkedHashMap<>();
        for (PointSummary point : context.points()) {
            Distribution distribution = Distribution.of(context.lags(point));
            if (distribution.n() > 0) {
                distributions.put(point, distribution);
            }
        }
        List<List<PointSummary>> parts = new ArrayList<>();
        for (List<PointSummary> points : context.byTransport().values()) {
            List<PointSummary> drawn =
                    points.stream().filter(distributions::containsKey).toList();
            for (int i = 0; i < drawn.size(); i++) {
                if (i / MAX_CURVES == parts.size()) {
                    parts.add(new ArrayList<>());
                }
                parts.get(i / MAX_CURVES).add(drawn.get(i));
            }
        }
        List<Drawing> drawings = new ArrayList<>();
        for (List<PointSummary> part : parts) {
            Drawing.add(drawings, name, chart(context, part, distributions));
        }
        return drawings;
    }

    /**
     * A curve.
     *
     * @param column the title of its panels
     * @param label its name in them
     * @param causes the marked samples of each cause; none if no causes were recorded
     */
    record LabeledDistribution(
            String column,
            String label,
            LineStyle style,
            Distribution distribution,
            Map<String, List<Integer>> causes) {
        /** Creates a curve without marks. */
        LabeledDistribution(String column, String label, LineStyle style, Distribution distribution) {
            this(column, label, style, distribution, Map.of());
        }

        /** Returns the curve with only these causes; the marks of all others are {@link #OTHERS}. */
        LabeledDistribution withNamed(Set<String> named) {
            Map<String, List<Integer>> kept = new TreeMap<>();
            causes.forEach((cause, samples) -> kept.computeIfAbsent(
                            named.contains(cause) ? cause : OTHERS, another -> new ArrayList<>())
                    .addAll(samples));
            return new LabeledDistribution(column, label, style, distribution, kept);
        }
    }

    private static Chart chart(
            FigureContext context, List<PointSummary> points, Map<PointSummary, Distribution> distributions)
            throws LagbenchException {
        Map<String, LineStyle> styles = new LinkedHashMap<>();
        List<LabeledDistribution> curves = new ArrayList<>();
        for (PointSummary point : points) {
            String label = context.names().withoutNetwork(point.point());
            LineStyle style = styles.computeIfAbsent(label, another -> LineStyle.ofSeries(styles.size()));
            Distribution distribution = Objects.requireNonNull(distributions.get(point));
            curves.add(new LabeledDistribution(
                    context.names().network(point.point()),
                    label,
                    style,
                    distribution,
                    tailSamples(context, point, distribution)));
        }
        Set<String> named = frequentCauses(curves);
        curves.replaceAll(curve -> curve.withNamed(named));
        List<Entry> legend = new ArrayList<>();
        styles.forEach((label, style) -> legend.add(new Entry(label, style)));
        Map<String, Mark> marks = marks(curves);
        marks.forEach((cause, mark) -> legend.add(new Entry(cause, mark)));
        List<String> notes = new ArrayList<>();
        notes.add(Notes.pooled(
                context,
                points,
                curves.stream().mapToLong(curve -> curve.distribution().n()),
                "curve"));
        if (!marks.isEmpty()) {
            notes.add(
                    "A mark shows the cause of a lag above Q" + Tail.DEFAULT.percent() + " of its run. A stretch of the"
                            + " tail without marks has lags that no recorded event explains.");
        }
        Axis.addNoteBelowMin(notes, "Lags", (double) range(curves).getMin());
        return chart(curves, HEIGHT, legend, notes);
    }

    /** Returns the causes with the most marks. */
    private static Set<String> frequentCauses(List<LabeledDistribution> curves) {
        Map<String, Integer> samples = new TreeMap<>();
        curves.forEach(curve -> curve.causes().forEach((cause, own) -> samples.merge(cause, own.size(), Integer::sum)));
        return samples.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(MAX_CAUSES)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns a mark for each cause; its color is none of the curves'. */
    private static Map<String, Mark> marks(List<LabeledDistribution> curves) {
        int colors =
                (int) curves.stream().map(LabeledDistribution::label).distinct().count();
        Map<String, Mark> marks = new LinkedHashMap<>();
        curves.stream()
                .flatMap(curve -> curve.causes().keySet().stream())
                .distinct()
                .sorted(Comparator.<String, Boolean>comparing(OTHERS::equals).thenComparing(Comparator.naturalOrder()))
                .forEach(cause -> {
                    Shape[] shapes = Shape.values();
                    Shape shape = shapes[marks.size() % shapes.length];
                    marks.put(cause, new Mark(shape, PlotColor.ofSeries(colors + marks.size()), MARK_SIZE));
                });
        return marks;
    }

    private static String name(SideCause cause) {
        return cause.title() + ", " + cause.side().text();
    }

    /** Draws curves with at least one value each. */
    static Chart chart(List<LabeledDistribution> curves, double height, List<Entry> legend, List<String> notes) {
        LongSummaryStatistics range = range(curves);
        Axis lag = Axis.logarithmicUs("transmit lag", (double) range.getMin(), (double) range.getMax());
        List<Column> columns = new ArrayList<>();
        List<List<Layer>> cumulative = new ArrayList<>();
        List<List<Layer>> complementary = new ArrayList<>();
        Map<String, Mark> marks = marks(curves);
        curves.stream()
                .collect(Collectors.groupingBy(LabeledDistribution::column, LinkedHashMap::new, Collectors.toList()))
                .forEach((title, group) -> {
                    columns.add(new Column(title, lag));
                    cumulative.add(group.stream()
                            .map(curve -> curve.style()
                                    .stepsTo(curve.label(), us(curve), values(curve, Distribution::atOrBelow)))
                            .toList());
                    List<Layer> tails = new ArrayList<>();
                    for (LabeledDistribution curve : group) {
                        tails.add(curve.style()
                                .stepsFrom(curve.label(), us(curve), values(curve, Distribution::atOrAbove)));
                    }
                    group.forEach(curve -> tails.addAll(layers(curve, marks)));
                    complementary.add(tails);
                });
        long max = curves.stream()
                .mapToLong(curve -> curve.distribution().n())
                .max()
                .orElse(1);
        return new Chart(
                "Distribution of the transmit lag",
                columns.size() == 1 && !legend.isEmpty() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(
                        new Row(Axis.linear("fraction of packets ≤ lag", 0, 1), height, cumulative),
                        new Row(
                                Axis.decades(COMPLEMENTARY, 1.0 / (double) max, 1),
                                marks.isEmpty() ? height : MARKED_HEIGHT,
                                complementary)),
                legend,
                notes);
    }

    /** Returns the marks of each cause on the complementary curve. Rare causes cover frequent ones. */
    private static List<Layer> layers(LabeledDistribution curve, Map<String, Mark> marks) {
        Distribution lags = curve.distribution();
        return curve.causes().entrySet().stream()
                .sorted(Comparator.comparing(entry -> -entry.getValue().size()))
                .map(entry -> Objects.requireNonNull(marks.get(entry.getKey()))
                        .at(
                                entry.getKey() + ", " + curve.label(),
                                entry.getValue().stream()
                                        .mapToDouble(i -> (double) lags.valueNs(i) / Units.NS_PER_US)
                                        .toArray(),
                                entry.getValue().stream()
                                        .mapToDouble(lags::atOrAbove)
                                        .toArray()))
                .toList();
    }

    private static double[] us(LabeledDistribution curve) {
        return values(curve, (distribution, i) -> (double) distribution.valueNs(i) / Units.NS_PER_US);
    }

    private static double[] values(LabeledDistribution curve, ToDoubleBiFunction<Distribution, Integer> value) {
        return IntStream.range(0, curve.distribution().size())
                .mapToDouble(i -> value.applyAsDouble(curve.distribution(), i))
                .toArray();
    }

    private static LongSummaryStatistics range(List<LabeledDistribution> curves) {
        return curves.stream()
                .map(LabeledDistribution::distribution)
                .flatMapToLong(lags -> LongStream.of(lags.valueNs(0), lags.valueNs(lags.size() - 1)))
                .summaryStatistics();
    }

    /**
     * Returns the indexes of the samples of a distribution whose packets are in the tail of their run and have a cause,
     * in order, by cause; none if the runs recorded no causes.
     */
    private static Map<String, List<Integer>> tailSamples(
            FigureContext context, PointSummary point, Distribution distribution) throws LagbenchException {
        Map<Long, Integer> sampleOfLag = IntStream.range(0, distribution.size())
                .boxed()
                .collect(Collectors.toMap(distribution::valueNs, i -> i, (first, second) -> second));
        Map<Integer, String> causeOfSample = new HashMap<>();
        for (RunSummary run : point.runs()) {
            if (context.directory(run.name()).isIntact(RunCauses.FILES)) {
                addRun(context, run.name(), sampleOfLag, causeOfSample);
            }
        }
        Map<String, List<Integer>> samples = new TreeMap<>();
        for (int i = 0; i < distribution.size(); i++) {
            String cause = causeOfSample.get(i);
            if (cause != null) {
                samples.computeIfAbsent(cause, another -> new ArrayList<>()).add(i);
            }
        }
        return samples;
    }

    /** Adds the causes of one run. Of several packets with the lag of a sample, the first with a cause counts. */
    private static void addRun(
            FigureContext context, String name, Map<Long, Integer> sampleOfLag, Map<Integer, String> causeOfSample)
            throws LagbenchException {
        try (JoinedRun run = context.open(name)) {
            RunCauses recorded = RunCauses.open(context.directory(name).path(), run, Tail.DEFAULT);
            if (recorded == null || run.received() == 0) {
                return;
            }
            TailScan scan = recorded.attribution(Series.TRANSMIT_LAG).scan();
            for (long i = 0; i < run.received(); i++) {
                SideCause cause = scan.advance(i) ? scan.budget().cause() : null;
                Integer sample =
                        cause == null ? null : sampleOfLag.get(run.receivedNs(i) - run.sentNs(run.packetOf(i)));
                if (cause != null && sample != null) {
                    causeOfSample.putIfAbsent(sample, name(cause.grouped()));
                }
            }
        }
    }
}
