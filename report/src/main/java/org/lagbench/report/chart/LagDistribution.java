package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.Collections;
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
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.chart.Mark.Shape;
import org.lagbench.report.table.Numbers;

/**
 * The empirical distribution of the transmit lag, cumulative above and complementary below, with a column of panels for
 * each network. The complementary one has logarithmic axes down to a single packet, which show the tail. Marks on it
 * show the cause of each drawn packet of the tail, if the runs recorded causes.
 */
final class LagDistribution {
    static final String COMPLEMENTARY = "fraction of arrived packets ≥ lag";

    private static final double HEIGHT = 105;

    /** The height of the complementary panels if they have marks, which need more room than lines. */
    private static final double MARKED_HEIGHT = 165;

    private static final double MARK_SIZE = 3.2;

    /** The maximum number of distinct curves in a panel; further ones are in another drawing. */
    private static final int MAX_CURVES = 7;

    /** The maximum number of causes with separate shapes of marks; all others share one. */
    private static final int MAX_CAUSES = Shape.values().length - 1;

    private static final List<Shape> SHAPES = List.of(Shape.values());

    static final String OTHERS = "other causes";

    private LagDistribution() {}

    static List<Drawing> draw(ChartContext context, String name) throws LagbenchException {
        Map<PointSummary, Distribution> distributions = distributions(context);
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

    /** Returns the lags of each point that has any. */
    private static Map<PointSummary, Distribution> distributions(ChartContext context) throws LagbenchException {
        Map<PointSummary, Distribution> distributions = new LinkedHashMap<>();
        for (PointSummary point : context.points()) {
            Distribution distribution = Distribution.of(context.lags(point));
            if (distribution.n() > 0) {
                distributions.put(point, distribution);
            }
        }
        return distributions;
    }

    /**
     * Draws only the tails, with the causes of the slow packets, of at most {@value #MAX_CURVES} points in one panel.
     * Its title says how slow the slowest packet was, and why.
     */
    static List<Drawing> drawTail(ChartContext context, String name) throws LagbenchException {
        Map<PointSummary, Distribution> distributions = distributions(context);
        List<LabeledDistribution> curves = new ArrayList<>();
        for (Map.Entry<PointSummary, Distribution> point : distributions.entrySet()) {
            if (curves.size() < MAX_CURVES) {
                curves.add(new LabeledDistribution(
                        "",
                        context.names().full(point.getKey().point()),
                        LineStyle.ofSeries(curves.size()),
                        point.getValue(),
                        tailSamples(context, point.getKey(), point.getValue()),
                        List.of()));
            }
        }
        if (curves.stream().allMatch(curve -> curve.causes().isEmpty())) {
            return List.of();
        }
        String title = finding(curves);
        Set<String> named = largestCauses(curves);
        curves.replaceAll(curve -> curve.withNamed(named));
        List<Entry> legend = new ArrayList<>();
        curves.forEach(curve -> legend.add(new Entry(curve.label(), curve.style())));
        marks(curves).forEach((cause, mark) -> legend.add(new Entry(cause, mark)));
        LongSummaryStatistics range = range(curves);
        Axis lag = Axis.logarithmicUs("transmit lag", (double) range.getMin(), (double) range.getMax());
        Row tails = Row.of(fractionAxis(curves), MARKED_HEIGHT, tails(curves, marks(curves)));
        List<PointSummary> drawn =
                distributions.keySet().stream().limit(MAX_CURVES).toList();
        String note = Notes.pooled(
                context,
                drawn,
                curves.stream().mapToLong(curve -> curve.distribution().n()),
                "curve");
        return List.of(
                new Drawing(name, new Chart(title, Chart.ONE_COLUMN, lag, List.of(tails), legend, List.of(note))));
    }

    /** Returns how slow the slowest packet was, and its cause. */
    private static String finding(List<LabeledDistribution> curves) {
        LabeledDistribution slowest = Collections.max(curves, Comparator.comparingLong(curve -> curve.distribution()
                .valueNs(curve.distribution().size() - 1)));
        Distribution lags = slowest.distribution();
        int last = lags.size() - 1;
        int middle = 0;
        while (lags.atOrBelow(middle) < 0.5) {
            middle++;
        }
        String cause = slowest.causes().entrySet().stream()
                .filter(samples -> samples.getValue().contains(last))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("no recorded event explains it");
        double times = (double) lags.valueNs(last) / (double) lags.valueNs(middle);
        return "The slowest packet took " + Numbers.duration((double) lags.valueNs(last)) + ", "
                + Numbers.significant(2, times) + " times the median: " + cause;
    }

    private static Chart chart(
            ChartContext context, List<PointSummary> points, Map<PointSummary, Distribution> distributions)
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
                    tailSamples(context, point, distribution),
                    List.of()));
        }
        Set<String> named = largestCauses(curves);
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

    /** Returns the causes with the largest sum of the marked lags. */
    private static Set<String> largestCauses(List<LabeledDistribution> curves) {
        Map<String, Long> sumsNs = new TreeMap<>();
        for (LabeledDistribution curve : curves) {
            curve.causes()
                    .forEach((cause, samples) -> samples.forEach(
                            i -> sumsNs.merge(cause, curve.distribution().valueNs(i), Long::sum)));
        }
        return sumsNs.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
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
                    Shape shape = SHAPES.get(marks.size());
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
                    complementary.add(tails(group, marks));
                });
        return new Chart(
                "Distribution of the transmit lag",
                columns.size() == 1 && !legend.isEmpty() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(
                        new Row(Axis.linear("fraction of arrived packets ≤ lag", 0, 1), height, cumulative),
                        new Row(fractionAxis(curves), marks.isEmpty() ? height : MARKED_HEIGHT, complementary)),
                legend,
                notes);
    }

    /** Returns an axis down to a single packet. */
    private static Axis fractionAxis(List<LabeledDistribution> curves) {
        long max = curves.stream()
                .mapToLong(curve -> curve.distribution().n())
                .max()
                .orElse(1);
        return Axis.decades(COMPLEMENTARY, 1.0 / (double) max, 1);
    }

    /** Returns the complementary curves, and above them the marks of their causes. */
    private static List<Layer> tails(List<LabeledDistribution> curves, Map<String, Mark> marks) {
        List<Layer> tails = new ArrayList<>();
        for (LabeledDistribution curve : curves) {
            Layer steps = curve.style().stepsFrom(curve.label(), us(curve), values(curve, Distribution::atOrAbove));
            tails.add(curve.packets().isEmpty() ? steps : steps.with("packets", LayerData.packets(curve.packets())));
        }
        curves.forEach(curve -> tails.addAll(layers(curve, marks)));
        return tails;
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
            ChartContext context, PointSummary point, Distribution distribution) throws LagbenchException {
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
            ChartContext context, String name, Map<Long, Integer> sampleOfLag, Map<Integer, String> causeOfSample)
            throws LagbenchException {
        try (JoinedRun run = context.open(name)) {
            RunCauses recorded = RunCauses.open(run, Tail.DEFAULT);
            if (recorded == null || run.received() == 0) {
                return;
            }
            TailScan scan = recorded.attribution(PacketDelay.TRANSMIT_LAG).scan();
            for (long i = 0; i < run.received(); i++) {
                SideCause cause = scan.advance(i) ? scan.excess().cause() : null;
                Integer sample =
                        cause == null ? null : sampleOfLag.get(run.receivedNs(i) - run.sentNs(run.packetOf(i)));
                if (cause != null && sample != null) {
                    causeOfSample.putIfAbsent(sample, name(cause.grouped()));
                }
            }
        }
    }
}
