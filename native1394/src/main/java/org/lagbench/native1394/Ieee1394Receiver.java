package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Receives a run's packets from an isochronous channel. The receive handler that libraw1394 calls stamps each packet;
 * packets of another size are foreign, and overwritten ones ({@link OverwrittenPackets}) are left out. The kernel
 * delivers packets in batches of the interrupt interval; the rest of a batch is fetched after a pause in the stream
 * (iso_receiver.h). Cycles are numbered as in {@link Ieee1394Sender}.
 *
 * <p>Report buffer, 64-bit numbers: packets of other sizes, bus resets so far, then for each packet its received stamp
 * and its cycle.
 */
final class Ieee1394Receiver extends Ieee1394Side implements PacketReceiver {
    private static final int MINIMUM_BATCH_PACKETS = 64;
    private static final int REPORT_FOREIGN = 0;
    private static final int REPORT_BUS_RESETS = Long.BYTES;
    private static final int REPORT_PACKETS = 2 * Long.BYTES;

    private final TransportRun run;
    private final Ieee1394Settings settings;
    private final int port;
    private final int channel;
    private final String controller;
    private final int capacity;
    private final ByteBuffer packets;
    private final ByteBuffer report;
    private final CycleGaps gaps = new CycleGaps();
    private final OverwrittenPackets overwritten;

    private volatile long cyclesWithoutPacket;
    private volatile long packetsOverwritten;
    private volatile long busResets;

    private Ieee1394Receiver(
            TransportRun run,
            Ieee1394Settings settings,
            int port,
            int channel,
            String controller,
            long receiver,
            @Nullable BusClockMonitor clocks) {
        super(receiver, clocks);
        this.run = run;
        this.settings = settings;
        this.port = port;
        this.channel = channel;
        this.controller = controller;
        this.overwritten = new OverwrittenPackets(settings.receiveQueuePackets());
        this.capacity = Math.max(MINIMUM_BATCH_PACKETS, 2 * settings.interruptInterval());
        this.packets = ByteBuffer.allocateDirect(capacity * run.packetBytes());
        this.report = ByteBuffer.allocateDirect(REPORT_PACKETS + capacity * 2 * Long.BYTES)
                .order(ByteOrder.nativeOrder());
    }

    static Ieee1394Receiver open(TransportRun run, Ieee1394Settings settings, Announcement sender)
            throws LagbenchException {
        NativeLibrary.load();
        int port = Ports.receiving(settings.receiverPort(), sender.senderGuid());
        long receiver = Raw1394.openReceiver(
                port,
                sender.channel(),
                run.packetBytes(),
                settings.receiveQueuePackets(),
                settings.interruptInterval());
        if (receiver < 0) {
            throw Errno.unavailable("open the receiver", port, receiver);
        }
        try {
            return new Ieee1394Receiver(
                    run,
                    settings,
                    port,
                    sender.channel(),
                    Controller.name(port),
                    receiver,
                    BusClockMonitor.openFor(run, port, BusClockMonitor.RECEIVER_FILE));
        } catch (LagbenchException | RuntimeException | Error e) {
            Raw1394.closeReceiver(receiver);
            throw e;
        }
    }

    @Override
    public Map<String, String> announce() {
        return Map.of();
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
        if (count == -Errno.ECANCELED) {
            return END;
        }
        if (count < 0) {
            throw Errno.ioFailure("receive", count);
        }
        long foreign = report.getLong(REPORT_FOREIGN);
        for (long i = 0; i < foreign; i++) {
            accounting.countForeign();
        }
        int packetBytes = run.packetBytes();
        for (int i = 0; i < count; i++) {
            int at = REPORT_PACKETS + i * 2 * Long.BYTES;
            long cycle = report.getLong(at + Long.BYTES);
            if (PacketLayout.tag(packets, i * packetBytes) == run.tag()) {
                long sequence = PacketLayout.sequence(packets, i * packetBytes);
                gaps.packet(sequence, cycle);
                if (overwritten.isNext(sequence)) {
                    overwritten.accept(sequence, cycle);
                } else if (overwritten.check(sequence, cycle, sequence(i + 1, count))) {
                    continue;
                }
            }
            accounting.packet(packets, i * packetBytes, report.getLong(at), cycle);
        }
        busResets = report.getLong(REPORT_BUS_RESETS);
        cyclesWithoutPacket = gaps.count();
        packetsOverwritten = overwritten.count();
        return count;
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
        return Map.of(
                Controller.METADATA_NAME,
                controller,
                "port",
                port,
                "channel",
                channel,
                "interruptIntervalPackets",
                settings.interruptInterval(),
                "receiveQueuePackets",
                settings.receiveQueuePackets(),
                "cyclesWithoutPacket",
                cyclesWithoutPacket,
                "packetsOverwritten",
                packetsOverwritten,
                "busResets",
                busResets);
    }

    @Override
    void free(long pointer) {
        Raw1394.closeReceiver(pointer);
    }
}
