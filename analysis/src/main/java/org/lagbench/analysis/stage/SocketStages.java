package org.lagbench.analysis.stage;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;

/**
 * The stages of packets over TCP or UDP, by the kernel's stamps.
 *
 * @param stampsFile the kernel's transmit stamps
 * @param firstKey the key of packet 0
 * @param keysPerPacket difference of the keys of consecutive packets
 * @param isScheduled whether packets had a scheduled time
 */
record SocketStages(JoinedRun run, Path stampsFile, long firstKey, long keysPerPacket, boolean isScheduled)
        implements StagedRun {
    private static final List<Stage> STAGES = List.of(
            Stage.APPLICATION,
            Stage.SOCKET_BUFFER,
            Stage.QUEUEING_DISCIPLINE,
            Stage.WIRE,
            Stage.RECEIVE_BUFFER,
            Stage.READER);

    @Override
    public List<Stage> stages() {
        return isScheduled ? STAGES : STAGES.subList(1, STAGES.size());
    }

    @Override
    public long forEach(PacketConsumer consumer) throws LagbenchException {
        long missing = 0;
        PacketStages packet = new PacketStages();
        try (CaptureReader reader = CaptureReader.open(stampsFile)) {
            TransmitStamps stamps = new TransmitStamps(reader, firstKey, keysPerPacket);
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
     * Divides a packet's lag into its stages, unless a stamp is missing.
     *
     * @param readerFreeNs when the reader had received the packet before
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
        if (!stamps.isOfLastByte(number)) {
            // a packet inside a segment may have left before the segment's end, but not after it arrived
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
