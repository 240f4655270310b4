package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.ArrivalFacts;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Point;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.linux.LinuxPacketRecord.Kind;
import org.lagbench.packetio.linux.StreamPlace;
import org.lagbench.packetio.socket.DatagramArrivals;
import org.lagbench.packetio.socket.FrameArrivals;
import org.lagbench.packetio.socket.MarkedArrivals;
import org.lagbench.packetio.socket.PacketArrivals;
import org.lagbench.packetio.socket.PacketRecorder;
import org.lagbench.packetio.socket.StreamArrivals;
import org.lagbench.packetio.transport.DatagramMarks;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/**
 * Records when each packet over TCP reached the kernel, whatever receives the packets, and each packet in UDP datagrams
 * unless the engine has its socket's stamps; writes these stamps to the capture. Where the kernel refuses that, the
 * capture keeps the stamps of the engine, if it has any.
 *
 * <p>In a run with observed windows, packets are recorded while the recorder is armed.
 *
 * <p>Used by one thread at a time. It is armed and disarmed between {@link #start} and {@link #writeTo}.
 */
final class ArrivalRecorder extends PacketRecorder {
    private final long packets;
    private final long capacity;
    private boolean wasArmed;
    private @Nullable ReceiveEngine receiver;
    private @Nullable Long lost;
    private @Nullable Long withoutStamp;

    /**
     * Loads the observer, if the run records arrivals that it can match with packets.
     *
     * @param packets the largest number of packets, those of the warm-up and the lead-out included
     */
    ArrivalRecorder(Point point, Transport transport, Engine engine, long packets) {
        super(
                point,
                transport,
                engine,
                engine.stampsArrivals() && !point.hasWindows()
                        ? "the socket's, which packets of one read share: "
                        : "none: ");
        this.packets = packets;
        this.capacity = capacity(packets);
        boolean hasWindows = point.hasWindows(); // their socket stamps nothing
        if (canMatch
                && (isFramed || engine.readsDatagrams())
                && (isStream || hasWindows || !engine.stampsArrivals())
                && point.records(ObservedSource.ARRIVALS)) {
            load(hasFrames ? Kind.FRAME_ARRIVALS : Kind.ARRIVALS, capacity);
        }
    }

    @Override
    public String name() {
        return "kernelStamps";
    }

    /** Sets the engine whose packets are recorded, before {@link #prepare}. */
    void attach(ReceiveEngine receiver, long tag, Path directory) {
        this.receiver = receiver;
        attach(receiver, receiver::announce, tag, directory);
    }

    @Override
    protected void start(@Nullable String announced, long tag, @Nullable DatagramMarks reads) {
        this.marks = reads;
        if (isOpen() && hasPort(announced, tag) && !point.hasWindows()) {
            arm();
        }
    }

    @Override
    protected void startRecord(LinuxPacketRecord open, int port, long tag) throws LagbenchException {
        wasArmed = true;
        if (isStream && !hasFrames) {
            open.startStream(port, point.hasWindows());
        } else {
            super.startRecord(open, port, tag);
        }
        if (marks != null) {
            marks.arm((int) capacity);
        }
    }

    @Override
    public void end() {
        disarm();
    }

    @Override
    public void disarm() {
        if (marks != null) {
            marks.disarm();
        }
        super.disarm();
    }

    @Override
    protected void writeTo(Path directory) {
        writeTo(
                directory.resolve(ReceiverCapture.FILE_NAME),
                Objects.requireNonNull(receiver, "attach").counts());
    }

    /**
     * Writes the stamps to the closed capture. A packet that is not matched for sure gets none.
     *
     * @param counts the final counts of the receiver
     */
    void writeTo(Path capture, ReceivedCounts counts) {
        LinuxPacketRecord open = recorded();
        if (open == null) {
            return;
        } else if (!wasArmed) {
            fail("The receiver observed no window.");
            return;
        }
        lost = open.lost();
        PacketArrivals arrivals;
        if (hasFrames) {
            arrivals = FrameArrivals.of(open, framing, point.packetBytes(), point.warmUpPackets(), stampedPackets());
        } else if (marks != null) {
            arrivals = MarkedArrivals.of(open, marks);
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

    @Override
    public List<ArrivalFacts> metadata() {
        return List.of(new ArrivalFacts(source, withoutStamp, lost));
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
            source = ArrivalFacts.OBSERVER;
            if (!point.hasWindows()) {
                withoutStamp = unknown;
            }
        } catch (IOException e) {
            fail("They cannot be written: " + IoErrors.reason(e) + ".");
        }
    }
}
