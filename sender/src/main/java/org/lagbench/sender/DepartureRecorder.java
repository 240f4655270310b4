package org.lagbench.sender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.DeparturesCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.DepartureFacts;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Point;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.linux.LinuxPacketRecord.Kind;
import org.lagbench.packetio.linux.StreamPlace;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.DatagramArrivals;
import org.lagbench.packetio.socket.FrameArrivals;
import org.lagbench.packetio.socket.PacketArrivals;
import org.lagbench.packetio.socket.PacketDepartures;
import org.lagbench.packetio.socket.PacketRecorder;
import org.lagbench.packetio.socket.StreamArrivals;
import org.lagbench.packetio.transport.DatagramMarks;

/**
 * Records when each packet over TCP, UDP or a library's protocol left for the driver of this host's device, whatever
 * sends the packets. That is the first device that a packet leaves this network namespace by.
 *
 * <p>In a run with observed windows, packets are recorded while the recorder is armed. Of a stream without frames it
 * also records how the connection begins, which is the place of all packets in the stream.
 *
 * <p>Used by one thread at a time. It is armed and disarmed between {@link #connected} and {@link #writeTo}.
 */
final class DepartureRecorder extends PacketRecorder {
    private final boolean isRecorded;
    private final long leadOutPackets;
    private @Nullable Long departuresLost;
    private @Nullable Long missing;

    /** Creates a recorder that records nothing yet, and never if not observed or if it cannot match packets. */
    DepartureRecorder(Point point, Transport transport, Engine engine, long leadOutPackets) {
        super(point, transport, engine, "none: ");
        this.isRecorded = canMatch && point.records(ObservedSource.DEPARTURES);
        this.leadOutPackets = leadOutPackets;
    }

    @Override
    public String name() {
        return DeparturesCapture.FILE_NAME;
    }

    /** Loads the observer and starts to record, before the engine connects. */
    @Override
    protected void start(@Nullable String announced, long tag, @Nullable DatagramMarks written) {
        marks = written;
        Endpoint via = DataPort.via(point.settings());
        if (isRecorded
                && (isFramed || written != null)
                && hasPort(via == null ? announced : Integer.toString(via.port()), tag)) {
            load(hasFrames ? Kind.FRAME_DEPARTURES : Kind.DEPARTURES, capacity(allPackets()));
            if (written != null && isOpen()) {
                written.arm(Math.toIntExact(allPackets() + 1));
            }
            if (isStream || !point.hasWindows()) {
                arm();
            }
        }
    }

    private long allPackets() {
        return point.warmUpPackets() + point.stampedPackets() + leadOutPackets;
    }

    /** Ends the recording until it is armed, if the run has windows. The engine is connected. */
    @Override
    public void connected() {
        if (point.hasWindows()) {
            disarm();
        }
    }

    /** Ends the recording, after the last packet was received, and writes the capture. */
    @Override
    protected void writeTo(Path directory) throws IOException {
        disarm();
        LinuxPacketRecord open = recorded();
        if (open == null) {
            return;
        }
        long lost = open.lost();
        departuresLost = lost;
        ObservedWindows windows = ObservedWindows.of(point);
        boolean isPlain = isStream && !hasFrames;
        long first = isPlain && point.hasWindows() ? windows.first() : 0;
        PacketDepartures departures =
                isPlain ? ofStream(open, first) : marks == null ? ofTagged(open) : ofMarked(open, marks);
        if (departures != null && lost > 0 && departures.hasCopies()) {
            fail("The observer lost " + lost + " departures, perhaps first copies of packets that left again.");
        } else if (departures != null) {
            write(departures, directory.resolve(DeparturesCapture.FILE_NAME), first);
        }
        close();
    }

    @Override
    public List<DepartureFacts> metadata() {
        return List.of(new DepartureFacts(source, departuresLost, missing));
    }

    /** Returns the departures from a recorded packet on; null if it is not sure which bytes of the stream these are. */
    private @Nullable PacketDepartures ofStream(LinuxPacketRecord open, long first) {
        StreamPlace begin = open.place();
        if (begin == null || open.foreign() > 0) {
            fail(
                    begin == null
                            ? "The observer did not see how the connection began."
                            : open.foreign() + " segments to this port came from other connections.");
            return null;
        }
        long firstByte = (point.warmUpPackets() + first) * point.packetBytes();
        // int arithmetic: sequence numbers wrap at 2³²
        StreamPlace place = point.hasWindows() ? new StreamPlace(begin.sequence() + (int) firstByte, firstByte) : begin;
        int count = Math.toIntExact(point.stampedPackets() - first);
        StreamArrivals departures = StreamArrivals.ofPart(open, place, firstByte, point.packetBytes(), count);
        long bytes = departures.bytes();
        boolean isShort = !point.hasWindows() && open.lost() == 0 && bytes < (long) count * point.packetBytes();
        if (isShort || bytes > (count + leadOutPackets) * point.packetBytes()) {
            fail("The stream has " + bytes + " bytes after the warm-up, which are not those of the packets.");
            return null;
        }
        return departures;
    }

    /** Returns the departures of all packets; null if not each was written, and so some order is not sure. */
    private @Nullable PacketDepartures ofMarked(LinuxPacketRecord open, DatagramMarks written) {
        if (written.count() != allPackets()) {
            fail("The engine wrote " + written.count() + " datagrams for " + allPackets() + " packets.");
            return null;
        }
        int packets = Math.toIntExact(point.stampedPackets());
        return DatagramArrivals.ofMarked(open, written, point.packetBytes(), point.warmUpPackets(), packets);
    }

    private PacketDepartures ofTagged(LinuxPacketRecord open) {
        int packets = Math.toIntExact(point.stampedPackets());
        return hasFrames
                ? FrameArrivals.of(open, framing, point.packetBytes(), point.warmUpPackets(), packets)
                : DatagramArrivals.of(open, framing, point.packetBytes(), point.warmUpPackets(), packets);
    }

    private void write(PacketDepartures departures, Path file, long first) throws IOException {
        long known;
        try (GrowingCapture capture = DeparturesCapture.create(file)) {
            for (long packet = first; packet < point.stampedPackets(); packet++) {
                long leftNs = departures.leftNs(packet - first);
                if (leftNs != PacketArrivals.UNKNOWN) {
                    capture.append(packet, leftNs);
                }
            }
            known = capture.records();
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
        if (known == 0) {
            Files.delete(file);
            fail("The observer found no packet in what left this host.");
            return;
        }
        source = DepartureFacts.OBSERVER;
        if (!point.hasWindows()) {
            missing = point.stampedPackets() - known;
        }
    }
}
