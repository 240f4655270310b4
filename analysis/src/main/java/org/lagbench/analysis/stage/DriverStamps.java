package org.lagbench.analysis.stage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * When the sender's driver first got each packet of a run, CLOCK_REALTIME of the sender in ns. Takes 8 bytes per
 * packet, at most 32 MiB: larger runs have none. Immutable.
 */
public final class DriverStamps {
    /** The stamp of a packet that has none. */
    public static final long NONE = Long.MIN_VALUE;

    private static final int MAX_PACKETS = 1 << 22;

    private final long[] leftNs;

    private DriverStamps(long[] leftNs) {
        this.leftNs = leftNs;
    }

    /** Reads the stamps in a run's directory; none if stages were not recorded over a socket. */
    public static DriverStamps read(Path directory, RunRecord record, JoinedRun run) throws LagbenchException {
        Path file = directory.resolve(KernelCapture.FILE_NAME);
        if (run.sent() > MAX_PACKETS
                || !Files.exists(file)
                || !(record.sender().metadata().get(KernelCapture.FIRST_KEY_NAME) instanceof Number firstKey)) {
            return new DriverStamps(new long[0]);
        }
        long[] leftNs = new long[(int) run.sent()];
        Arrays.fill(leftNs, NONE);
        try (CaptureReader reader = CaptureReader.open(file)) {
            TransmitStamps stamps = new TransmitStamps(reader, firstKey.longValue(), StagedRun.keysPerPacket(record));
            for (int packet = 0; packet < leftNs.length; packet++) {
                if (stamps.find(packet)) {
                    leftNs[packet] = stamps.sentNs(packet);
                }
            }
        }
        return new DriverStamps(leftNs);
    }

    /** Returns when the driver got a packet, or the end of its TCP segment; {@link #NONE} if that is unknown. */
    public long leftNs(long packet) {
        return packet < leftNs.length ? leftNs[(int) packet] : NONE;
    }
}
