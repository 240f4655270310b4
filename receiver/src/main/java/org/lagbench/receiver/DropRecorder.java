package org.lagbench.receiver;

import static org.lagbench.packetio.linux.LinuxPacketRecord.Kind.DROPS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.DropFacts;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Point;
import org.lagbench.packetio.linux.DropReasons;
import org.lagbench.packetio.linux.LinuxPacketRecord;
import org.lagbench.packetio.socket.PacketRecorder;
import org.lagbench.packetio.transport.DatagramMarks;

/**
 * Records which packets in UDP datagrams this kernel dropped, when and why, in all of a run that observes drops. Costs
 * nothing while nothing is dropped. Where the kernel refuses it, only the counter of drops remains.
 *
 * <p>Used by one thread.
 */
final class DropRecorder extends PacketRecorder {
    private final BitSet overflowed = new BitSet();
    private long recognized = -1;
    private @Nullable Long lost;
    private @Nullable String names;

    /**
     * Loads the observer, if the run observes drops and has packets that it can recognize.
     *
     * @param packets the largest number of packets, those of the warm-up and the lead-out included
     */
    DropRecorder(Point point, Transport transport, Engine engine, long packets) {
        super(point, transport, engine, "the counter of drops, every 10 ms: ");
        if (canMatch && point.records(ObservedSource.DROPS) && !isStream && isFramed && framing.number() == null) {
            load(DROPS, Math.min(DROPS.maxCapacity(), packets));
        }
    }

    @Override
    public String name() {
        return DropsCapture.FILE_NAME;
    }

    @Override
    protected void start(@Nullable String announced, long tag, @Nullable DatagramMarks reads) {
        if (isOpen() && hasPort(announced, tag)) {
            arm();
        }
    }

    @Override
    public void end() {
        disarm();
    }

    /** Writes the drops of recorded packets, if there are any, to {@link DropsCapture#FILE_NAME}. */
    @Override
    protected void writeTo(Path directory) throws IOException {
        LinuxPacketRecord open = recorded();
        if (open == null) {
            return;
        }
        Path file = directory.resolve(DropsCapture.FILE_NAME);
        Map<Long, String> reasons = new TreeMap<>();
        try (GrowingCapture capture = DropsCapture.create(file)) {
            write(open, capture, reasons);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
        if (reasons.isEmpty()) {
            Files.delete(file);
        } else {
            names = DropsCapture.formatReasons(reasons);
        }
        source = DropFacts.OBSERVER;
        lost = open.lost();
        if (open.lost() > 0) {
            recognized = -1;
        }
        close();
    }

    @Override
    public List<DropFacts> metadata() {
        return List.of(new DropFacts(source, lost, names));
    }

    /**
     * Returns the number of recorded drops of packets of the run because a buffer was full, copies included, from
     * {@link #writeTo} on; −1 if unknown.
     */
    long recognized() {
        return recognized;
    }

    /** Returns the packets asked for of these. Copies of them may have arrived. */
    BitSet overflowed() {
        return overflowed;
    }

    private void write(LinuxPacketRecord open, GrowingCapture capture, Map<Long, String> reasons) throws IOException {
        Map<Long, String> known = new TreeMap<>();
        recognized = 0;
        open.forEach((droppedNs, first, bytes, reason) -> {
            if (known.isEmpty()) {
                known.putAll(DropReasons.ofKernel());
            }
            String name = known.getOrDefault(reason, "reason " + reason);
            boolean isOverflow = DropsCapture.OVERFLOWS.contains(name);
            recognized += isOverflow ? 1 : 0;
            long end = Math.min(first + framing.packets(bytes, point.packetBytes()), point.stampedPackets());
            for (long packet = Math.max(first, 0); packet < end; packet++) {
                reasons.put(reason, name);
                if (isOverflow && packet < point.packets()) {
                    overflowed.set((int) packet);
                }
                capture.appendUnlessFailed(packet, droppedNs, reason);
            }
        });
        if (known.isEmpty() && !reasons.isEmpty()) {
            recognized = -1;
        }
        IOException failure = capture.failure();
        if (failure != null) {
            throw failure;
        }
    }
}
