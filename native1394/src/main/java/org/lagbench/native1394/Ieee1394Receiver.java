package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.BusFacts;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Receives a run's packets, or the replies to them, from an isochronous channel. The receive handler that libraw1394
 * calls stamps each packet; packets of another size are foreign, and overwritten ones ({@link OverwrittenPackets}) are
 * left out. The kernel delivers packets in batches of the interrupt interval; the rest of a batch is fetched after a
 * pause in the stream (iso_receiver.h). Packets of a round-trip run are answered on a second channel. Cycles are
 * numbered as in {@link Ieee1394Sender}.
 *
 * <p>Report buffer, 64-bit numbers: packets of other sizes, bus resets so far, then for each packet its received stamp
 * and its cycle.
 */
final class Ieee1394Receiver extends Ieee1394Side implements PacketReceiver {
    private static final int MINIMUM_BATCH_PACKETS = 64;
    private static final long MAXIMUM_WAIT_MS = 100;
    private static final int REPORT_FOREIGN = 0;
    private static final int REPORT_BUS_RESETS = Long.BYTES;
    private static final int REPORT_PACKETS = 2 * Long.BYTES;

    private final SideConfig run;
    private final Ieee1394Settings settings;
    private final int port;
    private final int channel;
    private final String controller;
    private final int capacity;
    private final ByteBuffer packets;
    private final ByteBuffer report;
    private final CycleGaps gaps = new CycleGaps();
    private final @Nullable OverwrittenPackets overwritten;
    private final @Nullable Ieee1394Sender replies;
    private final Arrival arrival;

    private volatile long cyclesWithoutPacket;
    private volatile long packetsOverwritten;
    private volatile long busResets;

    private Ieee1394Receiver(
            SideConfig run,
            Ieee1394Settings settings,
            int port,
            int channel,
            String controller,
            long receiver,
            @Nullable BusClockMonitor clocks,
            @Nullable Ieee1394Sender replies,
            boolean ofReplies) {
        super(receiver, clocks);
        this.run = run;
        this.settings = settings;
        this.port = port;
        this.channel = channel;
        this.controller = controller;
        this.replies = replies;
        this.arrival = ofReplies
                ? Arrival.ofReplies(run.packetBytes())
                : replies == null ? Arrival.RECEIVED : answeredBy(replies);
        // Not for replies: lost packets leave gaps in their sequence numbers, and their cycles are not recorded.
        this.overwritten = ofReplies ? null : new OverwrittenPackets(settings.receiveQueuePackets());
        this.capacity = Math.max(MINIMUM_BATCH_PACKETS, 2 * settings.interruptInterval());
        this.packets = ByteBuffer.allocateDirect(capacity * run.packetBytes());
        this.report = ByteBuffer.allocateDirect(REPORT_PACKETS + capacity * 2 * Long.BYTES)
                .order(ByteOrder.nativeOrder());
    }

    private static Arrival answeredBy(Ieee1394Sender replies) {
        return (packets, offset, cycle) -> replies.reply(packets, offset);
    }

    static Ieee1394Receiver open(SideConfig run, Ieee1394Settings settings, Announcement sender)
            throws LagbenchException {
        Raw1394.load();
        int port = Port.receiving(settings.receiverPort(), sender.senderGuid());
        long receiver = openNative(run, settings, port, sender.channel(), MAXIMUM_WAIT_MS);
        Ieee1394Sender replies = null;
        try {
            String controller = Port.controller(port);
            replies = run.isAnswered() ? Ieee1394Sender.openReplies(run, settings, port) : null;
            return new Ieee1394Receiver(
                    run,
                    settings,
                    port,
                    sender.channel(),
                    controller,
                    receiver,
                    BusClockMonitor.openFor(run, port, BusClockMonitor.RECEIVER_FILE),
                    replies,
                    false);
        } catch (LagbenchException | RuntimeException | Error e) {
            if (replies != null) {
                replies.close();
            }
            Raw1394.closeReceiver(receiver);
            throw e;
        }
    }

    /**
     * Opens the receiver of the replies at the sender's port.
     *
     * @param timeoutNs maximum time that a call waits before it returns 0, in ns, limited to 100 ms; 0 means 100 ms
     */
    static Ieee1394Receiver openReplies(
            SideConfig run, Ieee1394Settings settings, int port, Announcement receiver, long timeoutNs)
            throws LagbenchException {
        long timeoutMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs));
        long waitMs = timeoutNs == 0 ? MAXIMUM_WAIT_MS : Math.min(MAXIMUM_WAIT_MS, timeoutMs);
        long opened = openNative(run, settings, port, receiver.channel(), waitMs);
        try {
            return new Ieee1394Receiver(
                    run, settings, port, receiver.channel(), Port.controller(port), opened, null, null, true);
        } catch (LagbenchException | RuntimeException | Error e) {
            Raw1394.closeReceiver(opened);
            throw e;
        }
    }

    private static long openNative(SideConfig run, Ieee1394Settings settings, int port, int channel, long waitMs)
            throws LagbenchException {
        long receiver = Raw1394.openReceiver(
                port, channel, run.packetBytes(), settings.receiveQueuePackets(), settings.interruptInterval(), (int)
                        waitMs);
        if (receiver < 0) {
            throw Raw1394.unavailable("open the receiver", port, receiver);
        }
        return receiver;
    }

    @Override
    public Map<String, String> announce() {
        return replies == null ? Map.of() : replies.announcement().toMap();
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        int count;
        synchronized (lock) {
            if (pointer == 0) {
                return END;
            }
            count = Raw1394.receive(pointer, packets, report, capacity);
        }
        if (count == -Raw1394.ECANCELED) {
            return END;
        }
        if (count < 0) {
            throw Raw1394.ioFailure("receive", count);
        }
        long foreign = report.getLong(REPORT_FOREIGN);
        for (long i = 0; i < foreign; i++) {
            accounting.countForeign();
        }
        try {
            for (int i = 0; i < count; i++) {
                count(i, count, accounting);
            }
        } catch (ClosedChannelException e) {
            return END; // closed while it answered
        }
        busResets = report.getLong(REPORT_BUS_RESETS);
        cyclesWithoutPacket = gaps.count();
        packetsOverwritten = overwritten == null ? 0 : overwritten.count();
        return count;
    }

    private void count(int packet, int count, PacketAccounting accounting) throws IOException {
        int offset = packet * run.packetBytes();
        int at = REPORT_PACKETS + packet * 2 * Long.BYTES;
        long cycle = report.getLong(at + Long.BYTES);
        if (!accounting.isOfRun(packets, offset)) {
            accounting.reject(packets, offset);
        } else if (!isOverwritten(packet, count, cycle)) {
            long stamp = arrival.stamp(packets, offset, cycle);
            accounting.packet(packets, offset, report.getLong(at), stamp);
        }
    }

    private boolean isOverwritten(int packet, int count, long cycle) {
        OverwrittenPackets check = overwritten;
        if (check == null) {
            return false;
        }
        long sequence = PacketLayout.sequence(packets, packet * run.packetBytes());
        gaps.packet(sequence, cycle);
        if (check.isNext(sequence)) {
            check.accept(sequence, cycle);
            return false;
        }
        return check.check(sequence, cycle, sequence(packet + 1, count));
    }

    private long sequence(int packet, int count) {
        int offset = packet * run.packetBytes();
        return packet < count && PacketLayout.tag(packets, offset) == run.tag()
                ? PacketLayout.sequence(packets, offset)
                : OverwrittenPackets.UNKNOWN;
    }

    /** Returns −1: libraw1394 does not count overruns, which lose packets and their cycles. */
    @Override
    public long kernelDrops() {
        return -1;
    }

    @Override
    public long busResets() {
        return busResets;
    }

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new HashMap<>();
        new BusFacts(controller, packetsOverwritten).putInto(metadata);
        metadata.put("port", port);
        metadata.put("channel", channel);
        metadata.put("interruptIntervalPackets", settings.interruptInterval());
        metadata.put("receiveQueuePackets", settings.receiveQueuePackets());
        metadata.put("cyclesWithoutPacket", cyclesWithoutPacket);
        metadata.put("busResets", busResets);
        if (replies != null) {
            metadata.put("replyChannel", replies.announcement().channel());
            metadata.put("replyBandwidthUnits", replies.bandwidthUnits());
        }
        return metadata;
    }

    @Override
    public void close() {
        if (replies != null) {
            replies.close(); // first: ends a reply that waits for the bus
        }
        super.close();
    }

    @Override
    void free(long pointer) {
        Raw1394.closeReceiver(pointer);
    }

    /**
     * Counts the bus cycles without a packet between the recorded packets of a stream. Other packets (negative sequence
     * numbers) execute the same code without a branch, so that the warm-up compiles it for recorded packets. Not
     * thread-safe; allocates nothing.
     */
    static final class CycleGaps {
        private static final int AFTER_UNRECORDED = 1;

        /**
         * Counts of missed cycles. Index 0: those between recorded packets. Index 1, which is never read: the others.
         */
        private final long[] missed = new long[2];

        private int after = AFTER_UNRECORDED;
        private long previousCycle;

        /**
         * Counts the cycles before the next packet.
         *
         * @param cycle the cycle in which it arrived, 0 to 1,023,999
         */
        void packet(long sequence, long cycle) {
            int present = (int) (sequence >>> 63);
            missed[after | present] +=
                    (cycle - previousCycle - 1 + OverwrittenPackets.CYCLES) % OverwrittenPackets.CYCLES;
            previousCycle = cycle;
            after = present;
        }

        /** Returns the number of cycles without a packet from the first to the last recorded packet. */
        long count() {
            return missed[0];
        }
    }
}
