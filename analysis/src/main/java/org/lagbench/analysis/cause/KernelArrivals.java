package org.lagbench.analysis.cause;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.ArrivalFacts;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.core.run.RunRecord;

/**
 * When the packets of a run reached the receiving kernel, CLOCK_REALTIME of the receiver in ns: by the kernel's stamps,
 * or over a bus by the end of their cycles. One thread at a time.
 *
 * @param isStream whether packets are of a stream
 * @param areShared whether packets of a stream can share a stamp: that of the last segment that their read took
 * @param hasNetwork whether a network lies between both sides; false if the receiver has a loopback address
 * @param isHeld whether a library holds packets that have arrived, to repair losses meanwhile
 * @param cycles converts the cycles of a bus; null if packets have none
 * @param departures when the sender's driver got the packets, by the sender's clock
 */
record KernelArrivals(
        JoinedRun run,
        boolean isStream,
        boolean areShared,
        boolean hasNetwork,
        boolean isHeld,
        @Nullable CycleClock cycles,
        DriverStamps departures) {
    /** The number of arrivals of which medians are taken. */
    private static final int SAMPLES = 4_001;

    /** The stamp of a packet that has none. */
    static final long NONE = Long.MIN_VALUE;

    /** Reads what the directory of a run says about its path. */
    static KernelArrivals of(RunRecord record, JoinedRun run) throws LagbenchException {
        boolean isStream = DriverStamps.keysPerPacket(record) > 1;
        RunRecord.Side receiver = record.receiver();
        ArrivalFacts arrivals = receiver == null ? null : receiver.metadata(ArrivalFacts.class);
        boolean areOfObserver = arrivals != null && arrivals.areOfObserver();
        ConnectionFacts connection = record.sender().metadata(ConnectionFacts.class);
        Path cycles = run.directory().resolve(CycleClock.RECEIVER_FILE_NAME);
        return new KernelArrivals(
                run,
                isStream,
                isStream && !areOfObserver,
                record.lab() != null || connection == null || !connection.isToLoopback(),
                Transports.load()
                        .find(record.point().transport())
                        .map(Transport::holdSetting)
                        .isPresent(),
                run.hasBusCycles() && Files.exists(cycles) ? CycleClock.read(cycles) : null,
                DriverStamps.read(run.directory(), record, run));
    }

    /** Returns the stamp of an arrival, no later than its receive call; {@link #NONE} if it has none. */
    long stampNs(long arrival) throws LagbenchException {
        if (cycles != null) {
            long receivedNs = run.receivedNs(arrival);
            return Math.min(receivedNs, cycles.endNs(run.receivedCycle(arrival), receivedNs));
        }
        long stampNs = run.hasKernelStamps() ? run.kernelNs(arrival) : 0;
        return stampNs == 0 ? NONE : Math.min(stampNs, run.receivedNs(arrival));
    }

    /** Returns whether a packet with its own stamp cannot be received before those that were sent before it arrived. */
    boolean isInOrder() {
        return isStream && !areShared;
    }

    /**
     * Returns whether an arrival has the stamp of a later packet of its read. Then it may have arrived before the
     * stamp, but not before that of the previous read.
     */
    boolean isJoined(long arrival) throws LagbenchException {
        return areShared && arrival + 1 < run.received() && stampNs(arrival) == stampNs(arrival + 1);
    }

    private static long median(LongStream values) {
        long[] sorted = values.sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    /** Returns the median time from a packet's stamp until it was received, in ns; 0 without stamps. */
    long medianReadDelayNs() throws LagbenchException {
        LongStream.Builder readNs = LongStream.builder();
        long samples = Math.min(run.received(), SAMPLES);
        for (long i = 0; i < samples; i++) {
            long arrival = run.received() * i / samples;
            long stampNs = stampNs(arrival);
            if (stampNs != NONE && !isJoined(arrival)) {
                readNs.add(run.receivedNs(arrival) - stampNs);
            }
        }
        return median(readNs.build());
    }

    /** Counts the arrivals by their stamps; those in observed windows if these restrict the run. */
    StampCounts counts() throws LagbenchException {
        long arrivals = 0;
        long[] counts = new long[3];
        for (long arrival = 0; arrival < run.received(); arrival++) {
            if (run.isRestricted() && !run.isFirstCopy(arrival)) {
                continue;
            }
            arrivals++;
            if (stampNs(arrival) == NONE) {
                counts[2] += hasNetwork ? 0 : 1;
            } else {
                counts[isJoined(arrival) ? 1 : 0]++;
            }
        }
        return new StampCounts(arrivals, counts[0], counts[1], counts[2]);
    }
}
