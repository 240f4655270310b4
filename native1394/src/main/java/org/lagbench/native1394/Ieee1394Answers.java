package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Sends the answers to a run's packets on a second channel, one answer per JNI call. The thread that receives the
 * packets sends the answers; any thread may close.
 */
final class Ieee1394Answers extends Ieee1394Side {
    private final int packetBytes;
    private final Announcement announcement;
    private final int bandwidthUnits;
    private final ByteBuffer answer;
    private final ByteBuffer report;

    private Ieee1394Answers(
            SideConfig run, Ieee1394Settings settings, long sender, int channel, int bandwidthUnits, long guid) {
        super(sender, null);
        this.packetBytes = run.packetBytes();
        this.announcement = new Announcement(channel, guid);
        this.bandwidthUnits = bandwidthUnits;
        this.answer = ByteBuffer.allocateDirect(packetBytes);
        this.report = ByteBuffer.allocateDirect(
                        Ieee1394Sender.REPORT_CYCLE_LIST + (settings.queuePackets() + 1) * Long.BYTES)
                .order(ByteOrder.nativeOrder());
    }

    /** Reserves the channel of the answers and starts to send on it. */
    static Ieee1394Answers open(SideConfig run, Ieee1394Settings settings, int port) throws LagbenchException {
        int[] granted = new int[2];
        long sender = Ieee1394Sender.openNative(run, settings, port, settings.answerChannel(), granted);
        if (sender < 0) {
            throw Errno.unavailable("open the sender of the answers", port, sender);
        }
        try {
            int result = Raw1394.startSender(sender);
            if (result < 0) {
                throw Errno.unavailable("start to answer", port, result);
            }
            long guid = Ports.list().get(port).guid();
            return new Ieee1394Answers(run, settings, sender, granted[0], granted[1], guid);
        } catch (LagbenchException | RuntimeException | Error e) {
            Raw1394.closeSender(sender);
            throw e;
        }
    }

    /** Returns the channel and the node, for the side that receives the answers. */
    Announcement announcement() {
        return announcement;
    }

    int bandwidthUnits() {
        return bandwidthUnits;
    }

    /**
     * Answers a packet with a copy that carries the replied stamp, and returns that stamp. Waits while the transmit
     * queue is full. Allocates nothing.
     */
    long reply(ByteBuffer packets, int offset) throws IOException {
        answer.put(0, packets, offset, packetBytes);
        int result;
        synchronized (lock) {
            if (pointer == 0) {
                throw new ClosedChannelException();
            }
            result = Raw1394.send(pointer, answer, 1, report);
        }
        Ieee1394Sender.check("answer", result);
        return report.getLong(Ieee1394Sender.REPORT_STAMPS);
    }

    @Override
    void free(long pointer) {
        Raw1394.closeSender(pointer);
    }
}
