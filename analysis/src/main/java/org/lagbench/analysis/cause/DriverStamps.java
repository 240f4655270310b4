package org.lagbench.analysis.cause;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.DeparturesCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunRecord;

/**
 * When the sender's driver first got each packet of a run, CLOCK_REALTIME of the sender in ns: by the observer in the
 * kernel, over a bus by the start of their cycles, else by the stamps of the socket. Takes 8 bytes per packet, at most
 * 32 MiB: larger runs have none. Immutable.
 */
public final class DriverStamps {
    /** The stamp of a packet that has none. */
    public static final long NONE = Long.MIN_VALUE;

    private static final int MAX_PACKETS = 1 << 22;

    private final long[] leftNs;
    private final boolean areOfPackets;

    private DriverStamps(long[] leftNs, boolean areOfPackets) {
        this.leftNs = leftNs;
        this.areOfPackets = areOfPackets;
    }

    /** Reads the stamps in a run's directory; none if nothing recorded them. */
    public static DriverStamps read(Path directory, RunRecord record, JoinedRun run) throws LagbenchException {
        if (run.sent() > MAX_PACKETS) {
            return new DriverStamps(new long[0], false);
        }
        Path departures = directory.resolve(DeparturesCapture.FILE_NAME);
        Path cycles = directory.resolve(CycleClock.SENDER_FILE_NAME);
        return Files.exists(departures)
                ? ofObserver(departures, run)
                : run.hasBusCycles() && Files.exists(cycles)
                        ? ofBus(CycleClock.read(cycles), run)
                        : ofSocket(directory, record, run);
    }

    private static DriverStamps ofObserver(Path file, JoinedRun run) throws LagbenchException {
        long[] leftNs = new long[(int) run.sent()];
        Arrays.fill(leftNs, NONE);
        try (CaptureReader reader = CaptureReader.open(file)) {
            int packetField = reader.field("seq");
            int leftField = reader.field("left_ns");
            for (long i = 0; i < reader.records(); i++) {
                long packet = reader.value(i, packetField);
                if (packet >= 0 && packet < leftNs.length) {
                    leftNs[(int) packet] = reader.value(i, leftField);
                }
            }
        }
        return new DriverStamps(leftNs, true);
    }

    private static DriverStamps ofBus(CycleClock clock, JoinedRun run) throws LagbenchException {
        long[] leftNs = new long[(int) run.sent()];
        for (int packet = 0; packet < leftNs.length; packet++) {
            long cycle = run.sentCycle(packet);
            leftNs[packet] = cycle < 0 ? NONE : clock.startNs(cycle, run.sentNs(packet));
        }
        return new DriverStamps(leftNs, true);
    }

    private static DriverStamps ofSocket(Path directory, RunRecord record, JoinedRun run) throws LagbenchException {
        Path file = directory.resolve(KernelCapture.FILE_NAME);
        if (!Files.exists(file)
                || !(record.sender().metadata().get(KernelCapture.FIRST_KEY_NAME) instanceof Number firstKey)) {
            return new DriverStamps(new long[0], false);
        }
        long[] leftNs = new long[(int) run.sent()];
        Arrays.fill(leftNs, NONE);
        try (CaptureReader reader = CaptureReader.open(file)) {
            TransmitStamps stamps = new TransmitStamps(reader, firstKey.longValue(), keysPerPacket(record));
            for (int packet = 0; packet < leftNs.length; packet++) {
                if (stamps.find(packet)) {
                    leftNs[packet] = stamps.sentNs(packet);
                }
            }
        }
        return new DriverStamps(leftNs, false);
    }

    /** Returns the difference of the stamps' keys of consecutive packets: 1, or the bytes of a packet of a stream. */
    static long keysPerPacket(RunRecord record) {
        return Transports.load()
                .find(record.point().transport())
                .map(transport -> transport.stampKeysPerPacket(record.point().packetBytes()))
                .orElse(1L);
    }

    /** Returns whether no packet has a stamp, because nothing recorded them. */
    boolean isEmpty() {
        return leftNs.length == 0;
    }

    /** Returns whether each packet has its own stamp, also in a stream. */
    public boolean areOfPackets() {
        return areOfPackets;
    }

    /** Returns when the driver got a packet, or the end of its TCP segment; {@link #NONE} if that is unknown. */
    public long leftNs(long packet) {
        return packet < leftNs.length ? leftNs[(int) packet] : NONE;
    }
}
