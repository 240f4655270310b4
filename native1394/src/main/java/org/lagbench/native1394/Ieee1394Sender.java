package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.BusFacts;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Sends a run's packets, or the replies to them, on an isochronous channel. Packets are sent in batches of
 * {@value #BATCH_PACKETS}, answers singly by the thread that receives. The native code waits for space in the transmit
 * queue before it stamps and queues each packet.
 *
 * <p>The bus reports the cycle of each packet after transmission; the capture then gets it. Cycles are numbered 0 to
 * 1,023,999, as in the bus's cycle timer: seconds (0 to 127) times 8,000 plus the cycle in the second.
 *
 * <p>Report buffer, 64-bit numbers: packets sent, cycles reported, then for each packet of the batch its sent and
 * returned stamp, then the reported cycles in the order of sending.
 */
final class Ieee1394Sender extends Ieee1394Side implements PacketSender {
    /**
     * A killed process loses the records of at most this many packets. Equals SENDER_BATCH_PACKETS in raw1394_jni.c.
     */
    private static final int BATCH_PACKETS = 16;

    private static final int REPORT_SENT = 0;
    private static final int REPORT_CYCLES = Long.BYTES;
    private static final int REPORT_STAMPS = 2 * Long.BYTES;
    private static final int REPORT_CYCLE_LIST = REPORT_STAMPS + BATCH_PACKETS * 2 * Long.BYTES;

    private final SideConfig run;
    private final Ieee1394Settings settings;
    private final int port;
    private final Announcement announcement;
    private final int bandwidthUnits;
    private final String controller;
    private final ByteBuffer packets;
    private final ByteBuffer report;
    private final long[] batchSequences = new long[BATCH_PACKETS];
    private final long[] batchScheduledNs = new long[BATCH_PACKETS];
    private final long[] queuedSequences;

    private int batched;
    private long queuedFirst;
    private long queuedEnd;
    private @Nullable SenderCapture capture;
    private @Nullable Announcement answering;
    private @Nullable Ieee1394Receiver replies;

    private Ieee1394Sender(
            SideConfig run,
            Ieee1394Settings settings,
            int port,
            Announcement announcement,
            int bandwidthUnits,
            String controller,
            long sender,
            @Nullable BusClockMonitor clocks) {
        super(sender, clocks);
        this.run = run;
        this.settings = settings;
        this.port = port;
        this.announcement = announcement;
        this.bandwidthUnits = bandwidthUnits;
        this.controller = controller;
        int inFlight = settings.queuePackets() + BATCH_PACKETS;
        this.queuedSequences = new long[Integer.highestOneBit(inFlight - 1) << 1];
        this.packets = ByteBuffer.allocateDirect(BATCH_PACKETS * run.packetBytes());
        this.report = ByteBuffer.allocateDirect(REPORT_CYCLE_LIST + inFlight * Long.BYTES)
                .order(ByteOrder.nativeOrder());
        PacketLayout.fill(packets, run.packetBytes(), BATCH_PACKETS, run.tag());
    }

    static Ieee1394Sender open(SideConfig run, Ieee1394Settings settings) throws LagbenchException {
        Raw1394.load();
        return open(run, settings, settings.senderPort(), settings.channel(), "open the sender", false);
    }

    /** Opens the sender of the replies to a run's packets, on a second channel, and starts it. */
    static Ieee1394Sender openReplies(SideConfig run, Ieee1394Settings settings, int port) throws LagbenchException {
        Ieee1394Sender opened =
                open(run, settings, port, settings.replyChannel(), "open the sender of the replies", true);
        try {
            opened.start("start to answer");
            return opened;
        } catch (LagbenchException e) {
            opened.close();
            throw e;
        }
    }

    private static Ieee1394Sender open(
            SideConfig run, Ieee1394Settings settings, int port, OptionalInt channel, String what, boolean ofReplies)
            throws LagbenchException {
        int[] granted = new int[2];
        long sender = Raw1394.openSender(
                port,
                channel.orElse(-1),
                settings.speed().code(),
                run.packetBytes(),
                settings.queuePackets(),
                settings.tag(),
                settings.sync(),
                granted);
        if (sender < 0) {
            throw Raw1394.unavailable(what, port, sender);
        }
        try {
            return new Ieee1394Sender(
                    run,
                    settings,
                    port,
                    new Announcement(granted[0], Port.list().get(port).guid()),
                    granted[1],
                    Port.controller(port),
                    sender,
                    ofReplies ? null : BusClockMonitor.openFor(run, port, BusClockMonitor.SENDER_FILE));
        } catch (LagbenchException | RuntimeException | Error e) {
            Raw1394.closeSender(sender);
            throw e;
        }
    }

    /** Returns the channel and the node, for the side that receives. */
    Announcement announcement() {
        return announcement;
    }

    int bandwidthUnits() {
        return bandwidthUnits;
    }

    @Override
    public Map<String, String> announce() {
        return announcement.toMap();
    }

    @Override
    public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        if (run.isAnswered()) {
            answering = Announcement.parse("receiver", receiverAnnounced);
        }
        start("start to send");
    }

    private void start(String what) throws LagbenchException {
        synchronized (lock) {
            int result = pointer == 0 ? -Raw1394.ECANCELED : Raw1394.startSender(pointer);
            if (result < 0) {
                throw Raw1394.unavailable(what, port, result);
            }
        }
    }

    @Override
    public PacketReceiver openReplies(long timeoutNs) throws LagbenchException {
        Announcement receiver = answering;
        if (receiver == null) {
            throw new IllegalStateException("not connected to a receiver that answers");
        }
        synchronized (lock) {
            if (pointer == 0) {
                throw Raw1394.unavailable("receive replies", port, -Raw1394.ECANCELED);
            }
            Ieee1394Receiver opened = Ieee1394Receiver.openReplies(run, settings, port, receiver, timeoutNs);
            replies = opened;
            return opened;
        }
    }

    @Override
    public void send(long sequence, long scheduledNs, SenderCapture capture) throws IOException {
        this.capture = capture;
        PacketLayout.putIdentity(packets, batched * run.packetBytes(), run.tag(), sequence);
        batchSequences[batched] = sequence;
        batchScheduledNs[batched] = scheduledNs;
        if (++batched == BATCH_PACKETS) {
            push();
        }
    }

    @Override
    public void push() throws IOException {
        if (batched == 0) {
            return;
        }
        int count = batched;
        batched = 0;
        int result = send(count);
        takeReport();
        check("send", result);
    }

    private int send(int count) throws ClosedChannelException {
        synchronized (lock) {
            if (pointer == 0) {
                throw new ClosedChannelException();
            }
            return Raw1394.send(pointer, packets, count, report);
        }
    }

    /**
     * Answers a packet with a copy that carries the replied stamp, and returns that stamp. Waits while the transmit
     * queue is full. Allocates nothing.
     */
    long reply(ByteBuffer received, int offset) throws IOException {
        packets.put(0, received, offset, run.packetBytes());
        check("answer", send(1));
        return report.getLong(REPORT_STAMPS);
    }

    @Override
    public void flush() throws IOException {
        push();
        int result;
        synchronized (lock) {
            if (pointer == 0) {
                throw new ClosedChannelException();
            }
            result = Raw1394.flush(pointer, report);
        }
        takeReport();
        check("send the rest of the queue", result);
    }

    private void takeReport() {
        SenderCapture capture = this.capture;
        if (capture == null) {
            return;
        }
        int mask = queuedSequences.length - 1;
        int sent = (int) report.getLong(REPORT_SENT);
        for (int i = 0; i < sent; i++) {
            int stamps = REPORT_STAMPS + i * 2 * Long.BYTES;
            capture.append(
                    batchSequences[i],
                    batchScheduledNs[i],
                    report.getLong(stamps),
                    report.getLong(stamps + Long.BYTES));
            queuedSequences[(int) queuedEnd++ & mask] = batchSequences[i];
        }
        int cycles = (int) report.getLong(REPORT_CYCLES);
        for (int i = 0; i < cycles; i++) {
            long cycle = report.getLong(REPORT_CYCLE_LIST + i * Long.BYTES);
            capture.putBusCycle(queuedSequences[(int) queuedFirst++ & mask], cycle);
        }
    }

    private static void check(String what, int result) throws IOException {
        if (result == -Raw1394.ECANCELED) {
            throw new ClosedChannelException();
        }
        if (result < 0) {
            throw Raw1394.ioFailure(what, result);
        }
    }

    @Override
    public Map<String, Object> metadata() {
        int busResets;
        synchronized (lock) {
            busResets = pointer == 0 ? 0 : Raw1394.busResets(pointer);
        }
        Map<String, Object> metadata = new HashMap<>();
        new BusFacts(controller, null).putInto(metadata);
        metadata.put("channel", announcement.channel());
        metadata.put("speedMbitPerS", Integer.parseInt(settings.speed().word()));
        metadata.put("bandwidthUnits", bandwidthUnits);
        metadata.put("node", Port.guidText(announcement.senderGuid()));
        metadata.put("queuePackets", settings.queuePackets());
        metadata.put("busResets", busResets);
        return metadata;
    }

    @Override
    void free(long pointer) {
        Raw1394.closeSender(pointer);
        if (replies != null) {
            replies.close();
        }
    }
}
