package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.linux.TcpSegments;
import org.lagbench.packetio.socket.StreamArrivals;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/**
 * Records when each packet of a TCP stream reached the kernel, whatever receives the packets, and writes these stamps
 * to the capture. Where the kernel refuses that, the capture keeps the stamps of the engine, if it has any.
 *
 * <p>Used by one thread. {@link #start}, {@link #stop} and {@link #writeTo} are called once each, in this order.
 */
final class ArrivalRecorder implements AutoCloseable {
    private static final String UNKNOWN = "packetsWithoutKernelStamp";
    private static final int LARGE_PACKET_BYTES = 1_000;
    private static final int EXTRA_SEGMENTS = 1024;

    private final Point point;
    private final long packets;
    private final Map<String, Object> metadata = new TreeMap<>();
    private final boolean hasOthers;
    private @Nullable TcpSegments segments;

    private ArrivalRecorder(Point point, long packets, boolean hasOthers) {
        this.point = point;
        this.packets = packets;
        this.hasOthers = hasOthers;
    }

    /**
     * Loads the observer, if the run records arrivals that it can match with packets.
     *
     * @param packets the largest number of packets, those of the warm-up and the lead-out included
     */
    static ArrivalRecorder open(Point point, Transport transport, Engine engine, long packets) {
        ArrivalRecorder recorder = new ArrivalRecorder(point, packets, engine.stampsArrivals());
        if (point.stampsArrivals()
                && point.traffic().kind() == Traffic.ONE_WAY
                && transport.wire().isStream()
                && transport.headerBytes() == 0
                && engine.sendsOnlyPackets()) {
            recorder.load();
        }
        return recorder;
    }

    private void load() {
        long capacity = packets * (1 + point.packetBytes() / LARGE_PACKET_BYTES) * 9 / 8 + EXTRA_SEGMENTS;
        if (capacity > TcpSegments.MAX_CAPACITY) {
            fail("A run with so many packets takes too much of the kernel's memory.");
            return;
        }
        try {
            segments = TcpSegments.load((int) capacity);
        } catch (LagbenchException e) {
            fail(e.sentence());
        }
    }

    private void fail(String reason) {
        close();
        metadata.put(
                ReceiverCapture.STAMPS_NAME,
                (hasOthers ? "the socket's, which packets of one read share: " : "none: ") + reason);
    }

    /** Returns whether arrivals are recorded, so that the capture needs room for them. */
    boolean isOpen() {
        return segments != null;
    }

    /** Starts to record, before the first packet is sent. */
    void start(@Nullable String port) {
        TcpSegments open = segments;
        if (open == null) {
            return;
        }
        try {
            open.start(Integer.parseInt(String.valueOf(port)));
        } catch (NumberFormatException e) {
            fail("The engine announces no port.");
        } catch (LagbenchException e) {
            fail(e.sentence());
        }
    }

    /** Ends the recording, after the last packet was received. */
    void stop() {
        if (segments != null) {
            segments.stop();
        }
    }

    /**
     * Writes the stamps to the closed capture. A packet that is not matched for sure gets none.
     *
     * @param counts the final counts of the receiver
     */
    void writeTo(Path capture, ReceivedCounts counts) {
        TcpSegments open = segments;
        if (open == null) {
            return;
        }
        StreamArrivals arrivals = StreamArrivals.of(open::read, point.packetBytes(), (int) packets);
        long received = counts.warmUpReceived() + counts.distinct() + counts.leadOutReceived();
        boolean isShort = open.lost() == 0 && arrivals.bytes() < received * point.packetBytes();
        if (open.foreign() > 0 || isShort || arrivals.bytes() > packets * point.packetBytes()) {
            fail("The observer saw " + arrivals.bytes() + " bytes of the " + received + " packets, and "
                    + open.foreign() + " segments of another sender.");
            return;
        }
        try {
            long unknown = ReceiverCapture.replaceKernelStamps(
                    capture,
                    (sequence, receivedNs) -> arrivals.arrivedNs(counts.warmUpReceived() + sequence, receivedNs));
            metadata.put(ReceiverCapture.STAMPS_NAME, ReceiverCapture.OBSERVER);
            metadata.put(UNKNOWN, unknown);
        } catch (IOException e) {
            fail("They cannot be written: " + IoErrors.reason(e) + ".");
        }
        close();
    }

    /** Returns the entries for {@code run.json}. */
    Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }

    @Override
    public void close() {
        TcpSegments open = segments;
        segments = null;
        if (open != null) {
            open.close();
        }
    }
}
