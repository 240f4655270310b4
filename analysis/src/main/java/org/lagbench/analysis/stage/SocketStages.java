package org.lagbench.analysis.stage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.stage.StagedRun.PacketStages;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.failure.LagbenchException;

/** The stages of packets over TCP or UDP, by the kernel's stamps. Not thread-safe. */
final class SocketStages implements StagedRun {
    private static final List<Stage> OF_DATAGRAMS = List.of(
            Stage.APPLICATION,
            Stage.SOCKET_BUFFER,
            Stage.QUEUEING_DISCIPLINE,
            Stage.WIRE,
            Stage.RECEIVE_BUFFER,
            Stage.READER);
    private static final List<Stage> OF_STREAMS = List.of(
            Stage.APPLICATION,
            Stage.SOCKET_BUFFER,
            Stage.QUEUEING_DISCIPLINE,
            Stage.RETRANSMISSION,
            Stage.WIRE,
            Stage.HEAD_OF_LINE,
            Stage.RECEIVE_BUFFER,
            Stage.READER);

    private final JoinedRun run;
    private final Path stampsFile;
    private final long firstKey;
    private final long keysPerPacket;
    private final boolean isScheduled;
    private @Nullable RetransmittedSegments retransmitted;

    /**
     * @param stampsFile the kernel's transmit stamps
     * @param firstKey the key of packet 0
     * @param keysPerPacket difference of the keys of consecutive packets
     * @param isScheduled whether packets had a scheduled time
     */
    SocketStages(JoinedRun run, Path stampsFile, long firstKey, long keysPerPacket, boolean isScheduled) {
        this.run = run;
        this.stampsFile = stampsFile;
        this.firstKey = firstKey;
        this.keysPerPacket = keysPerPacket;
        this.isScheduled = isScheduled;
    }

    @Override
    public List<Stage> stages() {
        List<Stage> stages = isStream() ? OF_STREAMS : OF_DATAGRAMS;
        return isScheduled ? stages : stages.subList(1, stages.size());
    }

    private boolean isStream() {
        return keysPerPacket > 1;
    }

    @Override
    public long forEach(PacketConsumer consumer) throws LagbenchException {
        long missing = 0;
        PacketStages packet = new PacketStages();
        try (CaptureReader reader = CaptureReader.open(stampsFile)) {
            TransmitStamps stamps = new TransmitStamps(reader, firstKey, keysPerPacket);
            long readerFreeNs = Long.MIN_VALUE;
            long inOrderNs = Long.MIN_VALUE;
            for (long arrival = 0; arrival < run.received(); arrival++) {
                long receivedNs = run.receivedNs(arrival);
                if (run.isFirstCopy(arrival)) {
                    inOrderNs = Math.max(run.kernelNs(arrival), isStream() ? inOrderNs : 0);
                    if (divide(arrival, stamps, inOrderNs, readerFreeNs, packet)) {
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
     * @param inOrderNs when the kernel had the packet and, in a stream, all packets before it
     * @param readerFreeNs when the reader had received the previous packet
     */
    private boolean divide(long arrival, TransmitStamps stamps, long inOrderNs, long readerFreeNs, PacketStages packet)
            throws LagbenchException {
        long number = run.packetOf(arrival);
        long kernelNs = run.kernelNs(arrival);
        if (kernelNs == 0 || !stamps.find(number)) {
            return false;
        }
        long sentNs = run.sentNs(number);
        long receivedNs = run.receivedNs(arrival);
        long turnNs = Math.max(inOrderNs, readerFreeNs);
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
        long lastLeftNs = isStream() ? retransmitted().latestNs(stamps.key(number), kernelNs, leftNs) : leftNs;
        packet.put(Stage.RETRANSMISSION, lastLeftNs - leftNs);
        packet.put(Stage.WIRE, kernelNs - lastLeftNs);
        packet.put(Stage.HEAD_OF_LINE, inOrderNs - kernelNs);
        packet.put(Stage.RECEIVE_BUFFER, turnNs - inOrderNs);
        packet.put(Stage.READER, receivedNs - turnNs);
        return true;
    }

    private RetransmittedSegments retransmitted() throws LagbenchException {
        RetransmittedSegments read = retransmitted;
        if (read == null) {
            read = RetransmittedSegments.read(stampsFile);
            retransmitted = read;
        }
        return read;
    }

    /**
     * When TCP retransmitted segments, by the kernel's transmit stamps: the driver's stamps whose key is not greater
     * than all earlier ones. Of segments that the kernel joins to retransmit them, only the last has a stamp. Takes
     * about 50 bytes per segment. Immutable.
     *
     * @param sent pairs of key and CLOCK_REALTIME in ns, ascending
     */
    record RetransmittedSegments(List<long[]> sent) {

        /** Reads the stamps of one connection. */
        static RetransmittedSegments read(Path stampsFile) throws LagbenchException {
            List<long[]> sent = new ArrayList<>();
            try (CaptureReader reader = CaptureReader.open(stampsFile)) {
                int stage = reader.field("stage");
                int key = reader.field("key");
                int kernelNs = reader.field("kernel_ns");
                long lastKey = 0;
                for (long i = 0; i < reader.records(); i++) {
                    if (reader.value(i, stage) == KernelCapture.SENT) {
                        long extended = lastKey + (int) (reader.value(i, key) - lastKey); // keys have 32 bits
                        if (extended > lastKey) {
                            lastKey = extended;
                        } else {
                            sent.add(new long[] {extended, reader.value(i, kernelNs)});
                        }
                    }
                }
            }
            sent.sort(Comparator.<long[]>comparingLong(stamp -> stamp[0]).thenComparingLong(stamp -> stamp[1]));
            return new RetransmittedSegments(sent);
        }

        /**
         * Returns when the segment that contains a byte was last retransmitted, CLOCK_REALTIME in ns.
         *
         * @param key the key of the byte, in full
         * @param arrivedNs when it arrived; what was retransmitted later was not needed
         * @param notSentNs returned if the segment was not retransmitted before it arrived
         */
        long latestNs(long key, long arrivedNs, long notSentNs) {
            int from = firstFrom(key);
            long latestNs = notSentNs;
            for (int i = from;
                    i < sent.size() && sent.get(i)[0] == sent.get(from)[0] && sent.get(i)[1] <= arrivedNs;
                    i++) {
                latestNs = Math.max(latestNs, sent.get(i)[1]);
            }
            return latestNs;
        }

        /** Returns the index of the first stamp whose key is the given one or greater. */
        private int firstFrom(long key) {
            return (int) Bisection.first(0, sent.size(), stamp -> sent.get((int) stamp)[0] >= key);
        }
    }
}
