package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.ArmedSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.recorder.Recorder;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.linux.LinuxPacketRecord.Kind;
import org.lagbench.packetio.transport.DatagramMarks;
import org.lagbench.packetio.transport.EngineSide;

/**
 * Records the packets of a run in this host's kernel, whatever sends or receives them, or the reason why it cannot.
 *
 * <p>Used by one thread at a time.
 */
public abstract class PacketRecorder implements ArmedSource, Recorder {
    private static final int LARGE_PACKET_BYTES = 1_000;
    private static final int EXTRA_SEGMENTS = 1024;

    protected final Point point;
    protected final boolean isStream;

    /** Whether it is known what surrounds each packet. */
    protected final boolean isFramed;

    /** What surrounds each packet; nothing if it is not known. */
    protected final Framing framing;

    /** Whether the stream carries other bytes than packets. */
    protected final boolean hasFrames;

    /** Whether packets go one way, in TCP segments or UDP datagrams without a header of the transport. */
    protected final boolean canMatch;

    /** The datagrams that the engine marks; null if it does not. */
    protected @Nullable DatagramMarks marks;

    /** How packets were recorded, or why not; null if there is nothing to say. */
    protected @Nullable String source;

    private final String otherSource;
    private @Nullable Side side;
    private @Nullable LinuxPacketRecord recorded;
    private int port;
    private long tag;

    /**
     * Creates a recorder that records nothing yet.
     *
     * @param otherSource what the reason follows why nothing was recorded
     */
    protected PacketRecorder(Point point, Transport transport, Engine engine, String otherSource) {
        Framing ofEngine = engine.framing(
                Settings.of(engine.settingsOver(transport), point.allSettings().asText()));
        this.point = point;
        this.isStream = transport.wire().isStream();
        this.isFramed = ofEngine != null;
        this.framing = ofEngine == null ? Framing.NONE : ofEngine;
        this.hasFrames = isStream && !framing.equals(Framing.NONE);
        this.canMatch = point.traffic().kind() == Traffic.ONE_WAY
                && transport.wire().isOverIp()
                && transport.headerBytes() == 0;
        this.otherSource = otherSource;
    }

    /**
     * The side of a run whose packets are recorded.
     *
     * @param announced returns what the receiver announced
     * @param directory of this side's files
     */
    private record Side(EngineSide engine, Supplier<Map<String, String>> announced, long tag, Path directory) {}

    /**
     * Sets the side of a run, before {@link #prepare}.
     *
     * @param engine which is open
     * @param announced returns what the receiver announced
     * @param tag of the run
     * @param directory of this side's files
     */
    public final void attach(EngineSide engine, Supplier<Map<String, String>> announced, long tag, Path directory) {
        side = new Side(engine, announced, tag, directory);
    }

    private Side side() {
        return Objects.requireNonNull(side, "attach");
    }

    @Override
    public final void prepare() {
        start(
                side().announced().get().get(DataPort.PORT),
                side().tag(),
                side().engine().datagramMarks());
    }

    /**
     * Starts to record, before the first packet is sent.
     *
     * @param announced the port that the receiver announced; null if none
     * @param tag of the run
     * @param ofEngine where the engine records its datagrams; null if it does not
     */
    protected abstract void start(@Nullable String announced, long tag, @Nullable DatagramMarks ofEngine);

    @Override
    public final void write() throws IOException {
        writeTo(side().directory());
    }

    /** Writes what was recorded to this side's files. */
    protected abstract void writeTo(Path directory) throws IOException;

    /**
     * Returns for how many segments or datagrams to take memory.
     *
     * @param packets the number of packets in a run without windows
     */
    protected final long capacity(long packets) {
        long observed = point.hasWindows() ? ObservedWindows.of(point).packets() : packets;
        long segments = isStream || !isFramed ? 1 + point.packetBytes() / LARGE_PACKET_BYTES : 1;
        long others = hasFrames ? 2 : 0; // the packet's number, and the segment of another message
        return observed * (segments + others) * 9 / 8 + EXTRA_SEGMENTS;
    }

    /** Loads the observer, which records nothing until it is armed. */
    protected final void load(Kind kind, long capacity) {
        if (capacity > kind.maxCapacity()) {
            fail("A run with so many packets takes too much of the kernel's memory.");
            return;
        }
        try {
            recorded = LinuxPacketRecord.load(kind, (int) capacity);
        } catch (LagbenchException e) {
            fail(e.sentence());
        }
    }

    /** Ends the recording permanently, and keeps the reason. */
    protected final void fail(String reason) {
        close();
        source = otherSource + reason;
    }

    /** Returns whether the observer is loaded. */
    public final boolean isOpen() {
        return recorded != null;
    }

    /** Returns what was recorded; null if the observer is not loaded. */
    protected final @Nullable LinuxPacketRecord recorded() {
        return recorded;
    }

    /** Sets what {@link #arm} records. Returns whether the receiver announced a port; otherwise the recorder fails. */
    protected final boolean hasPort(@Nullable String announced, long tag) {
        try {
            this.port = Integer.parseInt(String.valueOf(announced));
            this.tag = tag;
            return true;
        } catch (NumberFormatException e) {
            fail("The receiver announces no port.");
            return false;
        }
    }

    @Override
    public void arm() {
        LinuxPacketRecord open = recorded;
        try {
            if (open != null) {
                startRecord(open, port, tag);
            }
        } catch (LagbenchException e) {
            fail(e.sentence());
        }
    }

    /** Starts to record the packets to a port. */
    protected void startRecord(LinuxPacketRecord open, int port, long tag) throws LagbenchException {
        if (isStream && !hasFrames) {
            open.startStream(port, false);
        } else if (marks != null) {
            open.startMarked(port, marks.markOffset());
        } else {
            open.startDatagrams(port, tag, framing, point.packetBytes());
        }
    }

    @Override
    public void disarm() {
        if (recorded != null) {
            recorded.stop();
        }
    }

    @Override
    public final void close() {
        LinuxPacketRecord open = recorded;
        recorded = null;
        if (open != null) {
            open.close();
        }
    }
}
