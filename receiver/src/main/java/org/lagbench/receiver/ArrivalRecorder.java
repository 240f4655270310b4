package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.cause.ArmedSource;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.linux.LinuxPacketRecord.Kind;
import org.lagbench.packetio.linux.StreamPlace;
import org.lagbench.packetio.socket.DatagramArrivals;
import org.lagbench.packetio.socket.FrameArrivals;
import org.lagbench.packetio.socket.MarkedArrivals;
import org.lagbench.packetio.socket.PacketArrivals;
import org.lagbench.packetio.socket.StreamArrivals;
import org.lagbench.packetio.transport.DatagramReads;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/**
 * Records when each packet over TCP reached the kernel, whatever receives the packets, and each packet in UDP datagrams
 * unless the engine has its socket's stamps; writes these stamps to the capture. Where the kernel refuses that, the
 * capture keeps the stamps of the engine, if it has any.
 *
 * <p>In a run with observed windows, packets are recorded while the recorder is armed.
 *
 * <p>Used by one thread at a time. {@link #start}, {@link #stop} and {@link #writeTo} are called once each, in this
 * order; it is armed and disarmed in between.
 */
final class ArrivalRecorder implements ArmedSource, AutoCloseable {
    private static final String UNKNOWN = "packetsWithoutKernelStamp";
    private static final String LOST = "arrivalsLost";
    private static final int LARGE_PACKET_BYTES = 1_000;
    private static final int EXTRA_ARRIVALS = 1024;

    private final Point point;
    private final long packets;
    private final Map<String, Object> metadata = new TreeMap<>();
    private final boolean isStream;

    /** Whether the stream carries other bytes than packets. */
    private final boolean hasFrames;

    /** Whether each packet is in one datagram. */
    private final boolean isOneDatagram;

    private final Framing framing;
    private final boolean hasOthers;
    private @Nullable LinuxPacketRecord recorded;
    private @Nullable DatagramReads reads;
    private int capacity;
    private boolean wasArmed;
    private int port;
    private long tag;

    private ArrivalRecorder(Point point, long packets, boolean isStream, @Nullable Framing framing, boolean hasOthers) {
        this.point = point;
        this.packets = packets;
        this.isStream = isStream;
        this.isOneDatagram = !isStream && framing != null;
        this.framing = framing == null ? Framing.NONE : framing;
        this.hasFrames = isStream && !this.framing.equals(Framing.NONE);
        this.hasOthers = hasOthers;
    }

    /**
     * Loads the observer, if the run records arrivals that it can match with packets.
     *
     * @param settings those of the engine over the transport
     * @param packets the largest number of packets, those of the warm-up and the lead-out included
     */
    static ArrivalRecorder open(Point point, Transport transport, Engine engine, Settings settings, long packets) {
        boolean isStream = transport.wire().isStream();
        Framing framing = engine.framing(settings);
        boolean hasWindows = point.hasWindows(); // their socket stamps nothing
        boolean canMatch = (framing != null || engine.readsDatagrams())
                && transport.wire().isOverIp()
                && (isStream || hasWindows || !engine.stampsArrivals());
        ArrivalRecorder recorder = new ArrivalRecorder(
                point,
                hasWindows ? ObservedWindows.of(point).packets() : packets,
                isStream,
                framing,
                engine.stampsArrivals() && !hasWindows);
        if (canMatch
                && (hasWindows || point.stampsArrivals())
                && point.traffic().kind() == Traffic.ONE_WAY
                && transport.headerBytes() == 0) {
            recorder.load();
        }
        return recorder;
    }

    private void load() {
        long segments = isOneDatagram ? 1 : 1 + point.packetBytes() / LARGE_PACKET_BYTES;
        long others = hasFrames ? 2 : 0; // the packet's number, and the segment of another message
        long needed = packets * (segments + others) * 9 / 8 + EXTRA_ARRIVALS;
        Kind kind = hasFrames ? Kind.FRAMES : Kind.ARRIVALS;
        if (needed > kind.maxCapacity()) {
            fail("A run with so many packets takes too much of the kernel's memory.");
            return;
        }
        capacity = (int) needed;
        try {
            recorded = LinuxPacketRecord.load(kind, capacity);
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
        return recorded != null;
    }

    /**
     * Starts to record, before the first packet is sent.
     *
     * @param announced the port that the engine announces; null if none
     * @param tag of the run
     * @param reads where the engine records the datagrams that it reads; null if it does not
     */
    void start(@Nullable String announced, long tag, @Nullable DatagramReads reads) {
        if (recorded == null) {
            return;
        }
        this.reads = reads;
        try {
            this.port = Integer.parseInt(String.valueOf(announced));
            this.tag = tag;
        } catch (NumberFormatException e) {
            fail("The engine announces no port.");
            return;
        }
        if (!point.hasWindows()) {
            arm();
        }
    }

    @Override
    public void arm() {
        LinuxPacketRecord open = recorded;
        wasArmed = true;
        try {
            if (open != null && isStream && !hasFrames) {
                open.startStream(port, point.hasWindows());
            } else if (open != null && reads != null) {
                open.startMarked(port, reads.markOffset());
                reads.arm(capacity);
            } else if (open != null) {
                open.startDatagrams(port, tag, framing);
            }
        } catch (LagbenchException e) {
            fail(e.sentence());
        }
    }

    @Override
    public void disarm() {
        if (reads != null) {
            reads.disarm();
        }
        if (recorded != null) {
            recorded.stop();
        }
    }

    /** Ends the recording, after the last packet was received. */
    void stop() {
        disarm();
    }

    /**
     * Writes the stamps to the closed capture. A packet that is not matched for sure gets none.
     *
     * @param counts the final counts of the receiver
     */
    void writeTo(Path capture, ReceivedCounts counts) {
        LinuxPacketRecord open = recorded;
        if (open == null) {
            return;
        } else if (!wasArmed) {
            fail("The receiver observed no window.");
            return;
        }
        metadata.put(LOST, open.lost());
        PacketArrivals arrivals;
        if (hasFrames) {
            arrivals = FrameArrivals.of(open, framing, point.packetBytes(), point.warmUpPackets(), stampedPackets());
        } else if (reads != null) {
            arrivals = MarkedArrivals.of(open, capacity, reads);
        } else if (isStream) {
            arrivals = point.hasWindows() ? ofWindows(open, counts) : ofStream(open, counts);
        } else {
            arrivals = ofDatagrams(open, counts);
        }
        if (arrivals != null) {
            writeTo(capture, arrivals);
        }
        close();
    }

    /** Returns the arrivals of the recorded packets; null if the stream has other bytes than these packets. */
    private @Nullable PacketArrivals ofStream(LinuxPacketRecord open, ReceivedCounts counts) {
        long warmUp = counts.warmUpReceived();
        long received = warmUp + counts.distinct() + counts.leadOutReceived();
        StreamArrivals arrivals = StreamArrivals.of(open, point.packetBytes(), (int) packets);
        boolean isShort = open.lost() == 0 && arrivals.bytes() < received * point.packetBytes();
        if (open.foreign() > 0 || isShort || arrivals.bytes() > packets * point.packetBytes()) {
            fail("The observer saw " + arrivals.bytes() + " bytes of the " + received + " packets, and "
                    + open.foreign() + " segments of another sender.");
            return null;
        }
        return (packet, receivedNs) -> arrivals.arrivedNs(warmUp + packet, receivedNs);
    }

    /** Returns the arrivals of the packets in windows; null if it is not sure which bytes of the stream these are. */
    private @Nullable PacketArrivals ofWindows(LinuxPacketRecord open, ReceivedCounts counts) {
        StreamPlace place = open.place();
        long missing = point.stampedPackets() - counts.distinct();
        if (place == null || open.foreign() > 0 || counts.foreign() > 0 || missing != 0) {
            fail(
                    place == null
                            ? "The observer did not find its place in the stream."
                            : "The stream has other bytes than the packets, or " + missing
                                    + " of them are missing, and " + open.foreign()
                                    + " segments came from another sender.");
            return null;
        }
        ObservedWindows windows = ObservedWindows.of(point);
        long firstByte = (counts.warmUpReceived() + windows.first()) * point.packetBytes();
        StreamArrivals arrivals =
                StreamArrivals.ofPart(open, place, firstByte, point.packetBytes(), (int) windows.packets());
        return (packet, receivedNs) -> arrivals.arrivedNs(packet - windows.first(), receivedNs);
    }

    /** Returns the arrivals of the recorded packets; null if a stamp may be that of a later copy. */
    private @Nullable PacketArrivals ofDatagrams(LinuxPacketRecord open, ReceivedCounts counts) {
        if (open.lost() > 0 && counts.duplicated() > 0) {
            fail("The observer lost " + open.lost() + " arrivals, perhaps first copies of packets that arrived again.");
            return null;
        }
        return DatagramArrivals.of(open, framing, point.packetBytes(), point.warmUpPackets(), stampedPackets());
    }

    private int stampedPackets() {
        return Math.toIntExact(point.stampedPackets());
    }

    private void writeTo(Path capture, PacketArrivals arrivals) {
        try {
            long unknown = ReceiverCapture.replaceKernelStamps(capture, arrivals::arrivedNs);
            metadata.put(ReceiverCapture.STAMPS_NAME, ReceiverCapture.OBSERVER);
            if (!point.hasWindows()) {
                metadata.put(UNKNOWN, unknown);
            }
        } catch (IOException e) {
            fail("They cannot be written: " + IoErrors.reason(e) + ".");
        }
    }

    /** Returns the entries for {@code run.json}. */
    Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }

    @Override
    public void close() {
        LinuxPacketRecord open = recorded;
        recorded = null;
        if (open != null) {
            open.close();
        }
    }
}
