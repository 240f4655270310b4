package org.lagbench.runner.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.LoadAdjustment;
import org.lagbench.analysis.capacity.PacketTrain;
import org.lagbench.analysis.capacity.RateSearch;
import org.lagbench.analysis.capacity.RateSearch.RateTest;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.report.table.CapacityReport;
import org.lagbench.report.table.Result;
import org.lagbench.runner.sweep.SessionDirectory;

/** Probes a path with trains of UDP datagrams. Each train is a run at a constant rate. */
public final class UdpTrains extends ProbePlan {
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

    private final boolean isCapacity;
    private final List<RateTest> tests = new ArrayList<>();
    private final RateSearch search = new RateSearch(FIRST, MIN, MAX);
    /** The size of the headers, by the last train. */
    private int headerBytes = PacketTrain.HEADER_BYTES;

    private long leftBytes;
    /** The rate of the next train, in bits of IP packets per second. */
    private double rate = FIRST;

    private int doubtful;
    /** Set by the first train that filled the path, if the capacity is searched. */
    private @Nullable LoadAdjustment load;

    private int intervals;

    /**
     * Creates the plan of a search: for the highest rate at which no queue grows, which is the available bandwidth; or
     * for the maximum IP-layer capacity (RFC 9097), from the received rate of the first too fast train.
     *
     * @param budgetBytes the maximum number of bytes to send
     */
    public UdpTrains(SessionDirectory session, boolean isCapacity, long budgetBytes) {
        super(session);
        this.isCapacity = isCapacity;
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

    @Override
    Optional<List<String>> nextKeys() {
        LoadAdjustment adjusted = load;
        OptionalDouble next = adjusted == null
                ? search.next()
                : intervals < INTERVALS ? OptionalDouble.of(adjusted.bitsPerS()) : OptionalDouble.empty();
        rate = next.orElse(MAX);
        if (next.isEmpty() || bytes() > leftBytes) {
            return Optional.empty();
        }
        return Optional.of(List.of(
                "packet-bytes=" + PACKET_BYTES,
                "packets=" + packets(),
                "pace={mode: hybrid, interval: " + Math.round(bits() * Units.NS_PER_S / rate) + "ns}"));
    }

    @Override
    void accept(RunDirectory run, RunRecord record, boolean isSpoiled) throws LagbenchException {
        long packets = packets();
        leftBytes -= bytes();
        headerBytes = PacketTrain.ipHeaderBytes(record);
        PacketTrain train = PacketTrain.read(run.path(), PACKET_BYTES, headerBytes);
        RateTest test = RateTest.of(rate, train, isSpoiled);
        tests.add(test);
        LoadAdjustment adjusted = load;
        if (adjusted != null) {
            RunRecord.Counts counts = record.counts();
            long sequenceErrors =
                    counts == null ? packets : packets - counts.distinct() + counts.reordered() + counts.duplicated();
            adjusted.adjust(sequenceErrors, train.delayRangeNs());
            intervals++;
            return;
        }
        doubtful = test.isDoubtful() ? doubtful + 1 : 0;
        if (doubtful % ATTEMPTS == 0) {
            search.add(rate, isCapacity ? test.fillsPath() : test.isTooFast());
        }
        if (isCapacity && test.fillsPath()) {
            load = new LoadAdjustment(test.received().value());
        }
    }

    @Override
    public Result result() {
        return isCapacity
                ? CapacityReport.ofCapacity(tests, disturbed())
                : CapacityReport.ofAvailable(tests, search.bounds(), disturbed());
    }

    private double bits() {
        return (double) Byte.SIZE * (PACKET_BYTES + headerBytes);
    }

    private long packets() {
        long packets = Math.round(rate * (load == null ? SHORT_S : INTERVAL_S) / bits());
        return Math.max(PACKETS_MIN, load == null ? Math.min(SHORT_PACKETS_MAX, packets) : packets);
    }

    /** Returns the size of the next train with its warm-up. */
    private long bytes() {
        return (packets() + WARM_UP_PACKETS) * (PACKET_BYTES + headerBytes);
    }
}
