package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.clock.OffsetEstimate.OffsetLine;
import org.lagbench.analysis.clock.StampStep;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.media.AdaptiveBuffer;
import org.lagbench.analysis.media.DelayBudget;
import org.lagbench.analysis.media.DelayBudget.DelayVerdict;
import org.lagbench.analysis.media.DelayBudget.LateTarget;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.media.MediaGroups;
import org.lagbench.analysis.media.MediaMetrics;
import org.lagbench.analysis.media.MediaMetrics.Duplication;
import org.lagbench.analysis.media.MediaMetrics.Ipdv;
import org.lagbench.analysis.media.MediaMetrics.Jitter;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.media.Reordering;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.CountStatistics;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.SeriesStatistics.TrimmedStatistics;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.ClockEffect.RunStep;
import org.lagbench.analysis.summary.CorrectedLag;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Rates;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.Summary.ExcludedRun;
import org.lagbench.analysis.summary.WarmUp;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.TrafficSpec;

/**
 * The metrics of Table 1 in Norris and Miller, "Comparing the Performance of IP Over Ethernet and IEEE-1394 on a Java
 * Platform", as a summary. Values that are missing in the table are made up.
 */
final class PaperSummary {
    private static final String[] NAMES = {"tcp", "udp", "ieee1394"};
    private static final String[] TITLES = {"TCP/IP", "UDP/IP", "IEEE-1394"};
    private static final int[] SIZES = {992, 396, 24};

    /** Median, mean, standard deviation; Q95, mean, standard deviation; Q99, mean, standard deviation; all in µs. */
    private static final double[][] FIGURES_US = {
        {4435, 4492, 1671, 5516, 4283, 857.6, 10910, 4367, 974.5},
        {440, 1135, 2801, 4982, 573.6, 594.7, 16170, 932.3, 1915},
        {1910, 5187, 9737, 30380, 3217, 4062, 51000, 4624, 7993},
        {835, 869.3, 647.7, 1141, 818.3, 175.9, 1578, 833.8, 188.7},
        {1683, 1716, 1139, 2168, 1601, 379.9, 3743, 1640, 423.7},
        {28110, 28780, 8311, 40920, 27400, 4285, 67530, 28250, 6070},
        {754, 896.5, 1355, 1106, 728, 124.5, 6236, 783.9, 372.1},
        {1258, 1444, 1451, 2394, 1250, 326.6, 7105, 1333, 553.3},
        {11860, 11950, 4707, 18850, 11450, 4203, 23820, 11800, 4474},
    };

    private static final TailStatistics NO_TAIL = new TailStatistics(
            0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** The media metrics, made up because the paper does not have them. */
    private static final MediaMetrics MEDIA = new MediaMetrics(
            new Jitter(Double.NaN, Double.NaN, Double.NaN),
            new Ipdv(NO_TAIL, NO_TAIL, 0),
            NO_TAIL,
            new LossPattern(0, 0, Double.NaN, CountStatistics.NONE, CountStatistics.NONE, CountStatistics.NONE),
            new Reordering(0, Double.NaN, CountStatistics.NONE, 0, 0, 0),
            new Duplication(0, Double.NaN, 0, Double.NaN, 0),
            null);

    private static final PlayoutBudget PLAYOUT = new PlayoutBudget(
            0,
            0,
            null,
            Stream.of(LateTarget.values())
                    .map(target -> new DelayBudget(target, DelayVerdict.TOO_FEW_PACKETS, null, null, null, 0))
                    .toList(),
            new AdaptiveBuffer(0, 0, Double.NaN, Double.NaN, Double.NaN));

    private PaperSummary() {}

    static Summary whole() {
        List<PointSummary> points = new ArrayList<>();
        for (int row = 0; row < FIGURES_US.length; row++) {
            MeasuredPoint point = new MeasuredPoint(
                    point(NAMES[row / 3], SIZES[row % 3], Pace.flood(), Map.of("send-buffer", "auto")),
                    null,
                    TITLES[row / 3],
                    row < 6 ? null : "OHCI controller",
                    null);
            Metrics figures = metrics(FIGURES_US[row]);
            points.add(new PointSummary(
                    point,
                    figures,
                    List.of(new RunSummary("run-" + row, 1, RunRecord.State.COMPLETE, figures, null, null))));
        }
        return new Summary("norris-miller-2001", false, points, List.of());
    }

    /** Returns one point whose clocks are not known to agree, with a name that every format must escape. */
    static Summary doubtful() {
        Metrics unknown = metrics(FIGURES_US[0])
                .with(MetricGroup.RUNS, 1)
                .with(MetricGroup.FOREIGN, null)
                .with(MetricGroup.KERNEL_DROPS, null)
                .with(MetricGroup.OVERWRITTEN, 7L)
                .with(
                        MetricGroup.CLOCK,
                        new ClockEffect(
                                null,
                                Set.of(ClockBound.Basis.NOTHING),
                                List.of(),
                                null,
                                List.of(),
                                List.of(),
                                List.of()))
                .with(MetricGroup.WARM_UP, new WarmUp(Double.NaN, Double.NaN));
        MeasuredPoint point = new MeasuredPoint(
                point("odd", 24, new Pace(Pace.Mode.SPIN, 125_000), Map.of("note", "a,\"b\"")),
                null,
                "50% <A&B|_C>",
                null,
                null);
        return new Summary(
                "doubtful",
                false,
                List.of(new PointSummary(
                        point,
                        unknown,
                        List.of(new RunSummary("run", 1, RunRecord.State.COMPLETE, unknown, null, null)))),
                List.of(new ExcludedRun("0002-odd-24-r2", "broke off: the receiver vanished.", point, null)));
    }

    /**
     * Returns two corrected runs. In one, the receiver's clock was 55 ms behind, which was accepted unsynchronized, and
     * packets arrived before they were sent. In the other, it stepped, so that its bound is unknown.
     */
    static Summary corrected() {
        double[] early = new double[9];
        for (int i = 0; i < early.length; i++) {
            boolean isLag = List.of(0, 1, 3, 4, 6, 7).contains(i);
            early[i] = FIGURES_US[0][i] - (isLag ? 55_000 : 0);
        }
        ClockEffect known = new ClockEffect(
                55_100_000L,
                Set.of(ClockBound.Basis.TWO_WAY),
                List.of("run-1"),
                4L,
                List.of(),
                List.of(),
                List.of(
                        new RunMark("run-1", "The sender's clock is not kept by chrony."),
                        new RunMark("run-1", "Four came too early.")));
        ClockEffect unknown = new ClockEffect(
                null,
                Set.of(ClockBound.Basis.NOTHING),
                List.of(),
                null,
                List.of("run-2"),
                List.of(
                        new RunStep(
                                "run-2",
                                new StampStep(1_000L, 3_000L, -200_000L, -201_000L, -199_000L, 4, 6),
                                "sender"),
                        new RunStep("run-2", new StampStep(5_000L, 9_000L, null, null, null, 6, 8), null)),
                List.of(new RunMark("run-2", "The sender's clock is not kept by chrony.")));
        Metrics first = clocked(
                early, 249_000, known, corrected(-55_000_000, 100.0 / 3, 33_333L, 12.5), new WarmUp(-45e6, -44e6));
        Metrics second =
                clocked(FIGURES_US[3], 0, unknown, corrected(12_000, -0.0004, null, null), new WarmUp(1e6, 1e6));
        return new Summary(
                "corrected",
                true,
                List.of(
                        new PointSummary(
                                new MeasuredPoint(
                                        point("tcp", 992, Pace.flood(), Map.of()), null, TITLES[0], null, null),
                                first,
                                List.of(new RunSummary("run-1", 1, RunRecord.State.COMPLETE, first, null, null))),
                        new PointSummary(
                                new MeasuredPoint(
                                        point("udp", 992, Pace.flood(), Map.of()), null, TITLES[1], null, null),
                                second,
                                List.of(new RunSummary("run-2", 1, RunRecord.State.COMPLETE, second, null, null)))),
                List.of());
    }

    private static Point point(String transport, int bytes, Pace pace, Map<String, Object> settings) {
        return new Point(
                transport,
                bytes,
                250_000,
                0,
                pace,
                TrafficSpec.ONE_WAY,
                new Settings(settings),
                new EngineSpec("java", JvmOptions.NONE),
                Set.of(),
                RunConditions.DEFAULT);
    }

    private static Metrics clocked(
            double[] us, long negative, ClockEffect clock, List<CorrectedLag> corrected, WarmUp warmUp) {
        return metrics(us)
                .with(MetricGroup.RUNS, 1)
                .with(MetricGroup.PACKETS, new RunPacketCounts(250_000, 250_000, 0, 0, 0, 0, negative))
                .with(MetricGroup.CLOCK, clock)
                .with(MetricGroup.SERIES, Map.of(PacketDelay.TRANSMIT_LAG, lag(us)))
                .with(MetricGroup.CORRECTED, corrected)
                .with(MetricGroup.WARM_UP, warmUp);
    }

    private static List<CorrectedLag> corrected(
            long offsetNs, double skewPpm, @Nullable Long uncertaintyNs, @Nullable Double skewUncertaintyPpm) {
        OffsetLine line = new OffsetLine(1_790_000_000_000_000_000L, offsetNs, 0, skewPpm * 1e-6);
        OffsetEstimate estimate = new OffsetEstimate(line, line.originNs(), uncertaintyNs, skewUncertaintyPpm);
        return List.of(
                new CorrectedLag(Estimator.TWO_WAY, lag(FIGURES_US[0]), uncertaintyNs, List.of(estimate)),
                new CorrectedLag(Estimator.HULL, lag(FIGURES_US[3]), uncertaintyNs, List.of(estimate)));
    }

    private static SeriesStatistics lag(double[] us) {
        return new SeriesStatistics(
                250_000,
                us[0] * 1e3,
                us[1] * 1e3,
                us[2] * 1e3,
                1,
                us[6] * 2e3,
                new TrimmedStatistics(us[3] * 1e3, us[4] * 1e3, us[5] * 1e3, 12_500),
                new TrimmedStatistics(us[6] * 1e3, us[7] * 1e3, us[8] * 1e3, 2_500));
    }

    private static Metrics metrics(double[] us) {
        ClockEffect clock = new ClockEffect(
                6_000L, Set.of(ClockBound.Basis.CHRONY), List.of(), 0L, List.of(), List.of(), List.of());
        return new Metrics()
                .with(MetricGroup.RUNS, 5)
                .with(MetricGroup.PACKETS, new RunPacketCounts(250_000, 250_000, 0, 0, 0, 0, 0))
                .with(
                        MetricGroup.RATES,
                        new Rates(
                                new Rates.PacketRate(Double.NaN, Double.NaN),
                                new Rates.PacketRate(1e6 / us[0], 7936 / us[0]),
                                Double.NaN,
                                0))
                .with(MetricGroup.FOREIGN, 0L)
                .with(MetricGroup.KERNEL_DROPS, 0L)
                .with(MetricGroup.RECORDED_DROPS, Map.of())
                .with(MetricGroup.BUFFERS, Map.of())
                .with(MetricGroup.PACKETS_PER_CALL, 1L)
                .with(MetricGroup.CLOCK, clock)
                .with(
                        MetricGroup.SERIES,
                        new TreeMap<>(Map.of(PacketDelay.TRANSMIT_LAG, lag(us), PacketDelay.RECEIVE_DELAY, lag(us))))
                .with(MetricGroup.CORRECTED, List.of())
                .with(MetricGroup.WARM_UP, new WarmUp(us[6] * 1e3, us[6] * 1e3))
                .with(MediaGroups.MEDIA, MEDIA)
                .with(MediaGroups.PLAYOUT, PLAYOUT);
    }
}
