package org.lagbench.analysis.cause;

import java.nio.file.Path;
import java.util.Arrays;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Converts cycles of an IEEE-1394 bus to one side's clock, by pairs of both clocks' times that were read during the
 * run. The conversion uses the last pair before the packet was processed. Takes 16 bytes per pair, a hundred per
 * second. Immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
public record CycleClock(long[] atNs, long[] busNs) {
    private static final long CYCLE_NS = 125_000;
    private static final long WRAP_NS = 128_000_000_000L;

    /** The file of the sender's bus times in a run's directory. */
    public static final String SENDER_FILE_NAME = "sender-cycles.npy";

    /** The file of the receiver's bus times. */
    public static final String RECEIVER_FILE_NAME = "receiver-cycles.npy";

    /** Reads the pairs of a file. */
    public static CycleClock read(Path file) throws LagbenchException {
        try (CaptureReader reader = CaptureReader.open(file)) {
            int count = Math.toIntExact(reader.records());
            if (count == 0) {
                throw ExitCode.FILES.failure(file + " contains no bus time.");
            }
            long[] atNs = new long[count];
            long[] busNs = new long[count];
            reader.read(0, reader.field("at_ns"), atNs, count);
            reader.read(0, reader.field("bus_ns"), busNs, count);
            return new CycleClock(atNs, busNs);
        }
    }

    /**
     * Returns when a cycle began, CLOCK_REALTIME in ns.
     *
     * @param cycle seconds (0 to 127) times 8,000 plus the cycle in the second
     * @param nearNs a time within 64 s of the cycle
     */
    public long startNs(long cycle, long nearNs) {
        int found = Arrays.binarySearch(atNs, nearNs);
        int pair = Math.max(0, found >= 0 ? found : -found - 2);
        long sincePairNs = nearNs - atNs[pair];
        // bus time of the cycle's start minus that at nearNs, from −64 s to 64 s
        long difference =
                Math.floorMod(cycle * CYCLE_NS - busNs[pair] - sincePairNs + WRAP_NS / 2, WRAP_NS) - WRAP_NS / 2;
        return nearNs + difference;
    }

    /** Returns when a cycle was over. */
    public long endNs(long cycle, long nearNs) {
        return startNs(cycle, nearNs) + CYCLE_NS;
    }
}
