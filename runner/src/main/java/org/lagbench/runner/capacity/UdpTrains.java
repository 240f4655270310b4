package org.lagbench.runner.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.lagbench.analysis.capacity.LoadAdjustment;
import org.lagbench.analysis.capacity.PacketTrain;
import org.lagbench.analysis.capacity.RateSearch;
import org.lagbench.analysis.capacity.RateSearch.RateTest;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.report.table.CapacityReport;
import org.lagbench.report.table.Result;

/** Probes a path with trains of UDP datagrams. Each train is a run at a constant rate. Used once. */
public final class UdpTrains {
    private static final int PACKET_BYTES = 1_200;
    private static final int WARM_UP_PACKETS = 20;

    /** The rates of the first, the slowest and the fastest train, in bits of IP packets per second. */
    private static final double FIRST = 1e6;

    private static final double MIN = 20e3;
    private static final double MAX = 9e9;

    private static final int PACKETS_MIN = 100;

    /** A train for the available bandwidth is short, because it disturbs other traffic. */
    private static final double SHORT_S = 0.5;

    private static final int SHORT_PACKETS_MAX = 20_000;

    /** How often a train is sent if a pause or the load of the machine makes its result doubtful each time. */
    private static final int ATTEMPTS = 3;

    /** The duration and the number of the intervals of RFC 9097. */
    private static final double INTERVAL_S = 1;

    private static final int INTERVALS = 10;

    private final PathRuns runs;
    private final List<RateTest> tests = new ArrayList<>();
    private final RateSearch search = new RateSearch(FIRST, MIN, MAX);
    /** The size of the headers, by the last train. */
    private int headerBytes = PacketTrain.HEADER_BYTES;

    private long leftBytes;
    private long sequenceErrors;
    private double delayRangeNs;

    /** @param budgetBytes the maximum number of bytes to send */
    public UdpTrains(PathRuns runs, long budgetBytes) {
        this.runs = runs;
        this.leftBytes = budgetBytes;
    }

    /** Returns the keys of the session's experiment. */
    public static List<String> values() {
        String transport = Transports.load().plain(Wire.UDP).name();
        return List.of(
                "transports=" + transport,
                "traffic=one-way",
                "packet-bytes=" + PACKET_BYTES,
                "warm-up-packets=" + WARM_UP_PACKETS,
                transport + "." + SocketBuffer.RECEIVE.settingName() + "=4MiB",
                "engine=" + Engines.load().withoutJvm().name(),
                "observe=none",
                "drain=2s");
    }

    /** Searches for the available bandwidth: the highest rate at which no queue grows. */
    public ExitCode searchAvailable() throws LagbenchException, InterruptedException {
        return search(RateTest::isTooFast, false);
    }

    /**
     * Sends short trains until the search or the budget ends.
     *
     * @param isOver whether a train shows that its rate is above the searched one
     * @param endsWhenFull whether to end with the first train that filled the path
     */
    private ExitCode search(Predicate<RateTest> isOver, boolean endsWhenFull)
            throws LagbenchException, InterruptedException {
        int doubtful = 0;
        while (!endsWhenFull || !isLastFull()) {
            OptionalDouble rate = search.next();
            long packets = packets(rate.orElse(MAX), SHORT_S, SHORT_PACKETS_MAX);
            if (rate.isEmpty() || exceedsBudget(packets)) {
                break;
            }
            ExitCode exitCode = send(rate.getAsDouble(), packets);
            if (exitCode != ExitCode.OK) {
                return exitCode;
            }
            doubtful = last().isDoubtful() ? doubtful + 1 : 0;
            if (doubtful % ATTEMPTS == 0) {
                search.add(rate.getAsDouble(), isOver.test(last()));
            }
        }
        return ExitCode.OK;
    }

    /** Searches for the maximum IP-layer capacity (RFC 9097), from the received rate of the first too fast train. */
    public ExitCode searchCapacity() throws LagbenchException, InterruptedException {
        ExitCode searched = search(RateTest::fillsPath, true);
        if (searched != ExitCode.OK || !isLastFull()) {
            return searched;
        }
        LoadAdjustment load = new LoadAdjustment(last().received().value());
        for (int i = 0; i < INTERVALS; i++) {
            long packets = packets(load.bitsPerS(), INTERVAL_S, Long.MAX_VALUE);
            if (exceedsBudget(packets)) {
                break;
            }
            ExitCode exitCode = send(load.bitsPerS(), packets);
            if (exitCode != ExitCode.OK) {
                return exitCode;
            }
            load.adjust(sequenceErrors, delayRangeNs);
        }
        return ExitCode.OK;
    }

    /** Returns the result of a search for the available bandwidth. */
    public Result available() {
        return CapacityReport.ofAvailable(tests, search.bounds(), runs.marks());
    }

    /** Returns the result of a search for the capacity. */
    public Result capacity() {
        return CapacityReport.ofCapacity(tests, runs.marks());
    }

    private RateTest last() {
        return tests.get(tests.size() - 1);
    }

    private boolean isLastFull() {
        return !tests.isEmpty() && last().fillsPath();
    }

    private double bits() {
        return (double) Byte.SIZE * (PACKET_BYTES + headerBytes);
    }

    private long packets(double rate, double seconds, long max) {
        return Math.max(PACKETS_MIN, Math.min(max, Math.round(rate * seconds / bits())));
    }

    private boolean exceedsBudget(long packets) {
        leftBytes -= (packets + WARM_UP_PACKETS) * (PACKET_BYTES + headerBytes);
        return leftBytes < 0;
    }

    private ExitCode send(double rate, long packets) throws LagbenchException, InterruptedException {
        long intervalNs = Math.round(bits() * Units.NS_PER_S / rate);
        ExitCode exitCode = runs.execute(List.of(
                "packet-bytes=" + PACKET_BYTES,
                "packets=" + packets,
                "pace={mode: hybrid, interval: " + intervalNs + "ns}"));
        if (exitCode == ExitCode.OK) {
            RunDirectory run = runs.last();
            RunRecord record = Objects.requireNonNull(run.record(), run.name());
            RunRecord.Counts counts = record.counts();
            headerBytes = PacketTrain.ipHeaderBytes(record);
            PacketTrain train = PacketTrain.read(run.path(), PACKET_BYTES, headerBytes);
            tests.add(RateTest.of(rate, train, runs.isLastSpoiled()));
            sequenceErrors =
                    counts == null ? packets : packets - counts.distinct() + counts.reordered() + counts.duplicated();
            delayRangeNs = train.delayRangeNs();
        }
        return exitCode;
    }
}
