package org.lagbench.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Analyzes captures for a table; {@code -p packets=100000000} takes 4.8 GB of disk. */
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class AnalysisBenchmark extends PartBenchmark {
    private static final long EPOCH_NS = 1_790_000_000_000_000_000L;

    /** Number of packets sent and received. */
    @Param({"50000", "1000000"})
    public int packets;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private BenchmarkFiles files;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private JoinedRun joined;

    @Setup
    public void create() throws IOException, LagbenchException {
        files = BenchmarkFiles.onDisk();
        Random random = new Random(1);
        try (SenderCapture sender = SenderCapture.create(files.of(SenderCapture.FILE_NAME), packets, false);
                ReceiverCapture receiver =
                        ReceiverCapture.create(files.of(ReceiverCapture.FILE_NAME), packets, false)) {
            for (int i = 0; i < packets; i++) {
                long sentNs = EPOCH_NS + 10_000L * i + random.nextInt(5_000);
                sender.append(i, SenderCapture.UNSCHEDULED, sentNs, sentNs + 900);
                receiver.append(i, sentNs + 15_000 + random.nextInt(10_000), 0);
            }
        }
        joined = JoinedRun.open(files.directory());
    }

    @TearDown
    public void delete() throws IOException, LagbenchException {
        joined.close();
        files.delete();
    }

    /** Opens and joins both captures. */
    @Benchmark
    public RunPacketCounts join() throws LagbenchException {
        try (JoinedRun run = JoinedRun.open(files.directory())) {
            return run.counts();
        }
    }

    /** Computes the statistics of the transmit lag. */
    @Benchmark
    public SeriesStatistics summarizeLag() throws LagbenchException {
        return SeriesStatistics.of(PacketDelay.TRANSMIT_LAG.pooled(List.of(joined)));
    }
}
