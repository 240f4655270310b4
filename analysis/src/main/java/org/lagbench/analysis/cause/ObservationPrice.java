package org.lagbench.analysis.cause;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.ObservedRun.Window;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;

/**
 * What the observers of both sides add, as the median over blocks of a window with them minus one without. The mean is
 * noisier: one slow packet changes it.
 *
 * @param blocks the number of blocks
 * @param lagUs what is added to the lag's 10 % quantile, in µs
 * @param meanLagUs what is added to the lag's mean, in µs
 * @param cpu the CPU time that is added to that of the packet threads, as a part of it
 */
public record ObservationPrice(int blocks, Added lagUs, Added meanLagUs, Added cpu) {
    /** The metrics of the price. */
    public static final List<Metric<ObservationPrice>> METRICS = Stream.of(
                    List.of(Metric.<ObservationPrice>count(
                                    "price.blocks",
                                    "Price of observation",
                                    "Blocks",
                                    "blocks",
                                    Combination.SUM,
                                    ObservationPrice::blocks)
                            .higherIsBetter()),
                    Metric.within(ObservationPrice::lagUs, Added.times("price.lag.", "Added to the lag")),
                    Metric.within(ObservationPrice::meanLagUs, Added.times("price.meanLag.", "Added to the mean lag")),
                    Metric.within(
                            ObservationPrice::cpu,
                            List.of(
                                    Added.cpu("value", "Median", Combination.MEDIAN, Added::value),
                                    Added.cpu("low", "Low", Combination.NOT_JUDGED, Added::low),
                                    Added.cpu("high", "High", Combination.NOT_JUDGED, Added::high))))
            .flatMap(List::stream)
            .toList();

    /** With fewer packets in a window, its 10 % quantile is its minimum. */
    private static final int MIN_PACKETS = 20;

    private static final int TENTH = 10;

    /**
     * Computes the price of runs.
     *
     * @param runs the directories and records of runs of one point that were observed in windows
     * @return null if they have no block
     */
    public static @Nullable ObservationPrice of(Map<Path, RunRecord> runs) throws LagbenchException {
        List<Block> blocks = new ArrayList<>();
        for (Map.Entry<Path, RunRecord> run : runs.entrySet()) {
            addBlocks(run.getKey(), run.getValue(), blocks);
        }
        return blocks.isEmpty()
                ? null
                : new ObservationPrice(
                        blocks.size(),
                        Added.of(blocks, Block::tenthUs),
                        Added.of(blocks, Block::meanUs),
                        Added.of(blocks, Block::cpu));
    }

    /**
     * What is added, in the unit of the component.
     *
     * @param value the median over the blocks
     * @param low the lower end of its 95 % interval; NaN with fewer than 6 blocks
     * @param high the upper end of its 95 % interval; NaN with fewer than 6 blocks
     */
    public record Added(double value, double low, double high) {
        private static List<Metric<Added>> times(String id, String title) {
            return List.of(
                    Metric.time(id + "value", title, "Median", Combination.MEDIAN, us -> us.value * Units.NS_PER_US),
                    Metric.time(id + "low", title, "Low", Combination.NOT_JUDGED, us -> us.low * Units.NS_PER_US),
                    Metric.time(id + "high", title, "High", Combination.NOT_JUDGED, us -> us.high * Units.NS_PER_US));
        }

        private static Metric<Added> cpu(
                String name, String statistic, Combination combination, Metric.Getter<Added> part) {
            return Metric.fraction(
                    "price.cpu." + name, "Added CPU time of the packet threads", statistic, combination, part);
        }

        private static Added of(List<Block> blocks, ToDoubleFunction<Block> added) {
            Interval interval =
                    Interval.ofRanks(blocks.stream().mapToDouble(added).toArray());
            return new Added(interval.value(), interval.low(), interval.high());
        }
    }

    /** What the observers added in one block. */
    private record Block(double tenthUs, double meanUs, double cpu) {}

    private static void addBlocks(Path directory, RunRecord record, List<Block> blocks) throws LagbenchException {
        List<Window> sender = ObservedRun.windows(directory.resolve(EventsCapture.SENDER_FILE_NAME));
        List<Window> receiver = ObservedRun.windows(directory.resolve(EventsCapture.RECEIVER_FILE_NAME));
        int count = Math.min(sender.size(), receiver.size());
        List<LongStream.Builder> builders = IntStream.range(0, count)
                .mapToObj(window -> LongStream.builder())
                .toList();
        try (JoinedRun run = JoinedRun.openWithWindows(directory, record)) {
            run.forEachFirstCopy((arrival, packet) -> {
                long sentNs = run.sentNs(packet);
                long receivedNs = run.receivedNs(arrival);
                int window = ObservedRun.indexOf(sender, sentNs);
                if (window >= 0 && window < count && window == ObservedRun.indexOf(receiver, receivedNs)) {
                    builders.get(window).add(receivedNs - sentNs);
                }
            });
        }
        List<long[]> lags = builders.stream()
                .map(builder -> builder.build().sorted().toArray())
                .toList();
        for (int first = 0; first + 1 < count; first += 2) {
            int with = sender.get(first).isObserved() ? first : first + 1;
            int without = 2 * first + 1 - with;
            if (sender.get(with).isObserved()
                    && !sender.get(without).isObserved()
                    && Math.min(lags.get(with).length, lags.get(without).length) >= MIN_PACKETS) {
                double cpu =
                        sender.get(without).cpuShare() + receiver.get(without).cpuShare();
                blocks.add(new Block(
                        (tenthNs(lags.get(with)) - tenthNs(lags.get(without))) / Units.NS_PER_US,
                        (meanNs(lags.get(with)) - meanNs(lags.get(without))) / Units.NS_PER_US,
                        (sender.get(with).cpuShare() + receiver.get(with).cpuShare() - cpu) / cpu));
            }
        }
    }

    private static double tenthNs(long[] sorted) {
        return Quantile.ofSorted(sorted, TENTH, 1)[0];
    }

    private static double meanNs(long[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }
}
