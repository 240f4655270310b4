package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PlannedRuns;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Summary;
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
 * Summaries of runs that lose packets in bursts: by Gilbert's model, whose bursts have a geometric length.
 *
 * @param runs number of runs
 * @param packets number of packets of each run
 * @param share of the packets that are lost
 * @param burst mean length of a burst in packets
 * @param missing number of planned runs that were not executed
 */
record SimulatedGates(int runs, int packets, double share, double burst, int missing) {
    static final MeasuredPoint POINT = point(JvmOptions.DEFAULT);

    private static final ClockEffect CLOCK =
            new ClockEffect(0L, Set.of(ClockBound.Basis.SAME_KERNEL), List.of(), 0L, List.of(), List.of(), List.of());

    /** Returns a point with these options of its JVMs. */
    static MeasuredPoint point(String jvm) {
        return point(jvm, TrafficSpec.ONE_WAY);
    }

    /** Returns a point with this traffic. */
    static MeasuredPoint point(String jvm, TrafficSpec traffic) {
        Point point = new Point(
                "udp",
                992,
                1_000,
                0,
                new Pace(Pace.Mode.SPIN, 1_000_000),
                traffic,
                new Settings(Map.of()),
                new EngineSpec("java", JvmOptions.parse(jvm)),
                Set.of(),
                RunConditions.DEFAULT);
        return new MeasuredPoint(point, null, "UDP/IP", null, null);
    }

    /** Returns the summary of one session. */
    Summary draw(Random random) {
        long[] lost = new long[runs];
        for (int run = 0; run < runs; run++) {
            boolean isBurst = random.nextDouble() < share;
            for (long packet = 0; packet < packets; isBurst = !isBurst) {
                double end = isBurst ? 1 / burst : share / (burst * (1 - share));
                long until = Math.min(packets, packet + length(random, end));
                lost[run] += isBurst ? until - packet : 0;
                packet = until;
            }
        }
        return summary(missing, packets, lost);
    }

    /** Returns the number of packets up to a change between burst and pause, which follows each with a probability. */
    private static long length(Random random, double end) {
        return 1 + (long) (Math.log(1 - random.nextDouble()) / Math.log1p(-end));
    }

    /** Returns the summary of a session whose runs lost these numbers of packets. */
    static Summary summary(int missing, long packets, long... lost) {
        List<RunSummary> runs = new ArrayList<>();
        RunPacketCounts all = RunPacketCounts.NONE;
        for (int run = 0; run < lost.length; run++) {
            RunPacketCounts counts = new RunPacketCounts(packets, packets - lost[run], lost[run], 0, 0, 0, 0);
            all = all.plus(counts);
            runs.add(new RunSummary("r" + (run + 1), run + 1, RunRecord.State.COMPLETE, metrics(counts), null, null));
        }
        return summary(new PointSummary(POINT, metrics(all), runs), missing);
    }

    /** Returns the summary of a session with one point. */
    static Summary summary(PointSummary point, int missing) {
        return new Summary(
                "simulated",
                false,
                List.of(point),
                List.of(),
                List.of(),
                List.of(),
                PlannedRuns.of(Map.of(point.point(), point.runs().size() + missing)));
    }

    static Metrics metrics(RunPacketCounts counts) {
        return new Metrics().with(MetricGroup.PACKETS, counts).with(MetricGroup.CLOCK, CLOCK);
    }
}
