package org.lagbench.analysis.stage;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;

/** The stages of packets over TCP or UDP, by the kernel's stamps. */
final class SocketStages implements StagedRun {
    private static final List<Stage> OF_LAG =
            List.of(Stage.SOCKET_BUFFER, Stage.QUEUEING_DISCIPLINE, Stage.WIRE, Stage.RECEIVE_BUFFER, Stage.READER);
    private static final List<Stage> WITH_APPLICATION = List.of(
            Stage.APPLICATION,
            Stage.SOCKET_BUFFER,
            Stage.QUEUEING_DISCIPLINE,
            Stage.WIRE,
            Stage.RECEIVE_BUFFER,
            Stage.READER);

    private final JoinedRun run;
    private final Path stampsFile;
    private final long firstKey;
    private final long keysAPacket;
    private final boolean isScheduled;

    /**
     * @param stampsFile the kernel's transmit stamps
     * @param firstKey the key of packet 0
     * @param keysAPacket by how much the next packet's is greater
     * @param isScheduled whether packets had a time to leave at
     */
    SocketStages(JoinedRun run, Path stampsFile, long firstKey, long keysAPacket, boolean isScheduled) {
        this.run = run;
        this.stampsFile = stampsFile;
        this.firstKey = firstKey;
        this.keysAPacket = keysAPacket;
        this.isScheduled = isScheduled;
    }

    @Override
    public List<Stage> stages() {
        return isScheduled ? WITH_APPLICATION : OF_LAG;
    }

    @Override
    public long forEach(PacketConsumer consumer) throws LagbenchException {
        long missing = 0;
        PacketStages packet = new PacketStages();
        try (CaptureReader reader = CaptureReader.open(stampsFile)) {
            TransmitStamps stamps = new TransmitStamps(reader, firstKey, keysAPacket);
            long readerFreeNs = Long.MIN_VALUE;
            for (long arrival = 0; arrival < run.received(); arrival++) {
                long receivedNs = run.receivedNs(arrival);
                if (run.isFirstCopy(arrival)) {
                    if (divide(arrival, stamps, readerFreeNs, packet)) {
                        consumer.accept(packet);
                    } else {
                        missing++;
                    }
                }
                readerFreeNs = receivedNs;
            }
        }
        return missing;
    }

    /**
     * Divides a packet's lag.
     *
     * @param readerFreeNs when the reader had taken the packet before
     */
    private boolean divide(long arrival, TransmitStamps stamps, long readerFreeNs, PacketStages packet)
            throws LagbenchException {
        long number = run.packetOf(arrival);
        long kernelNs = run.kernelNs(arrival);
        if (kernelNs == 0 || !stamps.find(number)) {
            return false;
        }
        long sentNs = run.sentNs(number);
        long receivedNs = run.receivedNs(arrival);
        long turnNs = Math.max(kernelNs, readerFreeNs);
        long queuedNs = stamps.scheduledNs(number);
        long leftNs = stamps.sentNs(number);
        if (!stamps.areItsOwn(number)) {
            // what lies in the midst of a segment may have left before the segment's end, and no later than it came
            queuedNs = Math.min(queuedNs, Math.max(kernelNs, sentNs));
            leftNs = Math.min(leftNs, Math.max(kernelNs, queuedNs));
        }
        packet.put(Stage.APPLICATION, sentNs - run.scheduledNs(number));
        packet.put(Stage.SOCKET_BUFFER, queuedNs - sentNs);
        packet.put(Stage.QUEUEING_DISCIPLINE, leftNs - queuedNs);
        packet.put(Stage.WIRE, kernelNs - leftNs);
        packet.put(Stage.RECEIVE_BUFFER, turnNs - kernelNs);
        packet.put(Stage.READER, receivedNs - turnNs);
        return true;
    }
}
